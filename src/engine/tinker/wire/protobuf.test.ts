import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, floatsOf, numbersOf } from './arrays.ts';
import { formatPath, parsePath } from './paths.ts';
import { entryOf, integersOf, protoFields, ProtoWriter, textOf, wholeOf, type ProtoField } from './protobuf.ts';
import { decodeTrainingRequest, encodeTrainingRequest } from './training-proto.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const fields = (text: string): ProtoField[] => [...protoFields(Buffer.from(text, 'hex'))];
const only = (writer: ProtoWriter): ProtoField => {
  const [field, ...rest] = protoFields(writer.finish());
  if (!field || rest.length > 0) throw new Error('one field was expected');
  return field;
};

describe('the encoding', () => {
  // The examples of Protocol Buffers' own description.
  it.each([
    ['a varint', new ProtoWriter().varint(1, 150), '089601'],
    ['a text', new ProtoWriter().string(2, 'testing'), '120774657374696e67'],
    ['a message', new ProtoWriter().message(3, (inner) => inner.varint(1, 150)), '1a03089601'],
    ['packed numbers', new ProtoWriter().packed(6, [3, 270, 86_942]), '3206038e029ea705'],
    ['a field beyond 15', new ProtoWriter().varint(16, 0), '800100'],
    ['a double', new ProtoWriter().double(1, 1), '09000000000000f03f'],
    ['no numbers', new ProtoWriter().packed(6, []), ''],
    ['an empty text', new ProtoWriter().string(1, ''), '0a00'],
  ])('%s', (_, writer, text) => expect(hex(writer.finish())).toBe(text));
  it('is read back for every whole number of 53 bits', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => wholeOf(only(new ProtoWriter().varint(1, value))) === value),
      { seed: 1 },
    );
    fc.assert(
      fc.property(fc.array(fc.maxSafeNat(), { minLength: 1 }), (values) => {
        expect(integersOf(only(new ProtoWriter().packed(1, values)))).toEqual(values);
      }),
      { seed: 2 },
    );
  });
  it('refuses to write what is no whole number from 0', () => {
    for (const value of [-1, 0.5, NaN, Infinity, 2 ** 53])
      expect(() => new ProtoWriter().varint(1, value)).toThrow(/no whole number/);
  });
});

describe('reading', () => {
  it('passes over fields that it does not know, of every wire type', () => {
    const bytes = new ProtoWriter().varint(99, 7).double(98, 1).string(97, 'x').string(1, 'model').finish();
    expect(decodeTrainingRequest(bytes)).toMatchObject({ modelId: 'model' });
    expect(fields('0d0000803f')).toMatchObject([{ number: 1, type: 5, value: 1 }]);
  });
  it.each([
    ['a number without an end', '0880'],
    ['a number of eleven bytes', `08${'80'.repeat(10)}01`],
    ['the field 0', '0001'],
    ['a double that is cut off', '0900000000'],
    ['a text that is cut off', '0a0561'],
    ['a text that claims everything', '0affffffff0f61'],
    ['a group', '0b'],
    ['a wire type that there is not', '0e'],
  ])('refuses %s', (_, text) => expect(() => fields(text)).toThrow(/a Tinker message cannot be read/));
  it.each([
    ['a packed number that is cut off', '0a0180', /cut off/],
    ['a packed number wider than 53 bits', '0a09ffffffffffffffff7f', /53 bits/],
    ['a packed number without an end', `0a14${'ff'.repeat(20)}`, /53 bits/],
    ['a packed number of zeros without an end', `0aff01${'80'.repeat(255)}`, /53 bits/],
  ])('refuses %s', (_, text, why) => {
    const [field] = fields(text);
    expect(() => field && integersOf(field)).toThrow(why);
  });
  it('refuses texts that are not UTF-8', () => {
    const [field] = fields('0a01ff');
    expect(() => field && textOf(field)).toThrow(/not UTF-8/);
  });
  it('a negative number is not a large one', () => {
    expect(() => decodeTrainingRequest(Buffer.from('10ffffffffffffffffff01', 'hex'))).toThrow(/53 bits/);
  });
  it('takes the last of a repeated key and value, and entries without them', () => {
    expect(
      entryOf(only(new ProtoWriter().message(1, (entry) => entry.string(1, 'a').string(1, 'b').double(2, 3)))),
    ).toMatchObject({
      key: 'b',
      value: { value: 3 },
    });
    expect(entryOf(only(new ProtoWriter().bytes(1, new Uint8Array())))).toEqual({ key: '', value: undefined });
  });
});

describe('a training request', () => {
  const tensor = { dtype: 'float32' as const, data: [1], shape: [1] };
  const request = {
    modelId: 'm',
    seqId: 1,
    data: [
      {
        chunks: [[1]],
        inputs: Object.fromEntries([
          ['__proto__', tensor],
          ['weights', tensor],
        ]),
      },
    ],
    lossFn: 'cross_entropy',
    config: Object.fromEntries([
      ['__proto__', 1],
      ['constructor', 2],
    ]),
    forwardOnly: false,
  };
  it('keeps every key that it came with, those of JavaScript too', () => {
    const read = decodeTrainingRequest(encodeTrainingRequest(request));
    expect(Object.keys(read.data[0]?.inputs ?? {})).toEqual(['__proto__', 'weights']);
    expect(Object.entries(read.config)).toEqual([
      ['__proto__', 1],
      ['constructor', 2],
    ]);
  });
  it('has tensors of a few dimensions', () => {
    const inputs = { weights: { dtype: 'float32' as const, data: [1], shape: Array.from({ length: 9 }, () => 1) } };
    const bytes = encodeTrainingRequest({ ...request, data: [{ chunks: [[1]], inputs }] });
    expect(() => decodeTrainingRequest(bytes)).toThrow(/more than 8 dimensions/);
  });
  it('has tokens of 32 bits', () => {
    for (const token of [2 ** 31, -(2 ** 31) - 1, 0.5])
      expect(() => encodeTrainingRequest({ ...request, data: [{ chunks: [[token]], inputs: {} }] })).toThrow(
        /32 bits|whole number/,
      );
  });
});

describe('arrays', () => {
  it('are little-endian', () => {
    expect(hex(bytesOf('int32', [1, -1]))).toBe('01000000ffffffff');
    expect(hex(bytesOf('int64', [1, -2]))).toBe('0100000000000000feffffffffffffff');
    expect(hex(bytesOf('float32', [1, -0.5, NaN]))).toBe('0000803f000000bf0000c07f');
  });
  it('come back as they were', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.array(fc.float()), (whole, floats) => {
        expect(Array.from(numbersOf(bytesOf('int32', whole), 'int32'))).toEqual(whole);
        expect(Array.from(numbersOf(bytesOf('int64', whole), 'int64'))).toEqual(whole);
        expect(Array.from(floatsOf(bytesOf('float32', floats)))).toEqual(floats);
      }),
      { seed: 1 },
    );
  });
  it('of bfloat16 are widened', () => {
    expect(Array.from(numbersOf(Buffer.from('803f00bf807f', 'hex'), 'bfloat16'))).toEqual([1, -0.5, Infinity]);
  });
  it('are read from the middle of a larger buffer', () => {
    const whole = Buffer.concat([Buffer.alloc(3), bytesOf('int32', [7])]);
    expect(Array.from(numbersOf(whole.subarray(3), 'int32'))).toEqual([7]);
  });
  it('are refused where bytes are left over or a number is too wide', () => {
    expect(() => numbersOf(new Uint8Array(5), 'int32')).toThrow(/5 bytes are no array of int32/);
    expect(() => numbersOf(Buffer.from('0000000000002000', 'hex'), 'int64')).toThrow(/53 bits/);
    expect(() => bytesOf('int64', [0.5])).toThrow(/no whole number/);
  });
});

describe('paths of checkpoints', () => {
  it.each([
    ['tinker://run/weights/name', { run: 'run', kind: 'weights', name: 'name' }],
    ['tinker://a-b_c:train:0/sampler_weights/000020', { run: 'a-b_c:train:0', kind: 'sampler_weights', name: '000020' }],
    ['tinker://run/name', { run: 'run', kind: 'sampler_weights', name: 'name' }],
    ['tinker://run/weights', { run: 'run', kind: 'sampler_weights', name: 'weights' }],
  ])('%s', (text, path) => expect(parsePath(text)).toEqual(path));
  it.each([
    'tinker://../weights/name',
    'tinker://run/weights/..',
    'tinker://run/weights/.hidden',
    'tinker://run/weights/a/b',
    'tinker://run/other/name',
    'tinker:///weights/name',
    'tinker://run/weights/',
    'tinker://run/weights/a b',
    'tinker://run/weights/a\n',
    'tinker://run/weights/%2e%2e',
    'http://run/weights/name',
    '',
  ])('%j is none', (text) => expect(() => parsePath(text)).toThrow(/is no checkpoint of a Tinker server/));
  it('are written as they are read', () => {
    const path = { run: 'r:1', kind: 'weights', name: 'a.b' } as const;
    expect(parsePath(formatPath(path))).toEqual(path);
  });
});
