import { describe, expect, it } from 'vitest';
import { latexToText } from './latex-text.ts';

describe('LaTeX as text', () => {
  it.each<[string, string]>([
    ['\\frac{1}{2}', '1/2'],
    ['\\sqrt{3}', '√(3)'],
    ['\\sqrt[3]{8}', '√(8)'],
    ['2\\pi', '2π'],
    ['\\left(1\\right)', '(1)'],
    ['\\left.x\\right|', 'x|'],
    ['\\text{odd}', 'odd'],
    ['a\\,b', 'a b'],
    ['50\\%', '50%'],
    ['\\unknown{x}', 'x'],
    ['{', ''],
    ['\\', ''],
    ['\\frac', '/'],
  ])('%j', (latex, want) => expect(latexToText(latex)).toBe(want));
  it('hostile nesting ends', () => {
    expect(latexToText('{'.repeat(50_000))).toBeDefined();
    expect(latexToText('\\frac'.repeat(20_000))).toBeDefined();
  });
});
