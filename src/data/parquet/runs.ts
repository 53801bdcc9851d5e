/** Parquet's hybrid of run lengths and packed bits, for levels and for indexes into a dictionary. Runs of eight and more are written as runs. */

export function encodeRuns(values: ArrayLike<number>, width: number): Uint8Array {
  const { length } = values;
  const output = new Uint8Array(Math.ceil(length / 8) * (width + 6) + 16);
  let at = 0;
  /** Where the groups of eight begin that will be packed. */
  let packed = 0;
  let i = 0;
  while (i < length) {
    const value = values[i] as number;
    let end = i + 1;
    while (end < length && values[end] === value) end++;
    if (end - i < 8) {
      i += 8;
      continue;
    }
    at = pack(values, packed, i, width, output, at);
    at = number((end - i) << 1, output, at);
    for (let rest = width, left = value; rest > 0; rest -= 8, left >>>= 8) output[at++] = left;
    i = end;
    packed = end;
  }
  at = pack(values, packed, i, width, output, at);
  return output.subarray(0, at);
}

/** Groups of eight values from `from` to `to`; behind the last value, zeros fill the group. */
function pack(values: ArrayLike<number>, from: number, to: number, width: number, output: Uint8Array, start: number): number {
  if (from === to) return start;
  let at = number((((to - from) >> 3) << 1) | 1, output, start);
  const { length } = values;
  let bits = 0;
  let held = 0;
  for (let i = from; i < to; i++) {
    if (i < length) bits |= (values[i] as number) << held;
    for (held += width; held >= 8; held -= 8) {
      output[at++] = bits;
      bits >>>= 8;
    }
  }
  return at;
}

/** A number in groups of seven bits. */
function number(value: number, output: Uint8Array, start: number): number {
  let at = start;
  let rest = value;
  for (; rest >= 128; rest >>>= 7) output[at++] = (rest & 127) | 128;
  output[at++] = rest;
  return at;
}
