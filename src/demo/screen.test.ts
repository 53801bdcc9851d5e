import { describe, expect, it } from 'vitest';
import { drawCurves, sideBySide } from './screen.ts';

describe('the demo on a terminal', () => {
  it.each([80, 140])('keeps within %i columns', (width) => {
    const points = Array.from({ length: 300 }, (_, i) => [i + 1, Math.min(1, i / 200)] as const);
    const chart = drawCurves(
      {
        trained: points,
        fresh: [
          [8, 0.3],
          [296, 0.98],
        ],
      },
      width,
    );
    const play = {
      title: 'before',
      turns: Array.from({ length: 12 }, () => ({ action: 'get 1 '.repeat(40), observation: 'long '.repeat(60) })),
      ended: 'gave up',
    };
    for (const line of [...chart, ...sideBySide(play, play, width)]) expect(line.length).toBeLessThanOrEqual(width);
  });

  it('shows a rise as a rise', () => {
    const chart = drawCurves(
      {
        trained: [
          [1, 0],
          [2, 0],
          [3, 0],
          [4, 0.9],
          [5, 1],
          [6, 1],
          [7, 1],
          [8, 1],
        ],
        fresh: [],
      },
      80,
    );
    const row = (sign: string, from: 'first' | 'last'): number =>
      chart.findIndex((line) => (from === 'first' ? line.trimEnd().endsWith(sign) : line.includes(`│${sign}`)));
    expect(row('•', 'last')).toBeGreaterThan(row('•', 'first'));
  });

  it('draws nothing but axes before the first step', () => {
    expect(drawCurves({ trained: [], fresh: [] }, 80).join('')).not.toContain('NaN');
  });
});
