import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeFixtureRun } from '../../../tests/fixture-run.ts';
import { layout } from '../../run/layout.ts';
import { RunLibrary } from './library.ts';
import { secondsLeft } from './summary.ts';

let root: string;
let library: RunLibrary;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'agoge-summary-'));
  await writeFixtureRun(join(root, 'deep/run'), { steps: 2, groups: 1, samples: 2 });
  library = new RunLibrary(root);
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function withMetrics(rows: readonly object[], evaluations: readonly object[] = []) {
  const lines = (list: readonly object[]): string => list.map((row) => `${JSON.stringify(row)}\n`).join('');
  await writeFile(join(root, 'deep/run', layout.metrics), lines(rows));
  await writeFile(join(root, 'deep/run', layout.evaluations), lines(evaluations));
  const [row] = await library.list();
  if (!row) throw new Error('no row');
  return row;
}

describe('a row of the list', () => {
  it('is that of a run of before diagnoses as well, and has those of one that has some', async () => {
    const info = { kind: 'rl', status: 'finished', title: 'grpo', steps: 6 };
    const write = (more: object): Promise<void> =>
      writeFile(join(root, 'deep/run', layout.info), JSON.stringify({ ...info, ...more }));
    await withMetrics([]);
    await write({});
    expect((await library.list())[0]).toMatchObject({ status: 'finished', steps: 6, diagnosis: [], problems: [] });
    await write({ diagnosis: [{ kind: 'no-signal', steps: 7 }, { kind: 'unheard of' }] });
    const [row] = await library.list();
    expect(row?.diagnosis).toMatchObject([{ kind: 'no-signal', says: expect.stringContaining('last 7 steps') as string }]);
    await rm(join(root, 'deep/run', layout.info));
  });

  it('says in facts what is wrong with a run', async () => {
    const data = {
      'train/success': 0.25,
      'train/groups_with_signal': 0,
      'train/context_limit': 0.5,
      'train/unreadable_replies': 0.1,
      'train/failures/policy': 2,
    };
    const rows = [1, 2, 3, 4].map((step) => ({ step, time: '', data }));
    const { warnings, step, sparkline, success, id } = await withMetrics(rows);
    expect(id).toBe('deep/run');
    expect(warnings).toEqual([
      { kind: 'no-signal', steps: 4 },
      { kind: 'context', share: 0.5 },
      { kind: 'unreadable', share: 0.1 },
      { kind: 'failed-episodes', count: 8, by: 'policy' },
    ]);
    expect({ step, success, sparkline }).toEqual({ step: 4, success: 0.25, sparkline: [0.25, 0.25, 0.25, 0.25] });
  });

  it('never forgets the evaluation before training: it may be the best', async () => {
    const evaluation = (step: number, success: number): object => ({
      step,
      panel: 'textcraft/test',
      n: 60,
      success,
      low: success,
      high: success,
    });
    const evaluations = [evaluation(0, 0.5), evaluation(5, 0.4), evaluation(10, 0.3)];
    const { scores, warnings } = await withMetrics([{ step: 10, 'train/success': 0.9 }], evaluations);
    expect(scores.map(({ step, success }) => [step, success])).toEqual([
      [0, 0.5],
      [10, 0.3],
    ]);
    expect(warnings).toEqual([{ kind: 'no-better', best: 0.5 }]);
    const { steps, columns } = await library.metrics('deep/run');
    expect(steps).toEqual([0, 5, 10]);
    expect(columns['val-core/textcraft/test/success/mean@1']).toEqual([0.5, 0.4, 0.3]);
  });

  it('shows what is whole of metrics that are being written, in either form', async () => {
    const path = join(root, 'deep/run', layout.metrics);
    await writeFile(path, '{"step":1,"train/success":0.5}\n{"step":2,"train/success":0.75}\n{"step":3,"train/suc');
    const [row] = await library.list();
    expect([row?.step, row?.sparkline]).toEqual([2, [0.5, 0.75]]);
  });

  it('keeps what every start has logged', async () => {
    await writeFile(join(root, 'deep/run', layout.logs, 'train_20200101_000000.log'), 'the first start\n');
    const log = await library.log('deep/run');
    expect(log).toMatch(/^── train_20200101_000000\.log ──\nthe first start\n/);
    expect(log).toContain('step 2 reward');
  });
});

it('tells the time that is left by the pace of the last steps, or by the clock', () => {
  expect(secondsLeft([1, 2], [10, 10], 5, NaN)).toBe(30);
  expect(secondsLeft([1, 2], [10, 10], 1000, 1)).toBe(40);
  expect(secondsLeft([], [], 5, NaN)).toBeUndefined();
});
