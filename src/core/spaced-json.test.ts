import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spacedJson } from './spaced-json.ts';

describe("JSON as Python's json.dumps spaces it", () => {
  it.each<[unknown, string]>([
    [{ a: [1, 2], b: { c: null } }, '{"a": [1, 2], "b": {"c": null}}'],
    [[], '[]'],
    [{}, '{}'],
    ['a "b"', '"a \\"b\\""'],
    [true, 'true'],
    [[undefined, () => 1], '[null, null]'],
    [{ a: undefined, b: 1 }, '{"b": 1}'],
    [undefined, 'null'],
  ])('%o', (value, want) => expect(spacedJson(value)).toBe(want));
  it('is JSON of the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        expect(JSON.parse(spacedJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { seed: 1 },
    );
  });
});
