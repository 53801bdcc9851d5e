/** Examples of the reference: environments. The body of each function is the example of what it is named after. */
import { checkLaws, defineEnvironment, loadEnvironment, openEnvironment, registerEnvironment, serve } from 'agoge';
import { Dialect, integer, optional, text } from 'agoge/envs';

export const examples = {
  async openEnvironment() {
    await using server = await serve({ environments: ['wordle'] });
    const wordle = await openEnvironment(`wordle@${server.url}`); // also `textcraft`, or `./my-env.ts`
    await using episode = await wordle.open({ env: 'wordle', split: 'test', index: 0 });
    console.log((await episode.step('crane')).reward);
    await wordle.close?.();
  },
  async registerEnvironment() {
    const coin = defineEnvironment({
      name: 'coin',
      splits: { test: 2 },
      instructions: 'Say heads or tails.',
      start: (task) => ({ state: task.index % 2 === 0 ? 'heads' : 'tails', observation: 'The coin is in the air.' }),
      step: (side, said) => ({ observation: side, reward: said === side ? 1 : 0, done: true }),
    });
    registerEnvironment({ name: 'coin', summary: 'guess a coin', settings: {}, load: () => Promise.resolve(coin) });
    console.log((await loadEnvironment('coin')).splits); // ['test']
  },
  async checkLaws() {
    const environment = await loadEnvironment('wordle');
    const quick = { cases: 2, expertTasks: 2, memorySteps: 200 };
    for await (const { law, violation } of checkLaws(environment, quick)) console.log(law, violation?.detail ?? 'holds');
  },
  Dialect() {
    const dialect = new Dialect({ env: 'coin', greeting: 'coin', key: 'id', errors: 'answer', ids: 'counter', cors: false })
      .on('POST', '/create', null, async ({ sessions }) => ({ id: (await sessions.open(() => ({}))).id }))
      .onSession('POST', '/say', { side: text() }, ({ input }) => ({ heard: input.side }));
    console.log(dialect.routes.map(({ path }) => path)); // ['/create', '/say']
  },
  integer() {
    console.log(integer().read('7')); // the value 7, as pydantic reads it
  },
  text() {
    console.log(text().read('heads')); // the value 'heads'
  },
  optional() {
    console.log(optional(integer(), 3).read(null)); // the value null
  },
};
