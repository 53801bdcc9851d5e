/**
 * Our own generator for everything that does not have to equal somebody else's: xoshiro128** seeded by SplitMix64 of a
 * key. `split` derives an independent stream from a name, so adding a consumer never shifts the draws of another.
 *
 * @example
 * const random = Random.of(1, 'my-env', 'train', 17);
 * console.log(random.pick(['red', 'green', 'blue']));
 */
export class Random {
  private a = 0;
  private b = 0;
  private c = 0;
  private d = 0;

  private constructor(private readonly key: bigint) {
    const seed = splitMix64(key);
    const first = seed();
    const second = seed();
    this.a = Number(first & 0xffffffffn) | 0;
    this.b = Number(first >> 32n) | 0;
    this.c = Number(second & 0xffffffffn) | 0;
    this.d = Number(second >> 32n) | 0;
    if ((this.a | this.b | this.c | this.d) === 0) this.a = 1;
  }

  /** A stream for a seed (any integer) and an optional path of names. */
  static of(seed: number | bigint, ...path: readonly (string | number)[]): Random {
    let key = BigInt.asUintN(64, BigInt(seed));
    for (const part of path) key = mix(key, part);
    return new Random(key);
  }

  /** An independent stream; the same name gives the same stream however much was drawn here. */
  split(...path: readonly (string | number)[]): Random {
    let key = this.key;
    for (const part of path) key = mix(key, part);
    return new Random(key);
  }

  /** The next 32 bits. */
  uint32(): number {
    const scrambled = Math.imul(rotate(Math.imul(this.b, 5), 7), 9);
    const shifted = this.b << 9;
    this.c ^= this.a;
    this.d ^= this.b;
    this.b ^= this.c;
    this.a ^= this.d;
    this.c ^= shifted;
    this.d = rotate(this.d, 11);
    return scrambled >>> 0;
  }

  /** Uniform in [0, 1) with 53 bits. */
  float(): number {
    return ((this.uint32() >>> 5) * 67108864 + (this.uint32() >>> 6)) / 9007199254740992;
  }

  /** Uniform integer in [0, below), without bias. */
  below(below: number): number {
    if (!(below >= 1 && below <= 0x100000000 && Number.isInteger(below)))
      throw new RangeError(`below must be 1 to 2^32, not ${below}`);
    const limit = 0x100000000 - (0x100000000 % below);
    for (;;) {
      const draw = this.uint32();
      if (draw < limit) return draw % below;
    }
  }

  /** Uniform integer in [low, high], both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  /** A shuffled copy. */
  shuffle<T>(items: readonly T[]): T[] {
    const copy = [...items];
    for (let i = copy.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [copy[i], copy[j]] = [copy[j] as T, copy[i] as T];
    }
    return copy;
  }

  /** Standard normal (Box–Muller, one of the pair). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.float())) * Math.cos(2 * Math.PI * this.float());
  }

  /** An integer seed (52 bits) for another generator. */
  seed(): number {
    return Math.floor(this.float() * 4503599627370496);
  }
}

function rotate(x: number, bits: number): number {
  return (x << bits) | (x >>> (32 - bits));
}

function splitMix64(key: bigint): () => bigint {
  let state = key;
  return () => {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
    let z = state;
    z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return z ^ (z >> 31n);
  };
}

/** Mixes a name into a key: FNV-1a over the name's UTF-16 units (numbers by their text), then one SplitMix64 round. */
function mix(key: bigint, part: string | number): bigint {
  let hash = 0xcbf29ce484222325n ^ key;
  for (const unit of typeof part === 'number' ? `#${part}` : part) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(unit.codePointAt(0) as number)) * 0x100000001b3n);
  }
  return splitMix64(hash)();
}
