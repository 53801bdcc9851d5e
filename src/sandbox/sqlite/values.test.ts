import { describe, expect, it } from 'vitest';
import { fromWire, rowKey, toWire, type SqlValue } from './values.ts';

const bytes = (...list: number[]): Uint8Array => Uint8Array.from(list);

describe('values over the border', () => {
  it.each<[string, SqlValue, string | null]>([
    ['NULL', null, null],
    ['an integer', 1n, 'i1'],
    ['the smallest integer', -9223372036854775808n, 'i-9223372036854775808'],
    ['an integer that no double holds', 9007199254740993n, 'i9007199254740993'],
    ['a real', 1, 'r1'],
    ['a real with a fraction', 0.1, 'r0.1'],
    ['negative zero', -0, 'r-0'],
    ['beyond all bounds', -Infinity, 'r-Infinity'],
    ['a small real', 5e-324, 'r5e-324'],
    ['a text', 'i1', 'ti1'],
    ['an empty text', '', 't'],
    ['bytes', bytes(0, 255, 10), 'bAP8K'],
    ['no bytes', bytes(), 'b'],
  ])('%s', (_, value, wire) => {
    expect(toWire(value)).toBe(wire);
    expect(fromWire(wire)).toStrictEqual(value);
  });
});

describe('rowKey', () => {
  it.each<[string, SqlValue[], SqlValue[]]>([
    ['1 == 1.0', [1n], [1]],
    ['0.0 == -0.0', [0], [-0]],
    ['0 == -0.0', [0n], [-0]],
    ['2**53 == 9007199254740992.0', [2n ** 53n], [2 ** 53]],
    ['1e18 is that integer', [10n ** 18n], [1e18]],
    ['inf == inf', [Infinity], [Infinity]],
    ['None is None', [null, 2n], [null, 2]],
  ])('equal in Python: %s', (_, one, other) => expect(rowKey(one)).toBe(rowKey(other)));

  it.each<[string, SqlValue[], SqlValue[]]>([
    ["1 != '1'", [1n], ['1']],
    ["None != ''", [null], ['']],
    ["'a' != b'a'", ['a'], [bytes(97)]],
    ["'61' != b'a', whose digits those are", ['61'], [bytes(0x61)]],
    ['2**53 + 1 != 2.0**53', [2n ** 53n + 1n], [2 ** 53]],
    ['1 != 1.5', [1n], [1.5]],
    ['(a, b) != (b, a)', ['a', 'b'], ['b', 'a']],
    ['one column is not two', ['a;t1:b'], ['a', 'b']],
    ['nor where a text looks like the end of one', ['a;tb'], ['a', 'b']],
    ['(None,) is not (None, None)', [null], [null, null]],
    ["a text that looks like a number's key", ['#1;'], [1n]],
  ])('different in Python: %s', (_, one, other) => expect(rowKey(one)).not.toBe(rowKey(other)));
});
