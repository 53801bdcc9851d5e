/** What a run cost, from what its folder says. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { RunDirectory } from '../run/run-directory.ts';
import { runFacts } from './cost.ts';

const folder = await mkdtemp(join(tmpdir(), 'agoge-cost-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function runOf(name: string, steps: readonly Readonly<Record<string, number>>[]): Promise<string> {
  const facts = { name, kind: 'rl', title: '', seed: 1, steps: null, versions: {}, environments: {} } as const;
  const directory = await RunDirectory.create(join(folder, name), '', facts);
  for (const [at, data] of steps.entries()) await directory.metrics.append(at + 1, data);
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
