import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePythonJson, PythonJsonError } from './json.ts';

function failure(source: string): [string, number] {
  try {
    parsePythonJson(source);
  } catch (thrown) {
    if (thrown instanceof PythonJsonError) return [thrown.message, thrown.position];
    throw thrown;
  }
  throw new Error('was read');
}

describe('parsePythonJson', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json(), (source) => {
        // NaN sends it past JSON.parse.
        expect(parsePythonJson(`[NaN, ${source} ]`)).toEqual([NaN, JSON.parse(source)]);
      }),
    );
  });

  it('reads the numbers that only Python knows', () => {
    expect(parsePythonJson('{"a": [NaN, -Infinity, 1.5e3, "\\u0041\\n"], "b": {}}')).toEqual({
      a: [NaN, -Infinity, 1500, 'A\n'],
      b: {},
    });
  });

  it('fails with the words and positions of CPython 3.11', () => {
    expect(failure('')).toEqual(['Expecting value', 0]);
    expect(failure('{')).toEqual(['Expecting property name enclosed in double quotes', 1]);
    expect(failure('{"a":1,}')).toEqual(['Expecting property name enclosed in double quotes', 7]);
    expect(failure('{"a" 1}')).toEqual(["Expecting ':' delimiter", 5]);
    expect(failure('{"a":1 "b"}')).toEqual(["Expecting ',' delimiter", 7]);
    expect(failure('[1,]')).toEqual(['Expecting value', 3]);
    expect(failure('{"é😀": x}')).toEqual(['Expecting value', 7]);
    expect(failure('"abc')).toEqual(['Unterminated string starting at', 0]);
    expect(failure('"a\nb"')).toEqual(['Invalid control character at', 2]);
    expect(failure('"\\x"')).toEqual(['Invalid \\escape', 1]);
    expect(failure('"\\u12"')).toEqual(['Invalid \\uXXXX escape', 2]);
    expect(failure('{} x')).toEqual(['Extra data', 3]);
  });

  it('survives any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 60 }), (source) => {
        try {
          parsePythonJson(source);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(PythonJsonError);
        }
      }),
    );
    expect(() => parsePythonJson('['.repeat(100_000))).toThrow(RangeError);
  });
});
