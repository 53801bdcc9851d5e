import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { EpisodeIndex, indexed, type EpisodeFilter, type IndexedEpisode } from './episode-index.ts';
import type { EpisodeRecord } from './episode-record.ts';
import { layout } from './layout.ts';

const folder = await mkdtemp(join(tmpdir(), 'agoge-index-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const one = (given: Partial<IndexedEpisode> = {}): IndexedEpisode => ({
  purpose: 'train',
  step: 1,
  row: 0,
  task: 'textcraft/fit#1',
  category: 'depth 1',
  sample: 0,
  policy: 'base',
  outcome: 'success',
  reward: 1,
  turns: 3,
  tokens: 40,
  ...given,
});

it.each<[EpisodeRecord['outcome'], Partial<IndexedEpisode>]>([
  [
    { kind: 'finished', reward: 1, success: true },
    { outcome: 'success', reward: 1 },
  ],
  [
    { kind: 'finished', reward: 0.5, success: false },
    { outcome: 'finished', reward: 0.5 },
  ],
  [
    { kind: 'truncated', reward: 0.2, limit: 'turns' },
    { outcome: 'truncated', reward: 0.2 },
  ],
  [
    { kind: 'failed', by: 'environment', error: { code: 'GYM_HTTP', message: 'gone' } },
    { outcome: 'failed', reward: null },
  ],
])('an episode that ended as %j is listed so', (outcome, want) => {
  const segments = [
    { role: 'user', text: 'Goal', tokens: [5, 6] },
    { role: 'assistant', text: 'look', tokens: [7] },
  ];
  const record = { task: 'textcraft/fit#1', category: 'depth 1', sample: 2, policy: 'base', turns: [{}], segments, outcome };
  const { task, category, policy } = one();
  expect(indexed(record as unknown as EpisodeRecord, 3, 4, 'eval')).toEqual({
    ...{ purpose: 'eval', step: 3, row: 4, task, category, sample: 2, policy, turns: 1, tokens: 3 },
    ...want,
  });
});

describe('episodes in memory', () => {
  const index = new EpisodeIndex();
  const all = [
    one(),
    one({ step: 2, task: 'textcraft/fit#17', outcome: 'finished', reward: 0 }),
    one({ step: 2, task: 'textcraft/fit#2', outcome: 'failed', reward: null, category: 'depth 2' }),
    one({ step: 3, task: 'babyai/train#1', outcome: 'truncated', reward: -0.5, policy: 'other', purpose: 'eval' }),
  ];
  for (const each of all) index.add(each);

  it('come back as they went in', () => expect(all.map((_, i) => index.at(i))).toEqual(all));

  it.each<[EpisodeFilter, number[]]>([
    [{}, [3, 2, 1, 0]],
    [{ step: 2 }, [2, 1]],
    [{ step: 0 }, []],
    [{ task: 'textcraft' }, [2, 1, 0]],
    [{ task: 'textcraft/fit' }, [2, 1, 0]],
    // #1 is not #17.
    [{ task: 'textcraft/fit#1' }, [0]],
    [{ task: 'none' }, []],
    [{ category: 'depth 2' }, [2]],
    [{ category: 'none' }, []],
    [{ policy: 'other' }, [3]],
    [{ purpose: 'eval' }, [3]],
    [{ outcome: 'failed' }, [2]],
    // What failed has no reward, and is neither above nor below any.
    [{ minReward: -1 }, [3, 1, 0]],
    [{ maxReward: 0 }, [3, 1]],
    [{ minReward: 0, maxReward: 0 }, [1]],
    [{ step: 2, outcome: 'finished', task: 'textcraft' }, [1]],
  ])('%j', (filter, want) => expect(index.select(filter)).toEqual(want));

  it('say which steps and categories there are', () => {
    expect([index.steps, index.categories]).toEqual([
      [1, 2, 3],
      ['depth 1', 'depth 2'],
    ]);
  });

  it('grow beyond their first room', () => {
    const many = new EpisodeIndex();
    for (let i = 0; i < 3000; i++) many.add(one({ row: i, task: `textcraft/fit#${i % 7}` }));
    expect([many.size, many.at(2999).row, many.select({ task: 'textcraft/fit#3' }).length]).toEqual([3000, 2999, 429]);
  });
});

describe('the index of a run', () => {
  it('takes objects and the arrays of older runs; torn and foreign lines cost themselves alone', async () => {
    const path = join(folder, layout.episodeIndex);
    await mkdir(join(folder, layout.episodes), { recursive: true });
    const older = [2, 0, 'textcraft/fit#2', 'depth 1', 0, 'base', 'finished', 0, 3, 40];
    const lines = [JSON.stringify(one()), '{"step":1,"ta', 'null', '[]', '5', '{"step":"1","task":"x"}', JSON.stringify(older)];
    const torn = JSON.stringify(one({ step: 3 }));
    await writeFile(path, `${lines.join('\n')}\n${torn.slice(0, 20)}`);
    const index = new EpisodeIndex();
    await index.catchUp(folder);
    expect([index.size, index.at(1)]).toEqual([2, one({ step: 2, task: 'textcraft/fit#2', outcome: 'finished', reward: 0 })]);
    // The torn last line is completed later, and given once.
    await appendFile(path, `${torn.slice(20)}\n`);
    await index.catchUp(folder);
    await index.catchUp(folder);
    expect([index.size, index.steps]).toEqual([3, [1, 2, 3]]);
  });

  it('a file that became shorter is a resumed run: read from its start', async () => {
    const path = join(folder, layout.episodeIndex);
    const write = (steps: number[]): Promise<void> =>
      writeFile(path, steps.map((step) => `${JSON.stringify(one({ step }))}\n`).join(''));
    const index = new EpisodeIndex();
    await write([1, 2, 3, 4]);
    await index.catchUp(folder);
    await write([1, 2]);
    await index.catchUp(folder);
    expect([index.size, index.steps]).toEqual([2, [1, 2]]);
  });

  it('a run without one has no episodes', async () => {
    const index = new EpisodeIndex();
    await index.catchUp(join(folder, 'nowhere'));
    expect([index.size, index.select({})]).toEqual([0, []]);
  });
});
