import { describe, expect, it } from 'vitest';
import { helpLines } from './help-text.ts';

describe('help in lines', () => {
  it('breaks prose between words, and a command so that it can be pasted', () => {
    const text =
      'Examples:\n  agoge eval textcraft --policy base --policy expert   two policies on one panel\n\nThe same again goes on.';
    for (const width of [30, 40])
      expect(
        Math.max(
          ...helpLines(text, width)
            .split('\n')
            .map(({ length }) => length),
        ),
      ).toBeLessThanOrEqual(width);
    expect(helpLines(text, 40).split('\n')).toEqual([
      'Examples:',
      '  agoge eval textcraft --policy \\',
      '      base --policy expert',
      '      two policies on one panel',
      '',
      'The same again goes on.',
    ]);
    expect(helpLines(text, 200)).toBe(text);
  });
});
