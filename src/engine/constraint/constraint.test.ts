import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Random } from '../../core/random/random.ts';
import { compileConstraint, type CompiledConstraint, type Constraint } from './constraint.ts';
import { ConstrainedReply, ConstraintMasks } from './matcher.ts';
import { randomSchema } from './schemas.fixture.ts';
import { spellingOf, TokenTree } from './spelling.ts';

const accepts = ({ expressions, start }: CompiledConstraint, text: string): boolean => {
  let state = start;
  for (const byte of new TextEncoder().encode(text)) state = expressions.derive(state, byte);
  return expressions.nullable(state);
};
const schema = (given: unknown): CompiledConstraint => compileConstraint({ kind: 'schema', schema: given });

// Bytes, and some longer pieces; the last one ends a turn.
const pieces = [
  ...Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte)),
  ...['{"', '": ', '", "', 'true', '12', 'ä', ']}', 'name'].map((text) => new TextEncoder().encode(text)),
];
const end = pieces.length;
const tree = new TokenTree(spellingOf(end + 1, (id) => pieces[id]));

/** A reply of uniformly random tokens under a constraint. */
function randomReply(constraint: Constraint, random: Random, maxTokens: number): string {
  const reply = new ConstrainedReply(new ConstraintMasks(compileConstraint(constraint), tree), [end]);
  const bytes: number[] = [];
  for (let left = maxTokens; left > 0; left--) {
    const allowed = reply.next(left);
    const token = allowed[random.below(allowed.length)];
    if (token === undefined) throw new Error(`nothing may follow ${new TextDecoder().decode(Uint8Array.from(bytes))}`);
    if (token === end) return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
    bytes.push(...(pieces[token] as Uint8Array));
    reply.push(token);
  }
  throw new Error(`cut off: ${new TextDecoder().decode(Uint8Array.from(bytes))}`);
}

describe('a JSON schema', () => {
  it('100 random schemas: every random reply parses, is valid and is complete before its tokens run out', () => {
    for (let seed = 0; seed < 100; seed++) {
      const random = Random.of(seed, 'schema');
      const given = randomSchema(random);
      const constraint: Constraint = { kind: 'schema', schema: given };
      const { expressions, start } = compileConstraint(constraint);
      const text = randomReply(constraint, random, expressions.shortest(start) + 1 + random.below(120));
      const { success, error } = z.fromJSONSchema(given).safeParse(JSON.parse(text));
      expect(success, `${JSON.stringify(given)}\n${text}\n${error?.message ?? ''}`).toBe(true);
    }
  });

  it.each<[object, string[], string[]]>([
    [{ type: 'integer', minimum: -3, maximum: 12 }, ['-3', '0', '9', '12'], ['-4', '13', '01', '1.0', '+1']],
    [{ type: 'integer', exclusiveMinimum: 0 }, ['1', '999'], ['0', '-1']],
    [{ type: 'number', minimum: 0.2, maximum: 0.7 }, ['0.2', '0.5', '0.7'], ['0.1', '0.8', '1']],
    [{ type: 'number', minimum: -1.5, maximum: 1.5 }, ['-1', '0.9', '-0.5', '1'], ['1.6', '-2', '2']],
    [{ type: 'string', maxLength: 2 }, ['""', '"é数"', '"\\n\\u00e9"'], ['"abc"', '"\u0001"', '"a']],
    [{ type: 'string', pattern: '^a+(b|c)?$' }, ['"a"', '"aac"'], ['""', '"ad"', '"ba"']],
    [{ type: 'string', pattern: '\\d' }, ['"x1y"', '"1"'], ['"x"']],
    [{ type: 'string', pattern: '^[^"]*$', maxLength: 3 }, ['"ab"'], ['"abcd"', '"\\""']],
    [
      { type: 'array', items: { type: 'boolean' }, minItems: 1, maxItems: 2 },
      ['[true]', '[true, false]', '[true,true]'],
      ['[]', '[true,true,true]', '[1]'],
    ],
    [{ type: 'array', prefixItems: [{ const: 1 }, { const: 2 }], items: false }, ['[]', '[1]', '[1, 2]'], ['[2]', '[1,2,3]']],
    [
      { type: 'object', properties: { a: {}, b: {} }, required: ['b'] },
      ['{"b":1}', '{"a": [null], "b": {"x": 1}}'],
      ['{}', '{"a":1}', '{"b":1,"a":1}'],
    ],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, ['{}', '{"k": 1, "l": 2}'], ['{"k": "x"}']],
    [
      {
        allOf: [
          { type: 'object', properties: { a: { const: 1 } } },
          { properties: { b: { const: 2 } }, required: ['a', 'b'] },
        ],
      },
      ['{"a":1,"b":2}'],
      ['{"a":1}'],
    ],
    [{ oneOf: [{ type: 'string' }, { type: 'integer' }] }, ['"x"', '3'], ['null']],
    [{ const: { a: [1, 'x'] } }, ['{"a": [1, "x"]}', '{"a":[1,"x"]}'], ['{"a":[1]}']],
    [{ enum: [1, 'a', null], type: ['string', 'null'] }, ['"a"', 'null'], ['1']],
  ])('%j takes what is valid and nothing else', (given, taken, refused) => {
    const compiled = schema(given);
    expect(taken.filter((text) => !accepts(compiled, text))).toEqual([]);
    expect(refused.filter((text) => accepts(compiled, text))).toEqual([]);
  });

  it.each<[unknown, RegExp]>([
    [{ type: 'object', patternProperties: {} }, /"patternProperties" is not known here/],
    [{ properties: { a: { not: {} } } }, /#\/properties\/a: "not" is not known here/],
    [{ oneOf: [{ type: 'integer' }, { type: 'number' }] }, /might fit several choices/],
    [{ $ref: 'https://example.org/x' }, /lies elsewhere/],
    [{ $ref: '#/$defs/none' }, /points to nothing/],
    [{ type: 'integer', minimum: 3, maximum: 2 }, /no value can satisfy it/],
    [{ type: 'string', pattern: '(?=a)b' }, /looks ahead or behind/],
    [{ type: 'number', multipleOf: 0.1 }, /multipleOf/],
    [{ type: 'text' }, /there is no type "text"/],
    [{ allOf: [{ type: 'string' }, { type: 'integer' }] }, /disagree about "type"/],
    [{ $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }, /points to itself/],
    ['x', /neither an object/],
  ])('refuses %j by name', (given, why) => {
    expect(() => schema(given)).toThrow(why);
  });
});

describe('calls of tools', () => {
  const tools = [
    {
      name: 'look',
      parameters: { type: 'object', properties: { box: { type: 'string' } }, required: ['box'], additionalProperties: false },
    },
    { name: 'stop' },
  ];
  it('one call, several, or a text that is none', () => {
    const one = compileConstraint({ kind: 'calls', tools, several: false, text: false });
    const many = compileConstraint({ kind: 'calls', tools, several: true, text: false });
    const free = compileConstraint({ kind: 'calls', tools, several: false, text: true });
    const look = '{"name": "look", "arguments": {"box": "red"}}';
    const stop = '{"name":"stop","arguments":{}}';
    expect(
      [look, stop, `${look}\n${stop}`, 'hello', '{"name": "run", "arguments": {}}', '{"name": "look", "arguments": {}}'].map(
        (text) => [accepts(one, text), accepts(many, text), accepts(free, text)],
      ),
    ).toEqual([
      [true, true, true],
      [true, true, true],
      [false, true, false],
      [false, false, true],
      [false, false, false],
      [false, false, false],
    ]);
  });
});

it('any JSON object, and one of some texts', () => {
  const json = compileConstraint({ kind: 'json' });
  for (const text of ['{}', '{"a": [1, {"b": null}], "c": "\\u00e9"}']) expect(accepts(json, text)).toBe(true);
  for (const text of ['[]', '1', '{"a"}', '{"a":1,}']) expect(accepts(json, text)).toBe(false);
  for (let seed = 0; seed < 50; seed++) JSON.parse(randomReply({ kind: 'json' }, Random.of(seed), 60));
  expect(randomReply({ kind: 'choice', texts: ['yes', 'no'] }, Random.of(1), 9)).toMatch(/^(yes|no)$/);
});
