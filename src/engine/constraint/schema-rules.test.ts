/** JSON Schema's own rules, one table for each kind of value: what a schema takes is valid by it, and what it refuses has a name. */
import { describe, expect, it } from 'vitest';
import { compileConstraint } from './constraint.ts';

type Row = readonly [schema: object | boolean, taken: readonly string[], refused: readonly string[]];

function split(schema: unknown, texts: readonly string[]): readonly string[] {
  const { expressions, start } = compileConstraint({ kind: 'schema', schema });
  return texts.filter((text) => {
    let state = start;
    for (const byte of new TextEncoder().encode(text)) state = expressions.derive(state, byte);
    return expressions.nullable(state);
  });
}

const table = (rows: readonly Row[]): void =>
  it.each(rows.map(([schema, taken, refused]) => ({ schema, taken, refused })))('$schema', ({ schema, taken, refused }) =>
    expect(split(schema, [...taken, ...refused])).toEqual(taken),
  );

describe('numbers', () => {
  table([
    [{ type: 'number', minimum: 0, maximum: 1 }, ['0', '1', '0.5', '0.999999', '1.0', '0.0'], ['1.1', '-0.1', '01', '.5', '1.']],
    [{ type: 'number', minimum: 0, maximum: 0.9 }, ['0', '0.5', '0.89', '0.9', '0.90'], ['0.91', '0.901', '1', '-1']],
    [{ type: 'number', minimum: 0, exclusiveMaximum: 1 }, ['0', '0.5', '0.99'], ['1', '1.0', '1.5']],
    [{ type: 'number', exclusiveMinimum: 0 }, ['0.5', '0.01', '3', '3.25'], ['0', '0.0', '-1']],
    [
      { type: 'number', minimum: 0.25, maximum: 2 },
      ['0.25', '0.3', '0.255', '1', '1.999', '2', '2.0'],
      ['0.2', '0.249', '2.01', '0'],
    ],
    [{ type: 'number', minimum: 3.14, maximum: 3.15 }, ['3.14', '3.141', '3.145', '3.15'], ['3.1', '3.139', '3.151', '3', '4']],
    [{ type: 'number', minimum: -0.5, maximum: 0.5 }, ['0', '-0.5', '0.5', '0.25', '-0.125'], ['0.6', '-0.6', '1', '-1']],
    [{ type: 'number', minimum: -2.5, maximum: -1.5 }, ['-2', '-2.5', '-1.5', '-1.75'], ['-1', '-3', '-2.6', '-1.4', '2', '0']],
    [
      { type: 'number', minimum: 9.5, maximum: 101 },
      ['9.5', '9.75', '10', '99.9', '100.5', '101'],
      ['9.4', '9', '101.1', '200', '1000'],
    ],
    [{ type: 'number', minimum: 1e-7, maximum: 1e-6 }, ['0.0000001', '0.0000005', '0.000001'], ['0', '0.1', '0.00000001']],
    [{ type: 'number' }, ['0', '-1.5', '1e5', '2.5E-3', '123456789012345'], ['1e', '--1', '0x1', '1_0', 'NaN']],
    [{ type: 'integer' }, ['0', '-12', '999'], ['1.5', '1e3', '-0', '007']],
    [{ type: 'integer', minimum: 99, maximum: 1001 }, ['99', '100', '999', '1000', '1001'], ['98', '1002', '9']],
    [{ type: 'integer', minimum: -20, maximum: -3 }, ['-3', '-9', '-10', '-20'], ['-2', '-21', '3', '0']],
    [{ type: 'integer', exclusiveMinimum: 0.5, exclusiveMaximum: 3 }, ['1', '2'], ['0', '3']],
    [{ type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: true }, ['2', '4'], ['1', '5']],
    [{ type: 'integer', multipleOf: 1 }, ['3'], ['3.5']],
    [{ minimum: 2 }, ['2', '2.5'], ['1', '"x"']],
  ]);
});

describe('strings', () => {
  table([
    [{ type: 'string', minLength: 2, maxLength: 3 }, ['"ab"', '"数数"', '"a\\n"', '"😀😀😀"'], ['"a"', '"abcd"', '"ab', "'ab'"]],
    [{ type: 'string', pattern: '^[A-Z]{2}\\d{3}$' }, ['"AB123"'], ['"AB12"', '"ab123"', '"xAB123"']],
    [{ type: 'string', pattern: 'b+' }, ['"b"', '"abbc"'], ['"a"', '""']],
    [{ type: 'string', pattern: '^(yes|no)$' }, ['"yes"', '"no"'], ['"yesno"', '"maybe"']],
    [{ type: 'string', pattern: '^a.c$' }, ['"abc"', '"a数c"'], ['"ac"', '"a\\nc"']],
    [{ type: 'string', pattern: '^a{2,}$', maxLength: 3 }, ['"aa"', '"aaa"'], ['"a"', '"aaaa"']],
    [{ type: 'string', pattern: '^\\w+\\s\\w+$' }, ['"a b"', '"a_1 2"'], ['"ab"', '"a  b"']],
    [{ type: 'string', pattern: '^[^a-c]$' }, ['"d"', '"Z"'], ['"a"', '"b"', '"dd"']],
    [{ type: 'string', format: 'date' }, ['"2026-11-18"'], ['"2026-13-01"', '"26-1-1"', '"2026-11-32"']],
    [{ type: 'string', format: 'date-time' }, ['"2026-11-18T09:05:00Z"'], ['"2026-11-18"', '"2026-11-18T24:00:00Z"']],
    [{ type: 'string', format: 'ipv4' }, ['"127.0.0.1"', '"255.255.255.255"'], ['"256.0.0.1"', '"1.2.3"', '"01.2.3.4"']],
    [{ type: 'string', format: 'email' }, ['"a.b@example.org"'], ['"a@b"', '"@example.org"', '"a b@c.de"']],
    [{ type: 'string', format: 'uuid' }, ['"123e4567-e89b-12d3-a456-426614174000"'], ['"123e4567"']],
    [{ type: 'string', format: 'anything else' }, ['"x"'], ['1']],
  ]);
});

describe('lists', () => {
  table([
    [
      { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 3 },
      ['[1,2]', '[1, 2, 3]'],
      ['[1]', '[1,2,3,4]', '[1,]', '[1 ,2]'],
    ],
    [{ type: 'array', maxItems: 0 }, ['[]'], ['[1]']],
    [
      { type: 'array', prefixItems: [{ type: 'integer' }], items: { type: 'string' } },
      ['[]', '[1]', '[1, "a", "b"]'],
      ['["a"]', '[1, 2]'],
    ],
    [{ type: 'array', prefixItems: [{ const: 1 }, { const: 2 }], minItems: 2 }, ['[1,2]', '[1,2,null]'], ['[]', '[1]', '[2,1]']],
    [{ type: 'array', items: [{ const: 1 }], additionalItems: false }, ['[]', '[1]'], ['[1,1]', '[2]']],
    [{ type: 'array', items: { type: 'integer' }, uniqueItems: true }, ['[]', '[1]'], ['[1,1]']],
    [
      { type: 'array', items: { type: 'array', items: { type: 'boolean' } } },
      ['[]', '[[]]', '[[true], [false,true]]'],
      ['[true]', '[[1]]'],
    ],
  ]);
});

describe('objects', () => {
  const ab = { a: { type: 'integer' }, b: { type: 'string' } };
  table([
    [
      { type: 'object', properties: ab, required: ['a', 'b'] },
      ['{"a":1,"b":""}', '{"a": 1, "b": "x"}'],
      ['{"a":1}', '{"b":"","a":1}', '{"a":1,"b":"","c":1}'],
    ],
    [{ type: 'object', properties: ab }, ['{}', '{"a":1}', '{"b":""}', '{"a":1,"b":""}'], ['{"a":"x"}', '{,}']],
    [{ type: 'object', properties: ab, minProperties: 1 }, ['{"a":1}', '{"a":1,"b":""}'], ['{}']],
    [{ type: 'object', properties: ab, maxProperties: 1 }, ['{}', '{"a":1}'], ['{"a":1,"b":""}']],
    [{ type: 'object', properties: { 'a"b': { const: 1 } }, required: ['a"b'] }, ['{"a\\"b":1}'], ['{"a"b":1}', '{}']],
    [{ type: 'object', required: ['k'], additionalProperties: { type: 'boolean' } }, ['{"k":true}'], ['{}', '{"k":1}']],
    [{ type: 'object', additionalProperties: false }, ['{}'], ['{"a":1}']],
    [{ type: 'object', minProperties: 1, additionalProperties: { const: 1 } }, ['{"x":1}', '{"x":1, "y":1}'], ['{}', '{"x":2}']],
    [{ properties: { a: true }, required: ['a'] }, ['{"a":[{}]}'], ['{}', '1']],
  ]);
});

describe('given values, choices and references', () => {
  const named = {
    $defs: { name: { type: 'string', minLength: 1 }, base: { type: 'object', properties: { a: { const: 1 } }, required: ['a'] } },
  };
  table([
    [true, ['1', '"x"', '[null, {"a":true}]'], ['x', '[1,]']],
    [{ const: 'x', type: 'string' }, ['"x"'], ['"y"']],
    [{ enum: [1, 'x', [1], { a: null }] }, ['1', '"x"', '[1]', '{"a":null}', '{"a": null}'], ['2', '{}', 'null']],
    [{ type: ['string', 'null'] }, ['null', '"x"'], ['1']],
    [{ type: 'string', nullable: true, maxLength: 1 }, ['null', '"x"'], ['"xx"']],
    [{ anyOf: [{ type: 'integer' }, { type: 'string', maxLength: 1 }] }, ['7', '"x"'], ['"xx"', 'true']],
    [{ type: 'integer', anyOf: [{ maximum: 1 }, { minimum: 5 }] }, ['-3', '1', '5', '9'], ['2', '4']],
    [
      {
        oneOf: [
          { properties: { k: { const: 'a' } }, required: ['k'] },
          { properties: { k: { const: 'b' }, n: { type: 'integer' } }, required: ['k', 'n'] },
        ],
      },
      ['{"k":"a"}', '{"k":"b","n":1}'],
      ['{"k":"b"}', '{"k":"c"}'],
    ],
    [{ ...named, $ref: '#/$defs/name' }, ['"x"'], ['""', '1']],
    // What stands beside a reference holds as well.
    [{ ...named, $ref: '#/$defs/name', maxLength: 2 }, ['"x"', '"xy"'], ['""', '"xyz"']],
    [
      { ...named, allOf: [{ $ref: '#/$defs/base' }, { properties: { b: { const: 2 } }, required: ['b'] }] },
      ['{"a":1,"b":2}'],
      ['{"a":1}', '{"b":2}', '{}'],
    ],
    [{ ...named, allOf: [{ $ref: '#/$defs/base' }], properties: { b: { const: 2 } } }, ['{"b":2,"a":1}', '{"a":1}'], ['{"b":2}']],
    [
      {
        $defs: {
          tree: { type: 'object', properties: { v: { type: 'integer' }, next: { $ref: '#/$defs/tree' } }, required: ['v'] },
        },
        $ref: '#/$defs/tree',
      },
      ['{"v":1}', '{"v":1,"next":{"v":2,"next":{"v":3}}}'],
      ['{"next":{"v":1}}', '{"v":1,"next":{}}'],
    ],
    [{ definitions: { 'a/b': { const: 1 } }, $ref: '#/definitions/a~1b' }, ['1'], ['2']],
  ]);
});

describe('what cannot be promised is refused, by the place and with a remedy', () => {
  it.each<[unknown, string]>([
    [{ const: 1, type: 'string' }, 'at #: no value can satisfy it; loosen it'],
    [{ enum: [1, 2], type: 'string' }, 'at #: no value can satisfy it; loosen it'],
    [{ enum: [] }, 'at #: no value can satisfy it; loosen it'],
    [{ enum: [1, 5, 10], minimum: 5 }, '"minimum" beside given values is not looked at; leave out what does not fit it'],
    [{ type: 'string', minLength: 3, maxLength: 2 }, 'no value can satisfy it'],
    [{ type: 'number', minimum: 1, exclusiveMaximum: 1 }, 'no value can satisfy it'],
    [{ anyOf: [{ type: 'string' }], oneOf: [{ type: 'integer' }] }, 'at #: it has both "anyOf" and "oneOf"; write one of them'],
    [{ type: 'array', uniqueItems: true, minItems: 2 }, 'several different items ("uniqueItems") are not promised here'],
    [{ type: 'array', minItems: -1 }, 'at #/minItems: it is no whole number; give one of at least 0'],
    [{ type: 'string', maxLength: 1.5 }, 'at #/maxLength: it is no whole number'],
    [{ type: 'object', minProperties: 2 }, 'several properties without names ("minProperties") are not promised here'],
    [{ type: 'object', properties: { a: {} }, minProperties: 2 }, 'it asks for more or fewer properties than it names'],
    [{ type: 'object', properties: { a: { if: {} } } }, 'at #/properties/a: "if" is not known here'],
    [{ type: 'array', items: { dependentRequired: {} } }, 'at #/items: "dependentRequired" is not known here'],
    [{ type: 'array', contains: {} }, '"contains" is not known here'],
    [{ allOf: [{ minLength: 1 }, { minLength: 2 }] }, 'its parts disagree about "minLength"'],
    [{ allOf: [{ type: 'string' }, true] }, 'a part of it is no object'],
    [{ oneOf: [{ type: 'string' }, { type: 'string', maxLength: 1 }] }, 'a value might fit several choices of "oneOf"'],
    [{ type: 'string', pattern: '(a)\\1' }, 'pattern'],
    [{ type: 'string', pattern: '(?!a)' }, 'looks ahead or behind'],
    [{ type: 'string', pattern: '[z-a]' }, 'pattern'],
    [{ type: 'string', pattern: '(a' }, 'pattern'],
    [{ $ref: '#/$defs/x/y', $defs: { x: 1 } }, '"#/$defs/x/y" points to nothing; correct it'],
  ])('%j', (schema, said) => expect(() => compileConstraint({ kind: 'schema', schema })).toThrow(said));
});
