import { describe, expect, it } from 'vitest';
import { taskMatrix } from './task-matrix.ts';

describe('the matrix of tasks', () => {
  const episode = (task: string, policy: string, outcome: 'success' | 'finished' | 'failed', step = 0) => ({
    task,
    category: 'c',
    policy,
    step,
    outcome,
    place: { purpose: 'eval', step, row: 0 } as never,
  });
  it('has a row for each task in order of its number, a column for each policy, and no zero for a failure', () => {
    const { columns, rows, left } = taskMatrix([
      episode('t#10', 'b', 'success'),
      episode('t#2', 'a', 'success'),
      episode('t#2', 'a', 'finished'),
      episode('t#2', 'b', 'failed'),
    ]);
    expect(columns).toEqual([{ policy: 'a' }, { policy: 'b' }]);
    expect(rows.map(({ task, cells }) => [task, cells.map((cell) => cell && [cell.success, cell.n])])).toEqual([
      ['t#2', [[0.5, 2], null]],
      ['t#10', [null, [1, 1]]],
    ]);
    expect(left).toBe(0);
  });
  it('of a run that was evaluated on its way has its steps as columns', () => {
    const { columns } = taskMatrix([
      episode('t#1', 'p', 'success', 20),
      episode('t#1', 'p', 'finished', 0),
      episode('t#1', 'p', 'success', 100),
    ]);
    expect(columns).toEqual([{ step: 0 }, { step: 20 }, { step: 100 }]);
  });
  it('is no picture beyond a thousand rows: the rest is counted', () => {
    const { rows, left } = taskMatrix(Array.from({ length: 1003 }, (_, i) => episode(`t#${i}`, 'p', 'success')));
    expect([rows.length, left, rows.at(-1)?.task]).toEqual([1000, 3, 't#999']);
  });
});
