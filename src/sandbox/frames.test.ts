import { describe, expect, it } from 'vitest';
import { frame, FrameReader } from './frames.ts';

/** A head that says `length`, and what came of the body. */
const cut = (length: number, body = ''): Buffer => {
  const head = Buffer.alloc(4);
  head.writeUInt32LE(length);
  return Buffer.concat([head, Buffer.from(body)]);
};

describe('frame', () => {
  it('is the length in bytes, lowest byte first, then JSON', () => {
    expect([...frame('ü')]).toEqual([4, 0, 0, 0, 0x22, 0xc3, 0xbc, 0x22]);
    expect(frame('x'.repeat(298)).subarray(0, 4)).toEqual(Buffer.from([0x2c, 0x01, 0, 0]));
  });
});

describe('FrameReader', () => {
  it('waits for a whole head and a whole body', () => {
    const reader = new FrameReader(100);
    const bytes = frame([1, 2]);
    expect(reader.add(bytes.subarray(0, 3))).toEqual([]);
    expect(reader.add(bytes.subarray(3, 8))).toEqual([]);
    expect(reader.add(bytes.subarray(8))).toEqual([[1, 2]]);
  });

  it('gives several at once, and keeps the beginning of the next', () => {
    const reader = new FrameReader(100);
    expect(reader.add(Buffer.concat([frame(1), frame('two'), frame({}).subarray(0, 5)]))).toEqual([1, 'two']);
    expect(reader.add(frame({}).subarray(5))).toEqual([{}]);
  });

  it('refuses a message that is too long by its head alone, before any of it is held', () => {
    expect(new FrameReader(10).add(cut(10, '"12345678"'))).toEqual(['12345678']);
    expect(() => new FrameReader(10).add(cut(11))).toThrow(new RangeError('a message of 11 bytes'));
    expect(() => new FrameReader(10).add(cut(2 ** 32 - 1))).toThrow(RangeError);
    const reader = new FrameReader(10);
    expect(() => reader.add(Buffer.concat([frame('a'), cut(11)]))).toThrow(RangeError);
  });

  it.each([
    ['no JSON', cut(3, 'abc')],
    ['an empty message', cut(0)],
    ['half a value', cut(2, '[1')],
  ])('refuses %s', (_, bytes) => expect(() => new FrameReader(100).add(bytes)).toThrow(SyntaxError));
});
