import { describe, expect, it } from 'vitest';
import { NoiseWatch, halves } from './agreement.ts';
import type { TrainingRow } from './batch-rows.ts';

const rows = (groups: string): { row: TrainingRow }[] => Array.from(groups, (group) => ({ row: { group } as TrainingRow }));
const names = (items: readonly { row: TrainingRow }[]): string => items.map(({ row }) => row.group).join('');

describe('halves of a batch', () => {
  it('keep groups whole and are about equal', () => {
    expect(halves(rows('aaaabbbbcc'))?.map(names)).toEqual(['aaaa', 'bbbbcc']);
    expect(halves(rows('abbbbbb'))?.map(names)).toEqual(['a', 'bbbbbb']);
  });
  it('one group has none', () => expect(halves(rows('aaaa'))).toBeUndefined());
});

describe('agreement', () => {
  const size = { batch: 256, planned: 20_000 };
  it('becomes the noise scale in episodes after enough steps', () => {
    const watch = new NoiseWatch();
    const seen = Array.from({ length: 30 }, (_, i) => watch.note(i % 2 === 0 ? 0.4 : 0.6, size).metrics);
    expect(seen[18]).not.toHaveProperty('train/noise_scale');
    expect(seen[19]?.['train/noise_scale']).toBeCloseTo(128);
    expect(seen[19]?.['train/noise_scale_low']).toBeLessThan(128);
    expect(watch.note(undefined, size).metrics['train/gradient_agreement_mean']).toBeCloseTo(0.5);
    expect(new NoiseWatch().note(undefined, size)).toEqual({ metrics: {} });
  });
  it('warns once, and only where the whole run is smaller than the scale', () => {
    const said = (planned: number, batch: number): string[] => {
      const watch = new NoiseWatch();
      return Array.from(
        { length: 50 },
        (_, i) => watch.note(i % 2 === 0 ? 0.025 : 0.015, { batch, planned }).warning ?? '',
      ).filter((warning) => warning !== '');
    };
    // A cosine of 0.02 is a scale of 49 halves: 6,272 episodes of halves of 128. What learned at this agreement had played more.
    expect(said(20_000, 256)).toEqual([]);
    expect(said(2_000, 256)).toHaveLength(1);
    expect(said(2_000, 256)[0]).toBe(
      'the 2,000 episodes of this run are too few to tell which way to learn (about 6,272 are needed). What may help: docs/training.md#can-this-run-learn',
    );
    expect(said(20_000, 4096)).toHaveLength(1);
    const silent = new NoiseWatch();
    const words = Array.from({ length: 20 }, () => silent.note(-0.01, { batch: 256, planned: 1_000 }).warning).at(-1);
    expect(words).toMatch(/too few to tell which way to learn \(the last 20 steps show no direction at all\)/);
  });
});
