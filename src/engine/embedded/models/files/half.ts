/** Half-precision numbers (IEEE float16 and bfloat16) to float32, exactly, and back, rounded to the nearest, ties to even. */

const bits = new Uint32Array(1);
const float = new Float32Array(bits.buffer);
let table: Float32Array | undefined;

/** One float16, given as its 16 bits. */
export function float16(half: number): number {
  return halves()[half] as number;
}

/** Little-endian float16 bytes to float32. */
export function widenFloat16(source: Uint8Array, target: Float32Array): void {
  const lookup = halves();
  for (let i = 0; i < target.length; i++) target[i] = lookup[(source[2 * i] as number) | ((source[2 * i + 1] as number) << 8)] as number;
}

/** Little-endian bfloat16 bytes to float32: the upper half of the same number. */
export function widenBfloat16(source: Uint8Array, target: Float32Array): void {
  const words = new Uint32Array(target.buffer, target.byteOffset, target.length);
  for (let i = 0; i < words.length; i++) words[i] = ((source[2 * i] as number) << 16) | ((source[2 * i + 1] as number) << 24);
}

/** float32 to little-endian bfloat16 bytes. */
export function narrowBfloat16(source: Float32Array, target: Uint8Array): void {
  const words = new Uint32Array(source.buffer, source.byteOffset, source.length);
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as number;
    // Not a number stays one: rounding must not carry it to infinity.
    const half = (word & 0x7fffffff) > 0x7f800000 ? (word >>> 16) | 0x40 : (word + 0x7fff + ((word >>> 16) & 1)) >>> 16;
    target[2 * i] = half & 0xff;
    target[2 * i + 1] = (half >>> 8) & 0xff;
  }
}

/** float32 to little-endian float16 bytes; what is too large becomes infinity. */
export function narrowFloat16(source: Float32Array, target: Uint8Array): void {
  const words = new Uint32Array(source.buffer, source.byteOffset, source.length);
  for (let i = 0; i < words.length; i++) {
    const half = halfOf(words[i] as number);
    target[2 * i] = half & 0xff;
    target[2 * i + 1] = half >>> 8;
  }
}

function halfOf(word: number): number {
  const sign = (word >>> 16) & 0x8000;
  const magnitude = word & 0x7fffffff;
  if (magnitude > 0x7f800000) return sign | 0x7e00;
  if (magnitude >= 0x477ff000) return sign | 0x7c00;
  // Below 2^-14 the spacing is fixed: 2^-24.
  if (magnitude < 0x38800000) {
    bits[0] = magnitude;
    const scaled = (float[0] as number) * 2 ** 24;
    const floor = Math.floor(scaled);
    const up = scaled - floor > 0.5 || (scaled - floor === 0.5 && floor % 2 === 1);
    return sign | (floor + (up ? 1 : 0));
  }
  return sign | ((magnitude - 0x38000000 + 0xfff + ((magnitude >>> 13) & 1)) >>> 13);
}

/** All 65,536 halves, built once: reading a table beats shifting bits for the hundreds of millions in a checkpoint. */
function halves(): Float32Array {
  if (table) return table;
  const built = new Float32Array(65536);
  for (let half = 0; half < 65536; half++) built[half] = decode(half);
  table = built;
  return built;
}

function decode(half: number): number {
  const sign = (half & 0x8000) << 16;
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0) return (sign === 0 ? 1 : -1) * fraction * 2 ** -24;
  bits[0] = exponent === 31 ? sign | 0x7f800000 | (fraction << 13) : sign | ((exponent + 112) << 23) | (fraction << 13);
  return float[0] as number;
}
