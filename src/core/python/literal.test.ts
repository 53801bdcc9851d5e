/** Python's literals, each beside what CPython makes of it, and what is refused. */
import { expect, it } from 'vitest';
import { NotALiteral, pythonAssignment, pythonCall } from './literal.ts';

const read = (literal: string): unknown => pythonAssignment(`import os\nx = ${literal}\ny = 2\n`, 'x');

it.each<[string, unknown]>([
  ['None', null],
  ['True', true],
  ['False', false],
  ['-12', -12],
  ['2.5e-3', 0.0025],
  [`'it''s'`, 'its'],
  [`"a" 'b'\\\n  "c"`, 'abc'],
  [`"""two\nlines "quoted" """`, 'two\nlines "quoted" '],
  [`'''it's'''`, "it's"],
  [String.raw`'\t\x41\u00e9\U0001F600\'\\'`, "\tAé😀'\\"],
  [String.raw`'\0\101\q'`, '\0A\\q'],
  [`'joined \\\nline'`, 'joined line'],
  [String.raw`r'\d+\'x'`, String.raw`\d+\'x`],
  ['u"old"', 'old'],
  ['[]', []],
  ['[1, [2, "3"],]  # a comment', [1, [2, '3']]],
  ['(1)', 1],
  ['(1,)', [1]],
  ['()', []],
  ['{"a": {"b": None}, # why\n "c": (1, 2)}', { a: { b: null }, c: [1, 2] }],
])('reads %s', (literal, value) => {
  expect(read(literal)).toEqual(value);
});

it.each(['open("/etc/passwd")', '[1, 2', '{"a" 1}', '{1: 2}', '[1 2]', '"never closed', String.raw`'\UFFFFFFFF'`, 'f"{x}"'])(
  'refuses %s and names the line',
  (literal) => {
    expect(() => read(literal)).toThrow(NotALiteral);
    expect(() => read(literal)).toThrow(/^something other than a literal in line [234]$/);
  },
);

it('finds the assignment at the beginning of a line alone, and says which one is missing', () => {
  expect(pythonAssignment('# x = 1\n  x = 2\nx = 3', 'x')).toBe(3);
  expect(() => pythonAssignment('prompts = 3', 'prompt')).toThrow(new NotALiteral('no "prompt = {…}"'));
});

it('reads calls: positional literals, then named ones, and nothing behind them', () => {
  expect(pythonCall(' get_by_role ("link", name="For)ums", exact=True) ')).toEqual({
    name: 'get_by_role',
    arguments: ['link'],
    keywords: { name: 'For)ums', exact: true },
  });
  expect(pythonCall('click()')).toEqual({ name: 'click', arguments: [], keywords: {} });
  for (const other of [
    'click',
    '.click()',
    'click(',
    'click() + 1',
    'f(a=1, a=2)',
    'f(a=1, 2)',
    'f(x)',
    'f(a==1)',
    String.raw`f('\UFFFFFFFF')`,
  ]) {
    expect(pythonCall(other), other).toBeUndefined();
  }
});
