/** Official ids mean official tasks: what plays, what is refused, and what a stand-in is called. */
import { expect, it } from 'vitest';
import { loadEnvironment, type Settings } from '../envs/registry.ts';
import '../envs/builtin.ts';
import { isStandInTask, taskOfItem } from './items.ts';

const standIns: [env: string, id: string, setting: RegExp][] = [
  ['webshop', 'webshop_17', /set webshop\.products and webshop\.attributes to items_shuffle_1000\.json .* setup\.sh/],
  ['alfworld', 'alfworld_2420', /set alfworld\.games to the folder json_2\.1\.1 .*alfworld-download/],
  ['searchqa', 'nq_7', /set searchqa\.test and searchqa\.train .* searchqa\.corpus to wiki-18\.jsonl/],
  ['sqlgym', 'sqlgym_931', /set sqlgym\.bird to BIRD’s folder as train\.zip and dev\.zip/],
  ['weather', 'weather_4', /set weather\.questions to AgentGym’s question file/],
  ['todo', 'todo_19', /play it on AgentGym’s own server/],
  ['academia', 'tool_academia_3', /set academia\.questions/],
];

it.each(standIns)(
  '%s: %s without its files is an error that names the setting and where files come from',
  async (env, id, remedy) => {
    const environment = await loadEnvironment(env);
    const number = Number(/\d+$/.exec(id)?.[0]);
    for (const item of [id, number]) {
      expect(() => taskOfItem(environment, item)).toThrow(expect.objectContaining({ code: 'ENV_STAND_IN' }) as Error);
      expect(() => taskOfItem(environment, item)).toThrow(remedy);
      expect(() => taskOfItem(environment, item)).toThrow(/--generated/);
    }
    await environment.close?.();
  },
);

it.each(standIns)('%s: %s plays a stand-in where that is chosen, and the stand-in says so', async (env, id) => {
  const environment = await loadEnvironment(env, { generated: true });
  const task = taskOfItem(environment, id);
  const { itemId } = environment.tasks(task.split).info(task.index);
  expect(itemId).toMatch(/-standin_\d+$/);
  expect(isStandInTask(environment, task)).toBe(true);
  // Its own id is nobody else's: it needs no choice.
  const plain = await loadEnvironment(env);
  expect(taskOfItem(plain, itemId)).toEqual(task);
  expect(plain.version).toBe(environment.version);
  await environment.close?.();
  await plain.close?.();
});

it.each<[string, Settings, string, RegExp]>([
  [
    'webshop',
    { generated: true, size: 60 },
    'webshop_999999',
    /has goals 0 to \d+ with these products, not 999999: set webshop\.products/,
  ],
  ['alfworld', { generated: true }, 'alfworld_2620', /has items 0 to 2619, not 2620/],
  ['sqlgym', { generated: true }, 'sqlgym_5000', /without files of its own it has \d+ generated ones.*sqlgym\.bird/],
  ['weather', { generated: true }, 'weather_343', /has items 0 to 342, not 343/],
  ['webarena', {}, 'webarena_4', /set webarena\.tasks to the file that has it \(test\.raw\.json of WebArena\)/],
])('%s %o has no %s, and says what it has', async (env, settings, id, said) => {
  const environment = await loadEnvironment(env, settings);
  expect(() => taskOfItem(environment, id)).toThrow(said);
  await environment.close?.();
});

it('takes ALFWorld’s names for names: their last digits are a time, not a number', async () => {
  const name = 'look_at_obj_in_light-AlarmClock-None-DeskLamp-301_trial_T20190907_174127_043461';
  const environment = await loadEnvironment('alfworld');
  expect(() => taskOfItem(environment, name)).toThrow(/needs official files/);
  const chosen = await loadEnvironment('alfworld', { generated: true });
  const task = taskOfItem(chosen, name);
  expect(task).toEqual({ env: 'alfworld', split: 'train', index: 0 });
  const unknown = name.replace('043461', '999999');
  expect(() => taskOfItem(chosen, unknown)).toThrow(/is one of the official train, valid_seen or valid_unseen games/);
});
