/**
 * Protocol Buffers' own encoding, as much of it as the Tinker messages use: varints, doubles, strings, bytes, packed integers,
 * nested messages. A reader never looks past its bytes: a message that ends too soon or claims too much is an error.
 */
import { AgogeError } from '../../../core/error.ts';

type WireType = 0 | 1 | 2 | 5;

/** Writes fields in the order of the calls. */
export class ProtoWriter {
  private parts: Uint8Array[] = [];
  private length = 0;

  varint(field: number, value: number): this {
    return this.tag(field, 0).raw(varintOf(value));
  }

  double(field: number, value: number): this {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value, true);
    return this.tag(field, 1).raw(bytes);
  }

  bytes(field: number, value: Uint8Array): this {
    return this.tag(field, 2).raw(varintOf(value.length)).raw(value);
  }

  string(field: number, value: string): this {
    return this.bytes(field, new TextEncoder().encode(value));
  }

  message(field: number, write: (writer: ProtoWriter) => void): this {
    const inner = new ProtoWriter();
    write(inner);
    return this.bytes(field, inner.finish());
  }

  /** Repeated integers as proto3 packs them; an empty list writes nothing. */
  packed(field: number, values: readonly number[]): this {
    return values.length === 0 ? this : this.bytes(field, concat(values.map(varintOf)));
  }

  finish(): Uint8Array {
    return concat(this.parts, this.length);
  }

  private tag(field: number, type: WireType): this {
    return this.raw(varintOf(field * 8 + type));
  }

  private raw(bytes: Uint8Array): this {
    this.parts.push(bytes);
    this.length += bytes.length;
    return this;
  }
}

/** One field of a message: a number for varints and doubles, bytes for the rest. */
export interface ProtoField {
  readonly number: number;
  readonly type: WireType;
  readonly value: number;
  readonly bytes: Uint8Array;
}

const nothing = new Uint8Array();
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The fields of a message in the order they were written; unknown ones included, for the caller to pass over. */
export function* protoFields(message: Uint8Array): Generator<ProtoField, void, undefined> {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 10; shift++) {
      const byte = message[at++];
      if (byte === undefined) throw broken('a number has no end');
      // The upper bits of a negative number: none of the fields read here may be one.
      if (shift < 9) value += (byte & 127) * 2 ** (7 * shift);
      if (byte < 128) return value;
    }
    throw broken('a number is longer than ten bytes');
  };
  while (at < message.length) {
    const tag = varint();
    const number = Math.floor(tag / 8);
    const type = tag % 8;
    if (number < 1) throw broken('a field has the number 0');
    if (type === 0) yield { number, type, value: varint(), bytes: nothing };
    else if (type === 1 || type === 5) {
      const size = type === 1 ? 8 : 4;
      if (at + size > message.length) throw broken(`field ${number} is cut off`);
      const value = type === 1 ? view.getFloat64(at, true) : view.getFloat32(at, true);
      at += size;
      yield { number, type, value, bytes: nothing };
    } else if (type === 2) {
      const size = varint();
      if (at + size > message.length) throw broken(`field ${number} claims ${size} bytes, ${message.length - at} are left`);
      yield { number, type, value: 0, bytes: message.subarray(at, at + size) };
      at += size;
    } else throw broken(`field ${number} has the wire type ${type}`);
  }
}

export function textOf({ bytes }: ProtoField): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw broken('a string is not UTF-8', cause);
  }
}

/** A number from 0 of at most 53 bits: what is wider, or was negative, is refused. */
export function wholeOf({ value }: ProtoField): number {
  if (!Number.isSafeInteger(value)) throw broken('a number is wider than 53 bits');
  return value;
}

/** Repeated integers, packed or one by one. */
export function integersOf(field: ProtoField): number[] {
  if (field.type === 0) return [wholeOf(field)];
  const values: number[] = [];
  let value = 0;
  let factor = 1;
  for (const byte of field.bytes) {
    value += (byte & 127) * factor;
    factor *= 128;
    if (byte >= 128 && factor < 2 ** 70) continue;
    if (byte >= 128 || !Number.isSafeInteger(value)) throw broken('a number is wider than 53 bits');
    values.push(value);
    [value, factor] = [0, 1];
  }
  if (factor !== 1) throw broken('a list of numbers is cut off');
  return values;
}

/** One entry of a map: its key and the field that holds its value. */
export function entryOf({ bytes }: ProtoField): { readonly key: string; readonly value: ProtoField | undefined } {
  let key = '';
  let value: ProtoField | undefined;
  for (const field of protoFields(bytes)) {
    if (field.number === 1) key = textOf(field);
    else if (field.number === 2) value = field;
  }
  return { key, value };
}

export function broken(why: string, cause?: unknown): AgogeError {
  return new AgogeError('ENGINE_TINKER_MESSAGE', `a Tinker message cannot be read, ${why}: send what the SDK sends`, { cause });
}

function varintOf(value: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0) throw broken(`${value} is no whole number from 0`);
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

function concat(parts: readonly Uint8Array[], length = parts.reduce((sum, part) => sum + part.length, 0)): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
