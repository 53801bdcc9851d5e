/** Parquet's hybrid of run lengths and packed bits, read with every count held to how many values there are. Throws `Damage`. */
import { Damage, numberAt } from './thrift.ts';

/** Writers fill packed runs up to whole groups; none says more than so many values too many. */
const slack = 512;

/** `length` values of `width` bits between two places of a page. */
export function readRuns(view: DataView, start: number, end: number, width: number, length: number): Uint32Array {
  if (width > 32) throw new Damage(`values of ${width} bits`);
  const output = new Uint32Array(length);
  let seen = 0;
  for (let at = start; seen < length;) {
    const [head, next] = numberAt(view, at);
    const left = length - seen;
    if ((head & 1) === 0) {
      const run = Math.floor(head / 2);
      at = next + ((width + 7) >> 3);
      if (run > left || at > end) throw new Damage(`a run of ${run} where ${left} values are left`);
      let value = 0;
      for (let place = at - 1; place >= next; place--) value = value * 256 + view.getUint8(place);
      output.fill(value, seen, (seen += run));
    } else {
      const packed = Math.floor(head / 2) * 8;
      const taken = Math.min(packed, left);
      if (packed >= left + slack || next + Math.ceil((taken * width) / 8) > end)
        throw new Damage(`${packed} packed values where ${left} are left`);
      unpack(view, next, width, output.subarray(seen, (seen += taken)));
      at = next + (packed / 8) * width;
    }
  }
  return output;
}

function unpack(view: DataView, start: number, width: number, output: Uint32Array): void {
  if (width === 0) return;
  let at = start;
  let held = 0;
  let bits = 0;
  const base = 2 ** width;
  for (let i = 0; i < output.length; i++) {
    // As a product, not with shifts: up to 39 bits are held.
    for (; held < width; held += 8) bits += view.getUint8(at++) * 2 ** held;
    output[i] = bits % base;
    bits = Math.floor(bits / base);
    held -= width;
  }
}
