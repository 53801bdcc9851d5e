/**
 * Compresses in the Snappy format, which pandas and pyarrow write by default: literals and copies from at most 64 KiB back. Made for
 * pages of text: whatever is in the way of a tight loop over one buffer is left out.
 */

const tableBits = 14;
const mostOffset = 0xffff;
/** Matches are looked for up to so many bytes before the end, so that four bytes can always be read. */
const margin = 15;
const table = new Uint32Array(1 << tableBits);

export function snappyCompress(input: Uint8Array): Uint8Array<ArrayBuffer> {
  const { length } = input;
  const view = new DataView(input.buffer, input.byteOffset, length);
  const output = new Uint8Array(16 + length + Math.ceil(length / 6));
  let at = 0;
  for (let rest = length; ; rest >>>= 7) {
    if (rest < 128) {
      output[at++] = rest;
      break;
    }
    output[at++] = (rest & 127) | 128;
  }
  table.fill(0);
  const limit = length - margin;
  let emitted = 0;
  let place = 1;
  while (place < limit) {
    // The longer nothing is found, the larger the steps.
    let searched = 32;
    let word = view.getInt32(place, true);
    let candidate = swap(word, place);
    while (place - candidate > mostOffset || view.getInt32(candidate, true) !== word) {
      place += searched++ >>> 5;
      if (place >= limit) break;
      word = view.getInt32(place, true);
      candidate = swap(word, place);
    }
    if (place >= limit) break;
    at = literal(input, emitted, place, output, at);
    const offset = place - candidate;
    let end = place + 4;
    let from = candidate + 4;
    while (end < limit && view.getInt32(end, true) === view.getInt32(from, true)) {
      end += 4;
      from += 4;
    }
    while (end < length && input[end] === input[from]) {
      end++;
      from++;
    }
    at = copy(offset, end - place, output, at);
    emitted = end;
    place = end;
    if (place < limit) swap(view.getInt32(place - 1, true), place - 1);
  }
  at = literal(input, emitted, length, output, at);
  return output.subarray(0, at);
}

/** The last place where these four bytes, or others with their hash, were seen; now it is here. */
function swap(word: number, place: number): number {
  const hash = Math.imul(word, 0x1e35a7bd) >>> (32 - tableBits);
  const before = table[hash] as number;
  table[hash] = place;
  return before;
}

function literal(input: Uint8Array, from: number, to: number, output: Uint8Array, start: number): number {
  const length = to - from;
  if (length === 0) return start;
  let at = start;
  const last = length - 1;
  if (last < 60) output[at++] = last << 2;
  else {
    const bytes = last < 0x100 ? 1 : last < 0x10000 ? 2 : last < 0x1000000 ? 3 : 4;
    output[at++] = (59 + bytes) << 2;
    for (let i = 0; i < bytes; i++) output[at++] = last >>> (8 * i);
  }
  if (length > 48) output.set(input.subarray(from, to), at);
  else for (let i = 0; i < length; i++) output[at + i] = input[from + i] as number;
  return at + length;
}

function copy(offset: number, length: number, output: Uint8Array, start: number): number {
  let at = start;
  let rest = length;
  while (rest > 0) {
    // No piece may be shorter than four bytes.
    const piece = rest > 67 ? 64 : rest > 64 ? 60 : rest;
    if (piece < 12 && offset < 2048) {
      output[at++] = 1 | ((piece - 4) << 2) | ((offset >>> 8) << 5);
      output[at++] = offset;
    } else {
      output[at++] = 2 | ((piece - 1) << 2);
      output[at++] = offset;
      output[at++] = offset >>> 8;
    }
    rest -= piece;
  }
  return at;
}
