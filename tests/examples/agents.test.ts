/** An agent written with the Vercel AI SDK plays as an environment: its calls are turns, its end is the reward. */
import { describe, expect, it } from 'vitest';
import { datumOf } from '../../src/agent/datum.ts';
import { playEpisode } from '../../src/agent/episode.ts';
import { createFormat } from '../../src/agent/formats/index.ts';
import { openPolicy } from '../../src/agent/open-policy.ts';
import type { Environment, Episode } from '../../src/envs/environment.ts';

// The example imports `agoge`, which is the built package.
const example = new URL('../../examples/own-agent.ts', import.meta.url).href;
const { default: librarian } = (await import(example)) as { default: Environment };

const task = { env: 'librarian', split: 'test', index: 4 };
const look = (box: string): string => JSON.stringify({ name: 'look', arguments: { box } });

async function opened(): Promise<{ episode: Episode; box: string }> {
  const episode = await librarian.open(task);
  return { episode, box: /the (\w+) box/.exec(episode.observation)?.[1] ?? '' };
}

describe('an AI SDK agent with a tool', () => {
  it('opens with its own prompt and tools, and is told what its tool found', async () => {
    const { episode, box } = await opened();
    await using _ = episode;
    expect(episode.prompt?.[0]).toMatchObject({ role: 'system', text: expect.stringContaining('"name":"look"') as string });
    expect(episode.prompt?.[1]).toEqual({ role: 'user', text: `What is in the ${box} box?` });
    const found = await episode.step(look(box));
    expect(found).toMatchObject({ reward: 0, done: false, observation: expect.stringMatching(/^[a-z]+$/) as string });
    expect(await episode.step(found.observation)).toMatchObject({ reward: 1, done: true });
    expect(await episode.step('again')).toMatchObject({ reward: 0, done: true });
  });

  it('is worth 0 where the policy answers wrongly, and goes on where it calls a tool wrongly', async () => {
    const wrong = await opened();
    await using _ = wrong.episode;
    expect(await wrong.episode.step('I do not know')).toMatchObject({ reward: 0, done: true });
    const astray = await opened();
    await using __ = astray.episode;
    expect(await astray.episode.step('{"name":"look","arguments":{"bax":1}}')).toMatchObject({ done: false });
  });

  it('is solved by its expert, and lets go of an agent that is left alone', async () => {
    const { episode } = await opened();
    const expert = librarian.expert?.(task);
    let shown = episode.observation;
    let earned = 0;
    for (let turn = 0; turn < 2; turn++) {
      const step = await episode.step(expert?.next(shown) ?? '');
      shown = step.observation;
      earned += step.reward;
    }
    expect(earned).toBe(1);
    const left = await opened();
    await left.episode[Symbol.asyncDispose]();
    await expect(Promise.resolve(left.episode.step('x'))).rejects.toThrow(/open another episode/);
  });

  it('is played by the embedded engine, which keeps the tokens and their log-probabilities', async () => {
    await using policy = await openPolicy('base');
    const limits = { turns: 3, tokensPerTurn: 16 };
    const format = createFormat('direct');
    const trajectory = await playEpisode({ environment: librarian, task, policy, format, limits, seed: 1 });
    expect(trajectory.outcome.kind).not.toBe('failed');
    const datum = datumOf(trajectory);
    const sampled = Array.from(datum?.mask ?? []).filter((one) => one !== 0).length;
    expect(sampled).toBeGreaterThan(0);
    expect(datum?.logprobs.filter((one) => one !== 0).length).toBe(sampled);
  });
});
