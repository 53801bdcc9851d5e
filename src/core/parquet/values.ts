/** Whether the values of a page are all there: every text within the page, every index within the dictionary. Throws `Damage`. */
import { deltaBinaryUnpack } from 'hyparquet/src/delta.js';
import type { Leaf } from './footer.ts';
import { readRuns } from './runs.ts';
import { Damage, numberAt } from './thrift.ts';

export interface ValuesOfPage {
  readonly encoding: string;
  /** Values that are not null. */
  readonly present: number;
  /** Entries of the column's dictionary, where it has one. */
  readonly dictionary: number | undefined;
  readonly leaf: Leaf;
  /** Of the page: V1 or V2. */
  readonly form: 1 | 2;
}

const sizes: Readonly<Record<string, number>> = { INT32: 4, INT64: 8, INT96: 12, FLOAT: 4, DOUBLE: 8 };
/** Bytes of all texts of a page together, where they are written as differences to those before. */
const mostText = 2 ** 30;

/** Checks what a page holds from `at` on. */
export function checkValues(page: Uint8Array, at: number, { encoding, present, dictionary, leaf, form }: ValuesOfPage): void {
  if (present === 0) return;
  const view = new DataView(page.buffer, page.byteOffset, page.length);
  const { type } = leaf.element;
  switch (encoding) {
    case 'PLAIN':
      checkPlain(page, at, leaf, present);
      return;
    case 'PLAIN_DICTIONARY':
    case 'RLE_DICTIONARY': {
      if (dictionary === undefined || type === 'BOOLEAN') throw new Damage('indexes without a dictionary');
      const width = page[at];
      if (width === undefined) throw new Damage('a page ends before its values');
      // The first form may leave out runs of nothing.
      const indexes = width === 0 && form === 1 ? [0] : readRuns(view, at + 1, page.length, width, present);
      for (const index of indexes) if (index >= dictionary) throw new Damage(`index ${index} in a dictionary of ${dictionary}`);
      return;
    }
    case 'RLE': {
      if (type !== 'BOOLEAN') throw new Damage(`values of type ${String(type)} as runs`);
      if (at + 4 > page.length) throw new Damage('a page ends before its values');
      const end = at + 4 + view.getUint32(at, true);
      if (end > page.length) throw new Damage('a page ends within its values');
      readRuns(view, at + 4, end, 1, present);
      return;
    }
    case 'BYTE_STREAM_SPLIT':
      checkRoom(page, at, present * sizeOf(leaf));
      return;
    case 'DELTA_BINARY_PACKED':
      if (type !== 'INT32' && type !== 'INT64') throw new Damage(`values of type ${String(type)} as differences`);
      checkDifferences(view, at, present);
      return;
    case 'DELTA_LENGTH_BYTE_ARRAY': {
      const [lengths, start] = differences(view, at, present);
      checkRoom(page, start, sum(lengths));
      return;
    }
    case 'DELTA_BYTE_ARRAY': {
      const [kept, second] = differences(view, at, present);
      const [added, start] = differences(view, second, present);
      checkRoom(page, start, sum(added));
      let before = 0;
      for (const [i, length] of kept.entries()) {
        if (length < 0 || length > before) throw new Damage(`a text that takes ${length} bytes of the ${before} before it`);
        before = length + (added[i] as number);
      }
      if (sum(kept) > mostText) throw new Damage(`texts of more than ${mostText} bytes in one page`);
      return;
    }
    default:
      throw new Damage(`values encoded as ${encoding}, which is not read here`);
  }
}

/** Checks values that stand one after another. */
export function checkPlain(page: Uint8Array, start: number, leaf: Leaf, values: number): void {
  if (leaf.element.type === 'BOOLEAN') checkRoom(page, start, Math.ceil(values / 8));
  else if (leaf.element.type !== 'BYTE_ARRAY') checkRoom(page, start, values * sizeOf(leaf));
  else {
    const view = new DataView(page.buffer, page.byteOffset, page.length);
    let at = start;
    for (let i = 0; i < values; i++) {
      checkRoom(page, at, 4);
      const length = view.getUint32(at, true);
      checkRoom(page, at + 4, length);
      at += 4 + length;
    }
  }
}

function sizeOf({ element }: Leaf): number {
  const size = element.type === 'FIXED_LEN_BYTE_ARRAY' ? element.type_length : sizes[String(element.type)];
  if (size === undefined || !(size > 0)) throw new Damage(`values of type ${String(element.type)} without a length`);
  return size;
}

function checkRoom(page: Uint8Array, at: number, bytes: number): void {
  if (at + bytes > page.length) throw new Damage('a page ends within its values');
}

function checkDifferences(view: DataView, at: number, values: number): void {
  const [block, afterBlock] = numberAt(view, at);
  const [parts, afterParts] = numberAt(view, afterBlock);
  const [said] = numberAt(view, afterParts);
  if (said !== values) throw new Damage(`${said} differences for ${values} values`);
  if (parts === 0 || parts > block || block % parts > 0 || block > 2 ** 20) throw new Damage(`differences in blocks of ${block}`);
}

function differences(view: DataView, at: number, values: number): readonly [Int32Array, end: number] {
  checkDifferences(view, at, values);
  const output = new Int32Array(values);
  const reader = { view, offset: at };
  deltaBinaryUnpack(reader, values, output);
  return [output, reader.offset];
}

function sum(lengths: Int32Array): number {
  let total = 0;
  for (const length of lengths) {
    if (length < 0) throw new Damage(`a text of ${length} bytes`);
    total += length;
  }
  return total;
}
