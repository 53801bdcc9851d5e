import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { integer, optional, readFields, text } from './fields.ts';

const fields = { id: integer(), action: text(), data_idx: optional(integer(), 0) };
const read = (given: unknown) => readFields(fields, given, 'body');
const types = (given: unknown) => {
  const result = read(given);
  return 'complaints' in result ? result.complaints.map(({ type, loc }) => `${type} ${loc.join('.')}`) : [];
};

describe('readFields', () => {
  it('coerces what pydantic coerces', () => {
    for (const [given, id] of [
      ['7', 7],
      [' 7 ', 7],
      ['+7', 7],
      ['-7', -7],
      ['1_0', 10],
      ['1.00', 1],
      ['00012', 12],
      [true, 1],
      [1.0, 1],
    ] as const) {
      expect(read({ id: given, action: 'x' })).toEqual({ input: { id, action: 'x', data_idx: 0 } });
    }
  });

  it('refuses what pydantic refuses, in its words', () => {
    for (const id of ['', '1.', '1.5', '1e3', '0x10', '1__0', '_1', '７', 'nan']) {
      expect(types({ id, action: 'x' })).toEqual(['int_parsing body.id']);
    }
    expect(types({ id: 1.5, action: 3 })).toEqual(['int_from_float body.id', 'string_type body.action']);
    expect(types({ id: null, action: null })).toEqual(['int_type body.id', 'string_type body.action']);
    expect(types({ id: [1] })).toEqual(['int_type body.id', 'missing body.action']);
    expect(types([1])).toEqual(['model_attributes_type body']);
    expect(types(undefined)).toEqual(['missing body']);
  });

  it('takes null for an optional field, ignores unknown ones, and is not fooled by inherited ones', () => {
    expect(read({ id: 0, action: '', data_idx: null, minecraft_dir: 'x' })).toEqual({
      input: { id: 0, action: '', data_idx: null },
    });
    expect(types(JSON.parse('{"__proto__": {"id": 1, "action": "x"}}'))).toEqual(['missing body.id', 'missing body.action']);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.anything(), (given) => void read(given)));
    fc.assert(fc.property(fc.anything(), fc.anything(), (id, action) => void read({ id, action })));
  });
});
