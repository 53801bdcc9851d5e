import { describe, expect, it } from 'vitest';
import { differing, settingsOf } from './settings.ts';

describe('where recipes differ', () => {
  it('by dotted keys; the name of the run says nothing', () => {
    const [a, b] = [
      'run: a\nrollout: { groups: 8, samples: 4 }\ntags: []\n',
      'run: b\nrollout: { groups: 16, samples: 4 }\nseed: 2\n',
    ].map(settingsOf);
    if (!a || !b) throw new Error('two recipes');
    expect([...a]).toEqual([
      ['run', 'a'],
      ['rollout.groups', '8'],
      ['rollout.samples', '4'],
      ['tags', '[]'],
    ]);
    expect(differing([a, b])).toEqual([
      { key: 'rollout.groups', values: ['8', '16'] },
      { key: 'tags', values: ['[]', null] },
      { key: 'seed', values: [null, '2'] },
    ]);
    expect(differing([a, a])).toEqual([]);
  });
  it.each(['', ': :', '{', 'a: &x [1]\nb: [*x, *x]\n'])('%j has no settings, or says nothing wrong', (text) => {
    expect(settingsOf(text).size).toBeLessThanOrEqual(1);
  });
});
