import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { rlRecipe } from '../../config/recipe/recipe.ts';
import type { Engine, Sample, SampleRequest } from '../../engine/engine.ts';
import { stepName } from '../../run/layout.ts';
import { readMetrics } from '../../run/metrics-log.ts';
import { runCorridor } from '../fixtures/corridor-run.fixture.ts';
import { corridorWords } from '../fixtures/corridor.fixture.ts';
import { checkFollowers } from './followers.ts';
import { TabularEngine } from '../fixtures/tabular-engine.fixture.ts';

const folder = await mkdtemp(join(tmpdir(), 'agoge-following-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const fresh = (): TabularEngine => new TabularEngine({ words: corridorWords, seed: 1 });

const at = (path: string, step: number, part = ''): string => join(path, 'checkpoints', stepName(step), part);
const file = (path: string, step: number, part = ''): Promise<string> =>
  readFile(join(at(path, step, part), 'model.json'), 'utf8');

/** Weights alone, by context. */
async function weights(path: string, step: number, part = ''): Promise<Map<string, number[]>> {
  const { cells } = JSON.parse(await file(path, step, part)) as { cells: [string, number[]][] };
  return new Map(cells.map(([key, own]) => [key, own]));
}

function expectEqual(one: Map<string, number[]>, other: Map<string, number[]>): void {
  const shared = [...one].filter(([key]) => other.has(key));
  expect(shared.length).toBeGreaterThan(3);
  for (const [key, own] of shared) other.get(key)?.forEach((value, i) => expect(value).toBeCloseTo(own[i] ?? NaN, 12));
}

describe('averaged weights', () => {
  const recipe = {
    steps: 8,
    evaluate: { average: { decay: 0.5 }, every: 4, samples: 2 },
    checkpoint: { every: 1, keep: 100 },
  };

  it('are the mean of the first steps, then fade, and evaluations play them', async () => {
    let asked = 0;
    class Counting extends TabularEngine {
      override sample(request: SampleRequest): Promise<Sample> {
        asked++;
        return super.sample(request);
      }
    }
    const average = (): TabularEngine => new Counting({ words: corridorWords, seed: 1 });
    const { path } = await runCorridor(folder, { run: 'average', ...recipe }, { average });
    expect(asked).toBeGreaterThanOrEqual(2 * 8 * 2); // two evaluations of eight tasks, two samples each
    const mean = fresh();
    for (let step = 1; step <= 8; step++) {
      const policy = fresh();
      await policy.load(at(path, step));
      await mean.mix(policy, Math.max(0.5, 1 / step));
      await mean.save(join(folder, 'mean', 'checkpoints', stepName(step)));
      expectEqual(await weights(path, step, 'average'), await weights(join(folder, 'mean'), step));
    }
    expect(await file(path, 8, 'average')).not.toBe(await file(path, 8));
  });

  it('go on bit for bit after a resume', async () => {
    const whole = await runCorridor(folder, { run: 'whole', ...recipe });
    const cut = await runCorridor(folder, { run: 'cut', ...recipe }, { cutAfter: 3 });
    expect(await file(cut.path, 8, 'average')).toBe(await file(whole.path, 8, 'average'));
    expect(cut.engine.text()).toBe(whole.engine.text());
  });

  it('are refused where an engine does not show its weights', () => {
    const wire = Object.assign(fresh(), { mix: undefined }) as unknown as Engine;
    const given = rlRecipe({ run: 'x', tasks: [{ env: 'textcraft' }], evaluate: { average: {} } });
    expect(() => checkFollowers(given, { engine: wire })).toThrow(expect.objectContaining({ code: 'TRAIN_NO_AVERAGE' }));
    expect(() => checkFollowers(given, { engine: fresh() })).not.toThrow();
  });
});

describe('a reference that is renewed', () => {
  const recipe = {
    steps: 7,
    algorithm: { kl: { coefficient: 0.1 }, renew: { every: 3 } },
    checkpoint: { every: 1, keep: 100 },
  };

  it('stays, becomes the policy, stays', async () => {
    const { path } = await runCorridor(folder, { run: 'renew', ...recipe });
    expectEqual(await weights(path, 1, 'reference'), await weights(path, 2, 'reference'));
    expectEqual(await weights(path, 3), await weights(path, 3, 'reference'));
    expectEqual(await weights(path, 3), await weights(path, 5, 'reference'));
    const data = (await readMetrics(path)).map((line) => line.data);
    expect(data.map((one) => one['actor/reference_step'])).toEqual([0, 0, 3, 3, 3, 6, 6]);
    // The step after a renewal begins where the reference stands.
    expect(data[3]?.['actor/kl_to_reference']).toBeCloseTo(0, 6);
    expect(data[2]?.['actor/kl_to_reference']).toBeGreaterThan(1e-4);
  });

  it('is the same one after a resume', async () => {
    const whole = await runCorridor(folder, { run: 'renew-whole', ...recipe });
    const cut = await runCorridor(folder, { run: 'renew-cut', ...recipe }, { cutAfter: 4 });
    expect(cut.engine.text()).toBe(whole.engine.text());
  });
});
