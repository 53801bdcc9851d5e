/**
 * Walks over a struct of Thrift's compact protocol without building it, so that a damaged length or count is found before a decoder
 * believes it: every number, text and list must lie within the bytes that are there.
 */

/** Something in a parquet file that contradicts itself; the reader of the file says where. */
export class Damage extends Error {}

const deepest = 32;

/** Where the struct at `start` ends. */
export function structEnd(view: DataView, start: number): number {
  return struct(view, start, 0);
}

function struct(view: DataView, start: number, depth: number): number {
  if (depth > deepest) throw new Damage('a header is nested too deeply');
  let at = start;
  for (;;) {
    const head = byteAt(view, at++);
    if (head === 0) return at;
    if (head >> 4 === 0) at = numberEnd(view, at, 5);
    at = element(view, at, head & 15, depth);
  }
}

function element(view: DataView, at: number, type: number, depth: number): number {
  switch (type) {
    case 1:
    case 2:
      return at;
    case 3:
      return within(view, at + 1);
    case 4:
    case 5:
      return numberEnd(view, at, 5);
    case 6:
      return numberEnd(view, at, 10);
    case 7:
      return within(view, at + 8);
    case 8: {
      const [length, next] = numberAt(view, at);
      return within(view, next + length);
    }
    case 9: {
      const head = byteAt(view, at);
      const [size, next] = head >> 4 === 15 ? numberAt(view, at + 1) : [head >> 4, at + 1];
      // Whatever it holds takes a byte at least.
      within(view, next + size);
      const of = head & 15;
      let end = next;
      for (let i = 0; i < size; i++) end = of === 1 || of === 2 ? end + 1 : element(view, end, of, depth);
      return within(view, end);
    }
    case 12:
      return struct(view, at, depth + 1);
    default:
      throw new Damage('a header has a field of an unknown kind');
  }
}

/** A number of at most 32 bits in groups of seven, and where it ends. */
export function numberAt(view: DataView, start: number): readonly [value: number, end: number] {
  const end = numberEnd(view, start, 5);
  let value = 0;
  for (let at = end - 1; at >= start; at--) value = value * 128 + (byteAt(view, at) & 127);
  return [value, end];
}

function numberEnd(view: DataView, start: number, most: number): number {
  for (let at = start; at < start + most; at++) if (byteAt(view, at) < 128) return at + 1;
  throw new Damage('a number in a header has no end');
}

function byteAt(view: DataView, at: number): number {
  if (at >= view.byteLength) throw new Damage('a header ends too early');
  return view.getUint8(at);
}

function within(view: DataView, end: number): number {
  if (end > view.byteLength) throw new Damage('a header ends too early');
  return end;
}
