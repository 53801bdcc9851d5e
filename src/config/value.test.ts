import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readValue } from './value.ts';

describe('the value of an override', () => {
  it.each<[string, unknown]>([
    ['16', 16],
    ['-1', -1],
    ['+5', 5],
    ['1e-6', 1e-6],
    ['5E-7', 5e-7],
    ['.5', 0.5],
    ['1.', 1],
    ['10_000', 10_000],
    ['0x10', 16],
    ['.inf', Infinity],
    ['-.inf', -Infinity],
  ])('%s is a number', (text, want) => expect(readValue(text)).toBe(want));

  it.each([
    '1.2.3',
    '10_',
    '_10',
    '2024-12-13',
    '12:30',
    '1e',
    '3d',
    '1-2',
    '-',
    '+',
    '.',
    '--x',
    '1,2',
    'e5',
    'inf',
    'nan',
    'Infinity',
  ])('%s is a text', (text) => expect(readValue(text)).toBe(text));

  it.each<[string, unknown]>([
    ['True', true],
    ['true', true],
    ['TRUE', true],
    ['False', false],
    ['null', null],
    ['Null', null],
    ['~', null],
    // Python's None is a text to Hydra, and so are YAML 1.1's yes and no on a command line.
    ['None', 'None'],
    ['yes', 'yes'],
    ['', ''],
    ['   ', ''],
    [' 3 ', 3],
  ])('%j is %j', (text, want) => expect(readValue(text)).toBe(want));

  it('texts stand as they are: nothing in them is a comment, an anchor, a tag or a block', () => {
    const texts = [
      '#3',
      'a #b',
      '&x',
      '*x',
      '!x 3',
      '@x',
      '%x',
      '`x',
      '|',
      '>',
      '- 1',
      '?x',
      '???',
      '---',
      '${a.b}/c',
      '~/data/x.parquet',
    ];
    for (const text of [...texts, 'http://127.0.0.1:36005', 'hf:Qwen/Qwen3-1.7B', 'run:out@step_40', 'a=b', 'C:\\x', 'a,b'])
      expect(readValue(text)).toBe(text);
  });

  it.each<[string, unknown]>([
    ['"1e-6"', '1e-6'],
    ["'true'", 'true'],
    ["'it''s'", "it's"],
    ['"a\\nb"', 'a\nb'],
    ["'[1,2]'", '[1,2]'],
    ['""', ''],
  ])('%s in quotes is a text', (text, want) => expect(readValue(text)).toBe(want));

  it.each<[string, unknown]>([
    ['[6,13,20]', [6, 13, 20]],
    ['[]', []],
    ["['console','wandb']", ['console', 'wandb']],
    ['["a, b",c]', ['a, b', 'c']],
    ['[0.9,0.95]', [0.9, 0.95]],
    ['[a:b,c:d]', ['a:b', 'c:d']],
    ['[[1,2],[3]]', [[1, 2], [3]]],
    ['[~/a.parquet, ~/b.parquet]', ['~/a.parquet', '~/b.parquet']],
  ])('%s is a list', (text, want) => expect(readValue(text)).toEqual(want));

  it.each<[string, unknown]>([
    ['{a:1,b:2}', { a: 1, b: 2 }],
    ['{a: 1, b: 2}', { a: 1, b: 2 }],
    ['{"a":1}', { a: 1 }],
    ["{'a':x}", { a: 'x' }],
    ['{}', {}],
    ['{url:http://127.0.0.1:36005,n:1}', { url: 'http://127.0.0.1:36005', n: 1 }],
    ['{a:{b:1},c:[x:y,z]}', { a: { b: 1 }, c: ['x:y', 'z'] }],
    ['[{env:textcraft,split:test},{file:a.json}]', [{ env: 'textcraft', split: 'test' }, { file: 'a.json' }]],
    ['{a:"x:1, y:2"}', { a: 'x:1, y:2' }],
    ['{a:[1,2],b:3}', { a: [1, 2], b: 3 }],
  ])("%s is a mapping, with Hydra's colons or YAML's", (text, want) => expect(readValue(text)).toEqual(want));

  it('a mapping without braces and several lines are YAML', () => {
    expect(readValue('name: ppo')).toEqual({ name: 'ppo' });
    expect(readValue('- env: a\n- env: b\n')).toEqual([{ env: 'a' }, { env: 'b' }]);
  });

  it.each(['[a,b', '{a:1', '"a', "'a", '[a]]', '{a:1}}'])('%s does not close: an error', (text) => {
    expect(() => readValue(text)).toThrow();
  });

  it('whatever JSON says is read as JSON does', () => {
    const json = fc.jsonValue({ maxDepth: 2 });
    fc.assert(
      fc.property(json, (value) => {
        const text = JSON.stringify(value);
        expect(readValue(text)).toEqual(JSON.parse(text));
      }),
      { seed: 1, numRuns: 50 },
    );
  });

  it('a text without marks of its own comes back, whatever is in it', () => {
    const text = fc
      .string({ minLength: 1, maxLength: 30 })
      .filter((s) => /^[A-Za-z/]/.test(s) && s.trim() === s && !/:\s|\n/.test(s));
    fc.assert(
      fc.property(text, (said) => {
        fc.pre(!/^(true|false|null)$/i.test(said));
        expect(readValue(said)).toBe(said);
      }),
      { seed: 1, numRuns: 100 },
    );
  });
});
