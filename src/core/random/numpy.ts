/**
 * numpy's `default_rng(seed)`: SeedSequence, then PCG64 (XSL-RR 128/64), bit for bit. Covers what environments draw:
 * `integers` of ranges below 2^32 and `uniform`. The 128-bit state lies in four 32-bit limbs, products in doubles, so
 * nothing allocates; shapes, other dtypes and other distributions are left out.
 */
import { at } from '../at.ts';

export class NumpyRandom {
  // State and increment, least significant limb first.
  private s0 = 0;
  private s1 = 0;
  private s2 = 0;
  private s3 = 0;
  private readonly increment: readonly [number, number, number, number];
  // The last 64 bits drawn, and whether their upper half still waits for the next 32-bit draw.
  private low = 0;
  private high = 0;
  private halfWaits = false;
  private waiting = 0;

  /** Any non-negative integer, as `numpy.random.default_rng(seed)` takes it. */
  constructor(seed: number | bigint) {
    const words = generateState(mixEntropy(seedWords(seed)), 8);
    const word = (i: number): number => at(words, i);
    // generate_state gives 64-bit words with their low half first; the upper 64 bits of each 128-bit number come first.
    const state = [word(2), word(3), word(0), word(1)] as const;
    const stream = [word(6), word(7), word(4), word(5)] as const;
    this.increment = [
      ((stream[0] << 1) | 1) >>> 0,
      ((stream[1] << 1) | (stream[0] >>> 31)) >>> 0,
      ((stream[2] << 1) | (stream[1] >>> 31)) >>> 0,
      ((stream[3] << 1) | (stream[2] >>> 31)) >>> 0,
    ];
    this.advance();
    this.add(state);
    this.advance();
  }

  /** An integer in [low, high); a range of one draws nothing. */
  integers(low: number, high: number): number {
    const range = high - low;
    if (!(range >= 1 && range <= 0x100000000))
      throw new RangeError(`integers needs low < high ≤ low + 2^32, not ${low}, ${high}`);
    if (range === 1) return low;
    if (range === 0x100000000) return low + this.uint32();
    // Lemire's method: the upper 32 bits of draw × range; small leftovers are redrawn to stay unbiased.
    for (let threshold = -1; ;) {
      const draw = this.uint32();
      // Below 2^21 the product is exact in a double; above, it is put together from two halves.
      const product = draw * range;
      let upper: number;
      let leftover: number;
      if (range <= 0x200000) {
        upper = Math.floor(product / 0x100000000);
        leftover = product - upper * 0x100000000;
      } else {
        const big = BigInt(draw) * BigInt(range);
        upper = Number(big >> 32n);
        leftover = Number(big & 0xffffffffn);
      }
      if (leftover >= range) return low + upper;
      if (threshold < 0) threshold = (0x100000000 - range) % range;
      if (leftover >= threshold) return low + upper;
    }
  }

  /** A double in [low, high) from 53 fresh bits; the half that waits for a 32-bit draw is left alone. */
  uniform(low = 0, high = 1): number {
    this.draw64();
    return low + (high - low) * ((this.high * 0x200000 + (this.low >>> 11)) / 0x20000000000000);
  }

  /** The next 32 bits: the lower half of a fresh 64-bit draw, then its upper half. */
  uint32(): number {
    if (this.halfWaits) {
      this.halfWaits = false;
      return this.waiting;
    }
    this.draw64();
    this.halfWaits = true;
    this.waiting = this.high;
    return this.low;
  }

  /** Steps the generator, then folds the state: the halves are xored and rotated by the top six bits. */
  private draw64(): void {
    this.advance();
    const low = this.s0 ^ this.s2;
    const high = this.s1 ^ this.s3;
    const bits = this.s3 >>> 26;
    const a = bits >= 32 ? high : low;
    const b = bits >= 32 ? low : high;
    const turn = bits & 31;
    this.low = (turn === 0 ? a : (a >>> turn) | (b << (32 - turn))) >>> 0;
    this.high = (turn === 0 ? b : (b >>> turn) | (a << (32 - turn))) >>> 0;
  }

  /** state × multiplier + increment, modulo 2^128. Columns are 16 bits apart; each sums at most four 48-bit products. */
  private advance(): void {
    const { s0, s1, s2, s3 } = this;
    const c0 = s0 * 0xf645;
    const c1 = s0 * 0x9fcc;
    const c2 = s0 * 0xdf64 + s1 * 0xf645;
    const c3 = s0 * 0x4385 + s1 * 0x9fcc;
    const c4 = s0 * 0x5da4 + s1 * 0xdf64 + s2 * 0xf645;
    const c5 = s0 * 0x1fc6 + s1 * 0x4385 + s2 * 0x9fcc;
    const c6 = s0 * 0xed05 + s1 * 0x5da4 + s2 * 0xdf64 + s3 * 0xf645;
    const c7 = s0 * 0x2360 + s1 * 0x1fc6 + s2 * 0x4385 + s3 * 0x9fcc;
    // Pairs of columns make a limb: even + (odd << 16), with what overflows carried on.
    let total = c0 + (c1 % 0x10000) * 0x10000;
    this.s0 = total % 0x100000000;
    total = Math.floor(total / 0x100000000) + Math.floor(c1 / 0x10000) + c2 + (c3 % 0x10000) * 0x10000;
    this.s1 = total % 0x100000000;
    total = Math.floor(total / 0x100000000) + Math.floor(c3 / 0x10000) + c4 + (c5 % 0x10000) * 0x10000;
    this.s2 = total % 0x100000000;
    total = Math.floor(total / 0x100000000) + Math.floor(c5 / 0x10000) + c6 + (c7 % 0x10000) * 0x10000;
    this.s3 = total % 0x100000000;
    this.add(this.increment);
  }

  private add(value: readonly [number, number, number, number]): void {
    let total = this.s0 + value[0];
    this.s0 = total >>> 0;
    total = this.s1 + value[1] + (total > 0xffffffff ? 1 : 0);
    this.s1 = total >>> 0;
    total = this.s2 + value[2] + (total > 0xffffffff ? 1 : 0);
    this.s2 = total >>> 0;
    this.s3 = (this.s3 + value[3] + (total > 0xffffffff ? 1 : 0)) >>> 0;
  }
}

/** The seed as 32-bit words, least significant first; zero is one word. */
function seedWords(seed: number | bigint): number[] {
  if (typeof seed === 'number' && !Number.isSafeInteger(seed)) throw new RangeError(`a seed is an integer, not ${seed}`);
  if (seed < 0) throw new RangeError(`a seed is not negative, as ${seed} is`);
  const words: number[] = [];
  let rest = BigInt(seed);
  do {
    words.push(Number(rest & 0xffffffffn));
    rest >>= 32n;
  } while (rest > 0n);
  return words;
}

const poolSize = 4;

/** SeedSequence's entropy pool: hashes each word in with a constant that changes at each use, then mixes all pairs. */
function mixEntropy(entropy: readonly number[]): Uint32Array {
  let constant = 0x43b0d7e5;
  const hash = (value: number): number => {
    const before = constant;
    constant = Math.imul(constant, 0x931e8875);
    const mixed = Math.imul(value ^ before, constant);
    return mixed ^ (mixed >>> 16);
  };
  const mix = (x: number, y: number): number => {
    const mixed = Math.imul(x, 0xca01f9dd) - Math.imul(y, 0x4973f715);
    return mixed ^ ((mixed | 0) >>> 16);
  };
  const pool = new Uint32Array(poolSize);
  for (let i = 0; i < poolSize; i++) pool[i] = hash(entropy[i] ?? 0);
  for (let source = 0; source < poolSize; source++) {
    for (let target = 0; target < poolSize; target++) {
      if (source !== target) pool[target] = mix(at(pool, target), hash(at(pool, source)));
    }
  }
  for (let source = poolSize; source < entropy.length; source++) {
    for (let target = 0; target < poolSize; target++) pool[target] = mix(at(pool, target), hash(at(entropy, source)));
  }
  return pool;
}

/** `count` 32-bit words from the pool. */
function generateState(pool: Uint32Array, count: number): Uint32Array {
  let constant = 0x8b51f9dd;
  const words = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const value = at(pool, i % poolSize) ^ constant;
    constant = Math.imul(constant, 0x58f38ded);
    const mixed = Math.imul(value, constant);
    words[i] = mixed ^ (mixed >>> 16);
  }
  return words;
}
