/** What a run cost, from what its folder says. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { RunDirectory } from '../run/run-directory.ts';
import { runFacts } from './cost.ts';

const folder = await mkdtemp(join(tmpdir(), 'agoge-cost-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function runOf(
  name: string,
  steps: readonly Readonly<Record<string, number>>[],
  kind: 'rl' | 'sft' = 'rl',
  config = '',
): Promise<string> {
  const facts = { name, kind, title: '', seed: 1, steps: null, versions: {}, environments: {} } as const;
  const directory = await RunDirectory.create(join(folder, name), config, facts);
  for (const [at, data] of steps.entries()) await directory.metrics.append(at + 1, data);
  await directory.update({ step: steps.length });
  await directory.metrics.finish();
  return directory.path;
}

describe('core-minutes', () => {
  // Ten minutes by the clock beside other work, of which the run had six on its two threads.
  const seconds = [{ 'timing_s/step': 240 }, { 'timing_s/step': 360 }];
  const said = [
    { ...seconds[0], 'perf/processor_minutes': 2.5 },
    { ...seconds[1], 'perf/processor_minutes': 6 },
  ];
  it('are processor time where the run says it', async () => {
    const { cost } = await runFacts(await runOf('said', said), { threads: 2, device: 'host' });
    expect(cost).toMatchObject({ core_minutes: 6, processor_minutes: 6, minutes: 10 });
  });
  it('are the clock times threads for a run that does not', async () => {
    const { cost } = await runFacts(await runOf('older', seconds), { threads: 2, device: 'host' });
    expect(cost).toMatchObject({ core_minutes: 20, minutes: 10 });
    expect(cost.processor_minutes).toBeUndefined();
  });
  it('are the clock for a run that lost count on its way', async () => {
    const path = await runOf('half', [...said, { 'timing_s/step': 60 }]);
    expect((await runFacts(path, { threads: 1, device: 'host' })).cost).toMatchObject({ core_minutes: 11 });
  });
  it('stay the clock on a card, with the processor beside it', async () => {
    const { cost } = await runFacts(await runOf('card', said), { threads: 1, device: 'cuda' });
    expect(cost).toMatchObject({ core_minutes: 10, processor_minutes: 6, minutes: 10 });
  });
});

describe('updates', () => {
  const place = { threads: 1, device: 'host' };
  it('of RL are the optimizer steps that were made: none where nothing differed', async () => {
    const steps = [{ 'actor/optimizer_steps': 4 }, { 'actor/optimizer_steps': 0 }, {}, { 'actor/optimizer_steps': 3 }];
    const path = await runOf('updates', steps, 'rl', 'update: { epochs: 2, minibatches: 2 }');
    expect((await runFacts(path, place)).cost.updates).toBe(7);
  });
  it('of imitation are its steps', async () => {
    const path = await runOf('imitation', [{ 'train/loss': 2 }, { 'train/loss': 1 }], 'sft');
    expect((await runFacts(path, place)).cost.updates).toBe(2);
  });
});

describe('the noise scale of a run', () => {
  const step = (cosine: number): Record<string, number> => ({
    'timing_s/step': 1,
    'train/success': 0.5,
    'train/episodes': 128,
    'train/gradient_agreement': cosine,
  });
  it('is that of its first twenty steps, whatever came later', async () => {
    // Two halves of 64 episodes each: 64 (1 / 0.5 - 1).
    const steps = [...Array<number>(20).fill(0.5), ...Array<number>(10).fill(0.01)].map(step);
    const { noise } = await runFacts(await runOf('noise', steps), { threads: 1, device: 'host' });
    expect(noise).toEqual({ episodes: 64, low: 64, high: 64, steps: 20 });
  });
  it('has no bound where halves point anywhere, and is absent where nothing was measured', async () => {
    const { noise } = await runFacts(await runOf('none', [step(-0.1), step(-0.2)]), { threads: 1, device: 'host' });
    expect(noise).toMatchObject({ episodes: null, steps: 2 });
    const silent = await runFacts(await runOf('silent', [{ 'timing_s/step': 1 }]), { threads: 1, device: 'host' });
    expect(silent.noise).toBeUndefined();
  });
});
