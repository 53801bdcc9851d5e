import { describe, expect, it } from 'vitest';
import { cellName, cellsOf, sweepRows, sweepTable, type SweptRun } from './sweep.ts';

describe('the grid of a sweep', () => {
  it('is every combination; commas in brackets belong to their value', () => {
    expect(cellsOf(['optimizer.lr=1e-4,3e-4', 'agent.max_turns=20,[10,20]'])).toEqual([
      { 'optimizer.lr': '1e-4', 'agent.max_turns': '20' },
      { 'optimizer.lr': '1e-4', 'agent.max_turns': '[10,20]' },
      { 'optimizer.lr': '3e-4', 'agent.max_turns': '20' },
      { 'optimizer.lr': '3e-4', 'agent.max_turns': '[10,20]' },
    ]);
  });
  it.each([['lr'], ['=1,2'], ['lr=']])('refuses %j', (over) => expect(() => cellsOf([over])).toThrow(/--over/));
  it('refuses a key twice', () => expect(() => cellsOf(['a=1', 'a=2'])).toThrow(/swept twice/));
  it('refuses a value twice, which would count one run as two', () => {
    expect(() => cellsOf(['a=1,2', 'seed=1,1'])).toThrow(/two points of the grid are one run, a=1_seed=1: give each value once/);
    expect(() => cellsOf(['policy=hf:/x/y,hf:/x:y'])).toThrow(/one run/);
  });
  it('names folders that can be', () => {
    expect(cellName({ 'optimizer.lr': '1e-4', policy: 'hf:/x/y' })).toBe('optimizer.lr=1e-4_policy=hf__x_y');
  });
});

describe('the table of a sweep', () => {
  const run = (lr: string, seed: string, success?: number): SweptRun => ({
    cell: { lr, seed },
    path: '',
    status: success === undefined ? 'failed' : 'finished',
    step: 1,
    ...(success === undefined ? {} : { success, n: 40 }),
  });
  const rows = sweepRows([run('1', '1', 0.5), run('1', '2', 0.7), run('2', '1', 0.9), run('2', '2')]);
  it('has one row for runs that differ in their seed alone, the best first', () => {
    expect(rows.map(({ cell, runs, finished, success }) => [cell['lr'], runs, finished, success])).toEqual([
      ['2', 2, 1, 0.9],
      ['1', 2, 2, 0.6],
    ]);
    expect(rows[1]?.low).toBeLessThan(0.6);
  });
  it('is Markdown', () => {
    const [head, , first] = sweepTable(rows).split('\n');
    expect(head).toBe('| lr | success on validation [95 %] | before | runs finished |');
    expect(first).toMatch(/^\| 2 \| 0\.900 \[0\.\d+, 0\.\d+\] \| – \| 1\/2 \|$/);
  });
});
