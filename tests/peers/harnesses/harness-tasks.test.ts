/** Tasks of Inspect AI and of verifiers played here: their own packages run and score them, and a policy of ours is their model. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { defineHarness } from '../../../src/gym/agents/harness.ts';
import { evaluate } from '../../../src/library/evaluate.ts';
import { definePolicy } from '../../../src/policy/own-policy.ts';
import { environmentOf } from '../python.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const output = mkdtempSync(join(tmpdir(), 'agoge-harness-tasks-'));
afterAll(() => rmSync(output, { recursive: true }));
const adapters = join(root, 'adapters/tasks');
const tasks = join(root, 'tests/peers/harnesses/tasks');

const harness = (name: string) => {
  const { venv, problem } = environmentOf(join(root, `tests/peers/harnesses/${name}-requirements.txt`));
  if (problem !== undefined) console.log(`skipped: ${problem}`);
  const command = join(venv, 'bin/python');
  const path = [join(venv, 'bin'), process.env['PATH'] ?? ''].join(delimiter);
  const open = (args: readonly string[], more: object = {}) =>
    defineHarness({
      name: 'sums',
      command,
      args: [join(adapters, `${name}_tasks.py`), ...args],
      env: { PYTHONPATH: [tasks, adapters].join(delimiter), PATH: path },
      ...more,
    });
  return { problem, open };
};

/** Starting a harness takes seconds each time: CI starts each of them once. */
const whole = it.skipIf(process.env['AGOGE_SHORT_PEERS'] === '1');

/** Right for every sum but the first. */
const clerk = definePolicy({
  name: 'clerk',
  act: ({ observation }) => {
    const sum = /How much is (\d+) \+ 2/.exec(observation)?.[1];
    return sum === '0' ? 'three' : String(Number(sum) + 2);
  },
});

const inspect = harness('inspect');
describe.skipIf(inspect.problem !== undefined)('tasks of Inspect AI', () => {
  it('are played all at once and scored by their own scorer, each as often as it is asked', async () => {
    const environment = await inspect.open([`${join(tasks, 'sums.py')}@by_heart`, '-T', 'count=6'], {
      splits: { train: [0, 2], test: [2, 6] },
    });
    try {
      expect([environment.tasks('train').size, environment.tasks('test').size]).toEqual([2, 4]);
      const options = { policies: [clerk], samples: 2 };
      const test = await evaluate(environment, { ...options, folder: join(output, 'inspect-test') });
      expect(test.score()).toMatchObject({ scored: 8, success: { mean: 1 }, failures: {} });
      const train = await evaluate(environment, { ...options, split: 'train', folder: join(output, 'inspect-train') });
      expect(train.score()).toMatchObject({ scored: 4, success: { mean: 0.5 } });
      await using episode = await environment.open({ env: 'sums', split: 'test', index: 1 });
      expect(episode.prompt).toEqual([
        { role: 'system', text: 'Answer with the number.' },
        { role: 'user', text: 'How much is 3 + 2?' },
      ]);
    } finally {
      await environment.close?.();
    }
  });

  whole('may have tools, which the policy calls as any tool', async () => {
    const environment = await inspect.open([`${join(tasks, 'sums.py')}@with_tool`]);
    try {
      await using episode = await environment.open({ env: 'sums', split: 'test', index: 1 });
      expect(JSON.stringify(episode.prompt)).toContain('Adds two numbers.');
      const called = await episode.step('{"name":"add","arguments":{"a":1,"b":2}}');
      expect(called).toMatchObject({ observation: '3', reward: 0, done: false });
      expect(await episode.step('It is 3')).toMatchObject({ reward: 1, done: true });
    } finally {
      await environment.close?.();
    }
  });

  whole('a scorer that asks a model does not ask the policy: the episode fails with what to do', async () => {
    const environment = await inspect.open([`${join(tasks, 'sums.py')}@graded`]);
    try {
      await using episode = await environment.open({ env: 'sums', split: 'test', index: 1 });
      await expect(Promise.resolve(episode.step('3'))).rejects.toThrow(/give the scorer a model of its own/);
    } finally {
      await environment.close?.();
    }
  });
});

const verifiers = harness('verifiers');
describe.skipIf(verifiers.problem !== undefined)('tasks of verifiers', () => {
  whole('are scored by their own rewards', async () => {
    const environment = await verifiers.open(['vf-sums', '{"taskset": {"count": 5}}']);
    try {
      const folder = join(output, 'verifiers');
      const result = await evaluate(environment, { policies: [clerk], folder });
      expect(result.score()).toMatchObject({ scored: 5, success: { mean: 0.8 }, failures: {} });
    } finally {
      await environment.close?.();
    }
  });

  it('may have several turns', async () => {
    const environment = await verifiers.open(['vf-guesses']);
    try {
      await using episode = await environment.open({ env: 'sums', split: 'test', index: 2 });
      expect(episode.observation).toBe('Guess a number from 1 to 4.');
      expect(await episode.step('1')).toMatchObject({ observation: 'Another one.', reward: 0, done: false });
      expect(await episode.step('3')).toMatchObject({ reward: 1, done: true });
    } finally {
      await environment.close?.();
    }
  });
});
