import { describe, expect, it } from 'vitest';
import { failedEpisodes, formatWarnings, noBetter, shares, trainingWarnings } from './warnings.ts';

const kinds = (metrics: Readonly<Record<string, readonly number[]>>): string[] =>
  trainingWarnings((name) => metrics[name] ?? [], {}).map(({ kind }) => kind);

describe('warnings about a run', () => {
  it('say when a run has played fewer episodes than the noise scale of its gradient', () => {
    const scale = { 'train/noise_scale_low': [9_000, 8_000] };
    expect(kinds({ ...scale, 'train/episodes_so_far': [100, 5_000] })).toEqual(['noise']);
    expect(kinds({ ...scale, 'train/episodes_so_far': [100, 8_500] })).toEqual([]);
    expect(kinds({ 'train/episodes_so_far': [100, 200] })).toEqual([]);
  });
});

describe('what is worth a word', () => {
  const metrics = (given: Record<string, number[]>) => (name: string) => given[name] ?? [];
  it.each<[number[], number | undefined]>([
    [[0, 0, 0], 3],
    [[0.5, 0, 0, 0, 0], 4],
    [[0.5, 0, 0], undefined],
    [[0, 0, 0, 0.1], undefined],
    [[], undefined],
  ])('no signal in %j: %s steps', (signal, steps) => {
    const found = trainingWarnings(metrics({ 'train/groups_with_signal': signal }), {});
    expect(found).toEqual(steps === undefined ? [] : [{ kind: 'no-signal', steps }]);
  });
  it('looks at the last ten steps of contexts and replies', () => {
    const old = Array<number>(10).fill(1);
    const clean = Array<number>(10).fill(0);
    expect(trainingWarnings(metrics({ 'train/context_limit': [...old, ...clean] }), {})).toEqual([]);
    expect(trainingWarnings(metrics({ 'train/unreadable_replies': [...clean, ...old] }), {})).toEqual([
      { kind: 'unreadable', share: 1 },
    ]);
  });
  it('shares up to a twentieth are not worth a word', () => {
    expect(shares(0.05, 0.05)).toEqual([]);
    expect(shares(undefined, 0.051)).toEqual([{ kind: 'unreadable', share: 0.051 }]);
  });
  it('failures are counted together and named by the commonest', () => {
    expect(failedEpisodes({ policy: 2, environment: 5, deadline: 0 })).toEqual([
      { kind: 'failed-episodes', count: 7, by: 'environment' },
    ]);
    expect(failedEpisodes({ policy: 0 })).toEqual([]);
  });
  it('a best score before the first step', () => {
    const score = (step: number, success: number) => ({ name: 'x', step, success });
    expect(noBetter([score(0, 0.5), score(10, 0.5)] as never)).toEqual([{ kind: 'no-better', best: 0.5 }]);
    expect(noBetter([score(0, 0.5), score(10, 0.6)] as never)).toEqual([]);
    expect(noBetter([score(0, 0.5)] as never)).toEqual([]);
    expect(noBetter([score(5, 0.5), score(10, 0.1)] as never)).toEqual([]);
  });
  it('gaps of formats, whatever stands in the file', () => {
    expect(formatWarnings([{ asked: 'react', found: null, where: 'a.json' }])).toEqual([
      { kind: 'format', asked: 'react', found: null, where: 'a.json' },
    ]);
    for (const none of [undefined, null, 'x', [1], [{ asked: 1 }]]) expect(formatWarnings(none)).toEqual([]);
  });
});
