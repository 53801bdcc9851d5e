/** Half-precision numbers (IEEE float16 and bfloat16) to float32, exactly. */

const bits = new Uint32Array(1);
const float = new Float32Array(bits.buffer);
let table: Float32Array | undefined;

/** One float16, given as its 16 bits. */
export function float16(half: number): number {
  return halves()[half] ?? 0;
}

/** Little-endian float16 bytes to float32. */
export function widenFloat16(source: Uint8Array, target: Float32Array): void {
  const lookup = halves();
  for (let i = 0; i < target.length; i++) target[i] = lookup[(source[2 * i] ?? 0) | ((source[2 * i + 1] ?? 0) << 8)] ?? 0;
}

/** Little-endian bfloat16 bytes to float32: the upper half of the same number. */
export function widenBfloat16(source: Uint8Array, target: Float32Array): void {
  const words = new Uint32Array(target.buffer, target.byteOffset, target.length);
  for (let i = 0; i < words.length; i++) words[i] = ((source[2 * i] ?? 0) << 16) | ((source[2 * i + 1] ?? 0) << 24);
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
  return float[0] ?? 0;
}
