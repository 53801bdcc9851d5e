/** The programs of the README, small: each does the work of its command, with objects where the command takes names. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { afterAll, expect, it } from 'vitest';
import { defineEnvironment } from '../envs/define.ts';
import { defineReward } from '../rewards/reward.ts';
import { definePolicy } from '../policy/own-policy.ts';
import { evaluate } from './evaluate.ts';
import { serve } from './serve.ts';
import { sft, train } from './train.ts';

const output = mkdtempSync(join(tmpdir(), 'agoge-library-'));
afterAll(() => rmSync(output, { recursive: true }));

const echo = defineEnvironment({
  name: 'echo',
  version: '1',
  splits: { train: 20, test: 4 },
  instructions: {
    task: 'Say the word.',
    actions: [{ name: 'say', template: '{word}', description: 'say a word', parameters: { word: 'the word' } }],
  },
  start: (task) => ({
    state: task.index % 2 === 0 ? 'red' : 'blue',
    observation: `Say ${task.index % 2 === 0 ? 'red' : 'blue'}.`,
  }),
  step: (state, action) => ({ observation: 'Thanks.', reward: action === state ? 1 : 0, success: action === state, done: true }),
  solve: (state) => state,
});
const parrot = definePolicy({ name: 'parrot', act: ({ observation }) => /Say (\w+)/.exec(observation)?.[1] ?? '' });

it('evaluates an environment and a policy of one’s own; the result is data with a few methods', async () => {
  const folder = join(output, 'eval');
  const result = await evaluate(echo, { policies: [parrot, 'random'], tasks: '0-3', folder });
  expect(result.score('./parrot.object').success.mean).toBe(1);
  expect(result.compare('./parrot.object', 'random').panel).toBe(result.panels[0]?.hash);
  expect(String(result)).toContain('echo/test');
  await result.save(join(output, 'result.json'));
  expect(existsSync(join(output, 'result.json'))).toBe(true);
  await using page = await result.view();
  expect((await fetch(page.url)).status).toBe(200);
  // The same call again plays nothing.
  let played = 0;
  await evaluate(echo, { policies: [parrot, 'random'], tasks: [0, 1, 2, 3], folder, onEpisode: () => played++ });
  expect(played).toBe(0);
  expect(() => result.score('base')).toThrow(/name one of/);
});

it('trains by RL with objects, step by step; the best policy is evaluated and served', async () => {
  const reward = defineReward({ name: 'short', each: ({ turns }) => (turns.length > 0 ? 1 : 0) });
  const run = await train({
    output,
    policy: 'base',
    tasks: [{ env: echo }],
    reward: [reward, 'env'],
    algorithm: { name: 'grpo' },
    rollout: { groups: 2, samples: 2 },
    agent: { max_turns: 1, tokens_per_turn: 4 },
    stop: { unreadable: false },
    steps: 2,
  });
  expect(existsSync(run.directory)).toBe(true);
  const steps: (number | undefined)[] = [];
  for await (const { step, success } of run.steps) steps.push(step, success);
  expect(steps.filter((_, at) => at % 2 === 0)).toEqual([1, 2]);
  expect(steps[1]).toBeTypeOf('number');
  expect((await run.finished).status).toBe('finished');
  expect(run.best()).toContain(run.latest());
  const result = await evaluate(echo, { policies: [run.best()], tasks: '0-1', folder: join(output, 'after'), maxTokens: 4 });
  expect(result.score().scored).toBe(2);
  await using server = await serve({ model: run.best(), name: 'mine' });
  const models = (await (await fetch(`${server.url}/models`)).json()) as { data: { id: string }[] };
  expect(models.data.map(({ id }) => id)).toEqual(['mine']);
});

it('imitates, and can be stopped; what is wrong is said where it is asked', async () => {
  const run = await sft({
    output,
    run: 'imitation',
    policy: 'base',
    data: { source: 'experts', experts: [{ env: echo }], curriculum: { levels: 1 } },
    batch_tokens: 64,
    steps: 500,
  });
  for await (const step of run.steps) if (step.step >= 2) break;
  expect((await run.stop()).status).toBe('interrupted');
  await expect(train({ output, run: 'imitation', tasks: [{ env: echo }], steps: 1 })).rejects.toThrow(/holds a run already/);
  const wrong = await train({ output, run: 'wrong', tasks: [{ env: 'textcrafd' }], steps: 1 });
  await expect(wrong.finished).rejects.toThrow(/textcraft/);
  // @ts-expect-error a misspelt key is an error of the editor
  await expect(train({ output, tasks: [{ env: echo }], stpes: 1 })).rejects.toThrow(/did you mean "steps"/);
});

it('serves environments by name and as objects', async () => {
  await using server = await serve({ environments: ['wordle', echo] });
  expect((await fetch(`${server.url}/echo/`)).status).toBeLessThan(500);
});
