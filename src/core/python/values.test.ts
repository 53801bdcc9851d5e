import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../random/any-character.fixture.ts';
import { equal, float, literalPrefix, numberIn, parseLiteral, plain, repr, sorted, str, typeName, type Value } from './values.ts';

/** What a literal means, printed as Python prints it. */
const read = (text: string): string | undefined => {
  const value = parseLiteral(text);
  return value === undefined ? undefined : repr(value);
};

describe('literals', () => {
  it.each([
    ['True', 'True'],
    ['true', 'True'],
    ['None', 'None'],
    ['null', 'None'],
    ['7', '7'],
    ['-7', '-7'],
    ['+7', '7'],
    ['7.', '7.0'],
    ['.5', '0.5'],
    ['-0.0', '-0.0'],
    ['-0', '0'],
    ['1e3', '1000.0'],
    ['1E-7', '1e-07'],
    ['1e16', '1e+16'],
    ['[]', '[]'],
    ['()', '[]'],
    ['(1)', '1'],
    ['(1,)', '[1]'],
    ['[1, 2,]', '[1, 2]'],
    ['{}', '{}'],
    ["{'a': 1, 'a': 2}", "{'a': 2}"],
    ['  \n[ 1 ,\t2 ]  ', '[1, 2]'],
  ])('%s is %s', (text, meaning) => expect(read(text)).toBe(meaning));

  it.each([
    [String.raw`'a\nb'`, 'a\nb'],
    [String.raw`'\x41\u0042\U0001F600'`, 'AB😀'],
    [String.raw`'\ud83d\ude00'`, '😀'],
    [String.raw`'\101\0'`, 'A\0'],
    [String.raw`'\a\b\f\v\t\r'`, '\x07\b\f\v\t\r'],
    [String.raw`'it\'s'`, "it's"],
    [String.raw`"say \"hi\""`, 'say "hi"'],
    [String.raw`'a\/b'`, 'a/b'],
    // Python keeps the backslash of an escape that it does not know.
    [String.raw`'\d+'`, String.raw`\d+`],
    [String.raw`'\\n'`, String.raw`\n`],
    ["'\\\n'", ''],
  ])('the text %s', (text, meaning) => expect(parseLiteral(text)).toBe(meaning));

  it.each([
    ['nothing', ''],
    ['an open list', '[1'],
    ['a comma alone', '[,]'],
    ['two commas', '[1,,2]'],
    ['two values', '1 2'],
    ['a key alone', '{"a"}'],
    ['a name', 'answer'],
    ['a name that begins with a word', 'Truely'],
    ['a call', 'print(1)'],
    ['an attribute', "''.join"],
    ['a sum', '1 + 1'],
    ['a comprehension', '[x for x in y]'],
    ['a lambda', 'lambda: 0'],
    ['an infinite number', '1e999'],
    ['an open text', "'abc"],
    ['a text that ends in a backslash', "'abc\\"],
    ['a short escape', String.raw`'\x4'`],
    ['another short escape', String.raw`'\u12'`],
    ['a point beyond Unicode', String.raw`'\U99999999'`],
    ['a word of JavaScript', 'constructor'],
    ['undefined', 'undefined'],
    ['not a number', 'NaN'],
  ])('%s is none', (_, text) => expect(parseLiteral(text)).toBeUndefined());

  it('are refused beyond fifty levels, however long, without a deep stack', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(parseLiteral(nested(50))).toBeDefined();
    expect(parseLiteral(nested(60))).toBeUndefined();
    expect(parseLiteral(nested(200_000))).toBeUndefined();
    expect(parseLiteral('{"a":'.repeat(100_000))).toBeUndefined();
  });

  it('take no key for more than a key', () => {
    const value = parseLiteral('{"__proto__": {"polluted": 1}, "constructor": 2}');
    expect(repr(value ?? null)).toBe("{'__proto__': {'polluted': 1}, 'constructor': 2}");
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(Object.keys(plain(value ?? null) as object)).toEqual(['__proto__', 'constructor']);
  });

  it('at the head of a text come with their length', () => {
    expect(literalPrefix("{'a': 1} and more")).toEqual({ value: { a: 1 }, length: 8 });
    expect(literalPrefix('and more')).toBeUndefined();
  });
});

const json = fc.jsonValue({ maxDepth: 3 });
const runs = { seed: 1 };

describe('printing and reading', () => {
  it('JSON is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(plain(parseLiteral(JSON.stringify(value)) ?? null)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      runs,
    );
  });
  it('what is printed is read back as an equal value', () => {
    fc.assert(
      fc.property(json, (value) => {
        const once = parseLiteral(JSON.stringify(value)) ?? null;
        const twice = parseLiteral(repr(once));
        expect(twice !== undefined && equal(once, twice)).toBe(true);
        expect(repr(twice ?? null)).toBe(repr(once));
      }),
      runs,
    );
  });
  it('any text comes back from its repr', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => parseLiteral(repr(text)) === text),
      runs,
    );
  });
  it('no text makes the reader throw', () => {
    const pieces = fc.constantFrom('[', ']', '{', '}', '(', ')', ',', ':', "'", '"', '\\', 'x4', 'True', '1', '.', 'e', '-', ' ');
    fc.assert(
      fc.property(fc.array(pieces), (parts) => void parseLiteral(parts.join(''))),
      runs,
    );
    fc.assert(
      fc.property(fc.string(), (text) => void parseLiteral(text)),
      runs,
    );
  });
});

describe('repr', () => {
  it.each<[Value, string]>([
    [null, 'None'],
    [true, 'True'],
    [3, '3'],
    [float(3), '3.0'],
    [0.1 + 0.2, '0.30000000000000004'],
    [float(1e22), '1e+22'],
    [1e21, '1000000000000000000000'],
    ["it's", `"it's"`],
    [`it's "so"`, `'it\\'s "so"'`],
    ['\u200b\u00a0é', "'\\u200b\\xa0é'"],
    [['a', [1]], "['a', [1]]"],
  ])('%j', (value, text) => expect(repr(value)).toBe(text));
  it('str differs for texts alone', () => {
    expect(str("it's")).toBe("it's");
    expect(str(["it's"])).toBe(`["it's"]`);
  });
});

describe('==', () => {
  it.each<[string, string, boolean]>([
    ['1', '1.0', true],
    ['True', '1', true],
    ['False', '0.0', true],
    ['0.0', '-0.0', true],
    ['1', "'1'", false],
    ['None', 'False', false],
    ['None', '0', false],
    ["''", 'None', false],
    ['[1, 2]', '[2, 1]', false],
    ['[1]', '[1, None]', false],
    ["{'a': 1, 'b': 2}", "{'b': 2.0, 'a': 1}", true],
    ["{'a': None}", "{'b': None}", false],
    ["{'a': 1}", '[1]', false],
    ['{}', '[]', false],
    ["{'toString': 1}", '{}', false],
  ])('%s == %s is %s', (a, b, same) => {
    const [one, two] = [parseLiteral(a) ?? null, parseLiteral(b) ?? null];
    expect(equal(one, two)).toBe(same);
    expect(equal(two, one)).toBe(same);
  });
});

describe('sorted', () => {
  it.each([
    ['[4.0, -10.6]', '[-10.6, 4.0]'],
    ['[10, 9.5, True]', '[True, 9.5, 10]'],
    ["['b', 'B', 'a']", "['B', 'a', 'b']"],
    ["[['b', 1], ['a', 2], ['a', 1.5], ['a']]", "[['a'], ['a', 1.5], ['a', 2], ['b', 1]]"],
    ["[{'a': 1}]", "[{'a': 1}]"],
    ['[None]', '[None]'],
    ['[]', '[]'],
  ])('%s', (list, result) => expect(repr(sorted((parseLiteral(list) ?? []) as Value[]))).toBe(result));
  it.each([
    ["[1, 'a']", 'str', 'int'],
    ["['a', 1]", 'int', 'str'],
    ['[1.5, None]', 'NoneType', 'float'],
    ['[{}, {}]', 'dict', 'dict'],
    ["[1, 2, ['x']]", 'list', 'int'],
    ["[['a', 1], ['a', 'b']]", 'str', 'int'],
  ])('%s cannot be sorted', (list, one, other) => {
    expect(() => sorted((parseLiteral(list) ?? []) as Value[])).toThrow(
      `'<' not supported between instances of '${one}' and '${other}'`,
    );
  });
  it('leaves its list alone', () => {
    const list = [3, 1, 2];
    expect(sorted(list)).toEqual([1, 2, 3]);
    expect(list).toEqual([3, 1, 2]);
  });
});

it('names types as Python does', () => {
  const types = ['None', 'True', '1', '1.0', '1.5', "'x'", '[]', '{}'].map((text) => typeName(parseLiteral(text) ?? null));
  expect(types).toEqual(['NoneType', 'bool', 'int', 'float', 'float', 'str', 'list', 'dict']);
});

it('finds numbers in what has one', () => {
  expect([
    numberIn(2),
    numberIn(float(2)),
    numberIn(true),
    numberIn('2'),
    numberIn(null),
    numberIn([2]),
    numberIn(undefined),
  ]).toEqual([2, 2, 1, undefined, undefined, undefined, undefined]);
});
