/** What an agent's program may do, and what becomes of it. With an SDK: tests/examples/agents.test.ts. */
import { describe, expect, it } from 'vitest';
import { defineAgent } from './agent-environment.ts';

describe('agents that do not keep to it', () => {
  const bare = (run: Parameters<typeof defineAgent>[0]['run']) => defineAgent({ name: 'bare', splits: { test: 1 }, run });
  const only = { env: 'bare', split: 'test', index: 0 };

  it('one that never asks, one that breaks', async () => {
    await expect(Promise.resolve(bare(async () => 1).open(only))).rejects.toMatchObject({ code: 'ENV_AGENT_FAILED' });
    const broken = bare(() => Promise.reject(new Error('no disk')));
    await expect(Promise.resolve(broken.open(only))).rejects.toThrow(/the agent failed at bare\/test#0 .*no disk/);
    await expect(Promise.resolve(broken.open({ ...only, index: 7 }))).rejects.toMatchObject({ code: 'ENV_UNKNOWN_TASK' });
  });

  it('a call that begins anew is shown whole; streams are answered as streams', async () => {
    const agent = bare(async (_task, { baseURL }) => {
      const ask = (content: string, stream: boolean) =>
        fetch(`${baseURL}/chat/completions`, {
          method: 'POST',
          body: JSON.stringify({ messages: [{ role: 'user', content }], stream }),
        });
      await (await ask('one', false)).json();
      return (await (await ask('two', true)).text()).includes('"content":"second"') ? 1 : 0;
    });
    await using episode = await agent.open(only);
    expect(episode.observation).toBe('one');
    expect(await episode.step('first')).toMatchObject({ observation: 'two', done: false });
    expect(await episode.step('second')).toMatchObject({ reward: 1, done: true });
  });

  it('the address that it calls leaves idle connections to the agent', async () => {
    // A limit of the server's own would be told in this header. It once ran out while the policy held the event loop, and the agent's next
    // call went into a connection that was being closed.
    const hints: (string | null)[] = [];
    const agent = bare(async (_task, { baseURL }) => {
      const body = JSON.stringify({ messages: [{ role: 'user', content: 'one' }] });
      hints.push((await fetch(`${baseURL}/chat/completions`, { method: 'POST', body })).headers.get('keep-alive'));
      return 1;
    });
    await using episode = await agent.open(only);
    expect(await episode.step('first')).toMatchObject({ reward: 1, done: true });
    expect(hints).toEqual([null]);
  });
});
