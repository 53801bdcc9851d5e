import { describe, expect, it } from 'vitest';
import { bradleyTerry } from './bradley-terry.ts';

describe('bradleyTerry', () => {
  it('is log 2 for a tie, and finite for any scores', () => {
    expect(bradleyTerry(3, 3).loss).toBeCloseTo(Math.LN2, 12);
    expect(bradleyTerry(-2000, 2000)).toEqual({ loss: 4000, chosen: -1, rejected: 1 });
    expect(bradleyTerry(2000, -2000).loss).toBe(0);
  });
  it.each([
    [0.3, -1.2, {}],
    [-4, 2.5, { margin: 1 }],
    [0.7, 0.2, { margin: 0.5, center: 0.01 }],
  ])('has the slopes that differences show (%d, %d, %o)', (chosen, rejected, options) => {
    const step = 1e-6;
    const at = (c: number, r: number) => bradleyTerry(c, r, options).loss;
    const { chosen: byChosen, rejected: byRejected } = bradleyTerry(chosen, rejected, options);
    expect(byChosen).toBeCloseTo((at(chosen + step, rejected) - at(chosen - step, rejected)) / (2 * step), 6);
    expect(byRejected).toBeCloseTo((at(chosen, rejected + step) - at(chosen, rejected - step)) / (2 * step), 6);
  });
});
