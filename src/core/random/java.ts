/**
 * java.util.Random and the shuffle of scala.util.Random, draw for draw: ScienceWorld seeds one with a variation's number.
 * A linear congruential generator of 48 bits, kept as two halves of 24 so that no product leaves the exact integers.
 */
export class JavaRandom {
  private high: number;
  private low: number;

  /** `seed` is a Java long. */
  constructor(seed: number | bigint) {
    const scrambled = BigInt.asUintN(48, BigInt(seed) ^ 0x5deece66dn);
    this.high = Number(scrambled >> 24n);
    this.low = Number(scrambled & 0xffffffn);
  }

  /** The highest `bits` (1 to 32) of the next state; all 32 are a signed integer. */
  next(bits: number): number {
    // state × 0x5DEECE66D + 11 modulo 2^48; the multiplier's halves are 0x5DE and 0xECE66D.
    const low = this.low * 0xece66d + 11;
    const carry = Math.floor(low / 0x1000000);
    this.high = (this.high * 0xece66d + this.low * 0x5de + carry) % 0x1000000;
    this.low = low % 0x1000000;
    const top = this.high * 256 + Math.floor(this.low / 65536);
    return bits === 32 ? top | 0 : top >>> (32 - bits);
  }

  /** Any int, or with a bound a uniform integer in [0, bound). */
  nextInt(bound?: number): number {
    if (bound === undefined) return this.next(32);
    if (!(Number.isInteger(bound) && bound > 0 && bound <= 0x7fffffff)) {
      throw new RangeError(`bound must be 1 to 2^31 - 1, not ${bound}`);
    }
    if ((bound & -bound) === bound) return Math.floor((bound * this.next(31)) / 0x80000000);
    for (;;) {
      const bits = this.next(31);
      const value = bits % bound;
      if (bits - value + (bound - 1) <= 0x7fffffff) return value;
    }
  }

  nextBoolean(): boolean {
    return this.next(1) !== 0;
  }

  /** Uniform in [0, 1) with 24 bits. */
  nextFloat(): number {
    return this.next(24) / 0x1000000;
  }

  /** Uniform in [0, 1) with 53 bits. */
  nextDouble(): number {
    const high = this.next(26);
    return (high * 0x8000000 + this.next(27)) / 0x20000000000000;
  }

  /** Another generator that goes on from here. */
  copy(): JavaRandom {
    const other = new JavaRandom(0);
    other.high = this.high;
    other.low = this.low;
    return other;
  }

  /** A shuffled copy, as scala.util.Random.shuffle. */
  shuffle<T>(items: readonly T[]): T[] {
    const copy = [...items];
    for (let n = copy.length; n >= 2; n--) {
      const k = this.nextInt(n);
      [copy[n - 1], copy[k]] = [copy[k] as T, copy[n - 1] as T];
    }
    return copy;
  }
}
