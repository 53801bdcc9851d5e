import { describe, expect, it } from 'vitest';
import { drawCurves, redraw, sideBySide, wrap } from './screen.ts';

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

  it('begins with what was measured before training', () => {
    const chart = drawCurves(
      {
        trained: [
          [1, 0.3],
          [2, 0.9],
        ],
        fresh: [[0, 0.5]],
      },
      40,
    );
    expect(chart.findIndex((line) => line.includes('│○'))).toBe(6);
    // Enough rows to see a gain of a tenth; the first step stands where it was measured, unsmoothed and right of the ring.
    expect(chart.filter((line) => line.includes('│'))).toHaveLength(14);
    expect(chart[9]).toMatch(/│ {5,}•$/);
    expect(chart[1]).toMatch(/│ {20,}•$/);
    expect(chart.at(-1)).toContain('step 0–2');
  });

  it('breaks text between words and leaves what fits as it is', () => {
    const table = 'a   b │ c';
    expect(wrap(`${table}\n  one two three four`, 12)).toEqual([table, '  one two', '  three four']);
    expect(wrap('indivisible-and-long', 5)).toEqual(['indivisible-and-long']);
  });

  it('draws a block over itself, also when it becomes shorter', () => {
    const screen = new Screen();
    screen.send('above\n');
    screen.send(redraw(['one', 'two', 'three'], 0));
    screen.send(redraw(['1', 'second'], 3));
    screen.send(redraw(['uno', 'dos', 'tres'], 2));
    screen.send('below\n');
    expect(screen.lines).toEqual(['above', 'uno', 'dos', 'tres', 'below']);
  });

  it('draws nothing but axes before the first step', () => {
    expect(drawCurves({ trained: [], fresh: [] }, 80).join('')).not.toContain('NaN');
  });
});

/** As much of a terminal as `redraw` needs: text, line ends, cursor up, erase to the end of the line. */
class Screen {
  lines: string[] = [];
  private row = 0;
  private column = 0;

  send(text: string): void {
    for (const part of text
      .replaceAll('\u001b', '\u0000\u001b')
      .split('\u0000')
      .flatMap((piece) => piece.split(/(\n)/))
      .filter(Boolean))
      this.take(part);
  }

  private take(part: string): void {
    const command = part.startsWith('\u001b[') ? /^\?2026[hl]|^(\d*)([AK])/.exec(part.slice(2)) : undefined;
    if (command?.[2] === 'A') this.row -= Number(command[1]);
    if (command?.[2] === 'K') this.put(this.line.slice(0, this.column));
    const rest = command ? part.slice(2 + command[0].length) : part;
    if (rest === '\n') [this.row, this.column] = [this.row + 1, 0];
    else if (rest !== '') {
      this.put(this.line.slice(0, this.column).padEnd(this.column) + rest + this.line.slice(this.column + rest.length));
      this.column += rest.length;
    }
  }

  private get line(): string {
    return this.lines[this.row] ?? '';
  }

  private put(text: string): void {
    this.lines[this.row] = text;
  }
}
