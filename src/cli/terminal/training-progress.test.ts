import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { writeFixtureRun } from '../../../tests/fixture-run.ts';
import { finishRun } from './training-progress.ts';

afterEach(() => vi.restoreAllMocks());

describe('how a run ended, on the terminal', () => {
  // The fixture's run is evaluated before its first step (30 %) and after its fifth.
  it.each([
    [0.1, /best success 0\.100 at step 5, which is not better than 0\.300 before training \(step 0\)/],
    [0.6, /best success 0\.600 at step 5\n/],
  ])('the best checkpoint is not better than its start unless it is: %f', async (skill, says) => {
    const folder = await mkdtemp(join(tmpdir(), 'agoge-ended-'));
    const { path } = await writeFixtureRun(join(folder, 'run'), { steps: 5, groups: 1, samples: 1, skill });
    let said = '';
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((said += String(text)), true));
    const best = { step: 5, score: skill, by: 'success' } as const;
    await finishRun({ status: 'finished', step: 5, saved: 5, directory: path, best, diagnosis: [] }, false, 'train');
    vi.restoreAllMocks();
    expect(said).toMatch(says);
    await rm(folder, { recursive: true, force: true });
  });
});
