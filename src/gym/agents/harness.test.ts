import { describe, expect, it } from 'vitest';
import { defineHarness } from './harness.ts';

/** A harness in a few lines: it asks the model for a word, and pays for "yes"; task 1 breaks, and task 2 is never answered. */
const program = `
  import { createInterface } from 'node:readline';
  console.log(JSON.stringify({ tasks: 3 }));
  createInterface({ input: process.stdin }).on('line', async (line) => {
    const { id, index, url } = JSON.parse(line);
    const body = JSON.stringify({ model: 'policy', messages: [{ role: 'user', content: 'Task ' + index }] });
    const answer = await (await fetch(url + '/chat/completions', { method: 'POST', body })).json();
    const word = answer.choices?.[0].message.content;
    if (index === 2) process.exit(4);
    console.log(JSON.stringify(index === 1 ? { id, error: 'no such book' } : { id, reward: Number(word === 'yes'), success: word === 'yes' }));
  });
`;
const start = (args: readonly string[], more: object = {}) =>
  defineHarness({ name: 'words', command: process.execPath, args, ...more });
const open = (more: object = {}) => start(['--input-type=module', '-e', program], more);
const task = (index: number) => ({ env: 'words', split: 'test', index });

describe('a harness in a process of its own', () => {
  it('is asked task by task, several at once; its model calls are turns, its score is the reward', async () => {
    const environment = await open();
    try {
      expect(environment.tasks('test').size).toBe(3);
      await using first = await environment.open(task(0));
      await using second = await environment.open(task(0));
      expect(first.observation).toBe('Task 0');
      expect(await second.step('no')).toMatchObject({ reward: 0, success: false, done: true });
      expect(await first.step('yes')).toMatchObject({ reward: 1, success: true, done: true });
    } finally {
      await environment.close?.();
    }
    await expect(Promise.resolve(environment.open(task(0)))).rejects.toMatchObject({ code: 'ENV_HARNESS' });
  });

  it('splits its tasks as it is told', async () => {
    const environment = await open({ splits: { train: [0, 1], test: [1, 3] } });
    try {
      await using episode = await environment.open(task(0));
      expect(episode.observation).toBe('Task 1');
    } finally {
      await environment.close?.();
    }
    await expect(open({ splits: { test: [0, 4] } })).rejects.toThrow(/words has 3 tasks/);
  });

  it('fails an episode with what the harness said, and all of them where it ends', async () => {
    const environment = await open();
    try {
      await using broken = await environment.open(task(1));
      await expect(Promise.resolve(broken.step('yes'))).rejects.toThrow(/no such book/);
      await using last = await environment.open(task(2));
      await expect(Promise.resolve(last.step('yes'))).rejects.toThrow(/ended with 4/);
    } finally {
      await environment.close?.();
    }
  });

  it('names a program that cannot be started, ends early, or speaks of something else', async () => {
    await expect(defineHarness({ name: 'words', command: 'no-such-program' })).rejects.toThrow(/cannot be started/);
    await expect(start(['-e', 'console.error("no data"); process.exit(3)'])).rejects.toThrow(/ended with 3/);
    await expect(start(['-e', 'console.log("hello"); setInterval(() => {}, 1000)'])).rejects.toThrow(/said "hello"/);
  });
});
