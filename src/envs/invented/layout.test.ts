/** Ways to write tables and actions: easy worlds use few of them, held-out worlds others, and no cell is lost in any. */
import { describe, expect, it } from 'vitest';
import { Random } from '../../core/random/random.ts';
import { formOf, pickSyntax, reader, type Tool } from './calls.ts';
import { seeds } from './drawn.fixture.ts';
import { known, pickLayout } from './layout.ts';
import type { Side } from './lexicon.ts';

const table = {
  columns: ['tool', 'shelf', 'owner'],
  rows: [
    ['lamp', 'A-1', 'brin'],
    ['saw', 'B-2', 'tolu'],
    ['kite', 'C-3', 'mavo'],
  ],
};
const tool: Tool = { id: 'put', verb: 'put', parameters: ['thing', 'place'], joins: ['into'], about: 'puts it there' };
const bare: Tool = { id: 'end', verb: 'end', parameters: [], joins: [], about: 'ends' };

const layoutsOf = (side: Side, level: number): Set<string> =>
  new Set(seeds(300).map((seed) => pickLayout(Random.of(seed, 'layout'), side, level)(table)));
const syntaxesOf = (side: Side, level: number): Set<string> =>
  new Set(seeds(300).map((seed) => pickSyntax(Random.of(seed, 'syntax'), side, level).write(tool, ['lamp', 'A-1'])));

describe('how many ways a level knows', () => {
  const ten = Array.from({ length: 10 }, (_, i) => i);
  it.each([
    [0, 4],
    [0.05, 5],
    [0.25, 7],
    [0.5, 10],
    [0.8, 10],
    [1, 10],
  ])('level %d knows the first %d of ten', (level, count) => expect(known(ten, level)).toEqual(ten.slice(0, count)));
});

describe('layouts', () => {
  it('are few in easy worlds and all of them in hard ones', () => {
    expect(layoutsOf('train', 0).size).toBe(4);
    expect(layoutsOf('train', 1).size).toBe(16);
    expect(layoutsOf('validation', 1).size).toBe(5);
    for (const text of layoutsOf('train', 0)) expect(layoutsOf('train', 1)).toContain(text);
  });

  it('of validation are never met in training', () => {
    const train = layoutsOf('train', 1);
    expect([...layoutsOf('validation', 1)].filter((text) => train.has(text))).toEqual([]);
  });

  it.each(['train', 'validation'] as const)('of %s keep every cell, row by row', (side) => {
    for (const text of layoutsOf(side, 1)) {
      let from = 0;
      for (const row of table.rows) {
        const [key = '', ...values] = row;
        const at = text.indexOf(key, from);
        expect(at, `${key} in ${text}`).toBeGreaterThanOrEqual(from);
        for (const value of values) expect(text.indexOf(value, at), `${value} in ${text}`).toBeGreaterThan(at);
        from = at;
      }
    }
  });

  it.each([
    ['a line each', 'lamp: A-1, brin\nsaw: B-2, tolu\nkite: C-3, mavo'],
    ['a heading', 'tool | shelf | owner\nlamp | A-1 | brin\nsaw | B-2 | tolu\nkite | C-3 | mavo'],
    ['values by name', 'tool=lamp shelf=A-1 owner=brin\ntool=saw shelf=B-2 owner=tolu\ntool=kite shelf=C-3 owner=mavo'],
    [
      'sentences',
      'The tool lamp has the shelf A-1, the owner brin.\nThe tool saw has the shelf B-2, the owner tolu.\nThe tool kite has the shelf C-3, the owner mavo.',
    ],
    [
      'JSON',
      '{"tool":"lamp","shelf":"A-1","owner":"brin"}\n{"tool":"saw","shelf":"B-2","owner":"tolu"}\n{"tool":"kite","shelf":"C-3","owner":"mavo"}',
    ],
  ])('of training know %s', (_, text) => expect(layoutsOf('train', 1)).toContain(text));
});

describe('ways to write actions', () => {
  it('are words in easy worlds, and a dozen in hard ones', () => {
    expect([...syntaxesOf('train', 0)]).toEqual(['put lamp into A-1']);
    expect(syntaxesOf('train', 1).size).toBe(11);
  });

  it('of validation are never met in training, save words', () => {
    const train = syntaxesOf('train', 1);
    const held = [...syntaxesOf('validation', 1)];
    expect(held.length).toBe(5);
    expect(held.filter((text) => train.has(text))).toEqual(['put lamp into A-1']);
  });

  it.each([
    ['train', 'put: lamp, A-1'],
    ['train', 'put(lamp, A-1)'],
    ['train', 'put[lamp, A-1]'],
    ['train', 'put("lamp", "A-1")'],
    ['train', 'put(thing="lamp", place="A-1")'],
    ['train', '{"name": "put", "arguments": {"thing": "lamp", "place": "A-1"}}'],
    ['train', '/put --thing lamp --place A-1'],
    ['train', '<put thing="lamp" place="A-1"/>'],
    ['validation', 'put | lamp | A-1'],
    ['validation', '[put] lamp, A-1'],
    ['validation', "agent.put('lamp', 'A-1')"],
  ] as const)('%s knows %s', (side, text) => expect(syntaxesOf(side, 1)).toContain(text));

  it('that are JSON are JSON, with values and without', () => {
    const json = seeds(300)
      .map((seed) => pickSyntax(Random.of(seed, 'syntax'), 'train'))
      .filter((syntax) => syntax.write(bare, []).startsWith('{'));
    expect(json.length).toBeGreaterThan(0);
    for (const syntax of json)
      for (const text of [syntax.write(bare, []), syntax.write(tool, ['lamp', 'A-1'])])
        expect(JSON.parse(text), text).toBeTypeOf('object');
  });

  it('show their parameters by name in the prompt', () => {
    for (const seed of seeds(60)) {
      const form = formOf(pickSyntax(Random.of(seed), 'train'), tool);
      expect(form).toContain('put');
      expect(form).toContain('<thing>');
      expect(form.indexOf('<thing>')).toBeLessThan(form.indexOf('<place>'));
    }
  });

  it('are read whole: more around an action, or another verb, is no action', () => {
    for (const seed of seeds(60)) {
      const syntax = pickSyntax(Random.of(seed), 'train');
      const read = reader(syntax, [tool, bare]);
      const text = syntax.write(tool, ['lamp', 'A-1']);
      expect(read(text)).toEqual({ id: 'put', values: ['lamp', 'A-1'] });
      for (const other of [`I will ${text}`, `x${text}`, syntax.write({ ...tool, verb: 'give' }, ['lamp', 'A-1']), ''])
        expect(read(other), other).toBeNull();
    }
  });
});
