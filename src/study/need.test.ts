/** How many episodes learning took, on curves whose answer is known. */
import { describe, expect, it } from 'vitest';
import { learningText } from './learning-text.ts';
import { foretold, learningRun, neededEpisodes, type LearningRow } from './need.ts';
import type { CurvePoint, StudyFacts } from './results.ts';

const curve = (values: readonly number[]): CurvePoint[] => values.map((value, i) => [i + 1, i, value]);
const needed = (training: readonly number[], validation: readonly CurvePoint[] = []): number =>
  neededEpisodes({ training: curve(training), validation }, 100, 0.8);

describe('neededEpisodes', () => {
  it('is where the mean of five points gets there, not one lucky batch', () => {
    const values = [0.5, 1, 0.5, 0.6, 0.6, 0.8, 0.8, 0.8, 0.8, 0.8, 0.9];
    expect(needed(values, [[5, 1, 0.9]])).toBe(1000);
  });
  it('has no end where it never does, and none is told of a curve that is too short', () => {
    expect(needed([0.5, 0.5, 0.5, 0.5, 0.5], [[5, 1, 0.7]])).toBe(Infinity);
    expect(needed([1, 1, 1])).toBe(Infinity);
  });
  it('is the validation of a run that ended with it, before training had its mean', () => {
    const validation: CurvePoint[] = [0.5, 0.95, 0.97].map((success, i) => [4 * i, i, success]);
    expect(needed([0.5, 0.6, 0.7, 0.8, 0.9, 0.9, 0.6, 0.7], validation)).toBe(400);
  });
});

describe('learningRun', () => {
  const run = { training: curve([1, 1, 1, 1, 1]), validation: [], step: 5, episodes: 640 };
  it('counts in episodes, and takes a scale without bound as the largest', () => {
    const noise = { episodes: null, low: 40, high: null, steps: 20 };
    expect(learningRun(3, { ...run, noise }, 0.8)).toEqual({ seed: 3, played: 640, needed: 640, noise: Infinity });
  });
  it('needs a threshold for that, and episodes: imitation plays none', () => {
    expect(learningRun(1, run, undefined)).toEqual({ seed: 1, played: 640 });
    expect(learningRun(1, { ...run, training: [] }, 0.8)).toBeUndefined();
  });
});

describe('foretold', () => {
  const row = (arm: string, noise: number, needed: number): LearningRow => ({
    environment: 'relay',
    arm,
    runs: [1, 2, 3].map((seed) => ({ seed, played: 9000, needed: needed + seed, noise: noise + seed })),
  });
  it('orders runs by their noise scale and says over how many arms', () => {
    const rows = [row('a', 100, 1000), row('b', 300, 3000), row('c', 900, 8000), row('d', 950, 8100), row('e', 990, 8200)];
    expect(foretold(rows, [])).toMatchObject([{ by: 'noise scale', n: 15, cells: 5, correlation: 1 }]);
    expect(foretold(rows.slice(0, 4), [])).toEqual([]);
    const gained = rows.map(({ environment, arm }, i) => ({ environment, arm, gain: { mean: 1 - i / 10 } }));
    expect(foretold(rows, gained).slice(1)).toMatchObject([{ by: 'noise scale', what: 'gain', n: 5, cells: 5, correlation: -1 }]);
    const study = { threshold: 0.8 } as StudyFacts;
    const text = learningText({
      study,
      panels: [],
      madeOn: [],
      learning: [...rows, { environment: 'relay', arm: 'never', runs: [{ seed: 1, played: 9000, needed: Infinity }] }],
      foretold: foretold(rows, []),
      runs: { finished: 15, failed: 0, planned: 15 },
    }).join('\n');
    expect(text).toContain('## Episodes until 0.800 in training');
    expect(text).toContain('| relay | a | 3/3 | 1002 (1001, 1002, 1003) | 102 (101, 102, 103) |');
    expect(text).toContain('| relay | never | 0/1 | ∞ (∞) | – |');
    expect(text).toMatch(/\| noise scale \| episodes to the threshold \| all \| 15 \| 5 \| \+1\.000 \[/);
  });
  it('says what holds within an environment, which may be another thing than over all', () => {
    const falling = (noise: number, needed: number): LearningRow[] =>
      [0, 1, 2, 3, 4].map((i) => row(`arm-${i}`, noise + 100 * i, needed - 100 * i));
    const easy = falling(100, 1000);
    const hard = falling(700, 9000).map((one) => ({ ...one, environment: 'hard' }));
    const [all, ...each] = foretold([...easy, ...hard], []);
    expect(all).not.toHaveProperty('environment');
    expect(all?.correlation).toBeGreaterThan(0);
    expect(each.map(({ environment, cells }) => [environment, cells])).toEqual([
      ['relay', 5],
      ['hard', 5],
    ]);
    for (const { correlation } of each) expect(correlation).toBeLessThan(-0.7);
  });
});
