/**
 * CPython's `random.Random` (MT19937), draw for draw: seeding by an integer, random, getrandbits, randrange, choice,
 * shuffle, sample, choices, uniform, gauss. Pinned by vectors recorded from CPython 3.11. String seeds are left out:
 * nothing here needs them.
 */
const SIZE = 624;
const MIDDLE = 397;

export class PythonRandom {
  private readonly state = new Uint32Array(SIZE);
  private position = SIZE;
  private pendingGauss: number | undefined;

  /** Seeds as `random.seed(n)` does with an int: by its absolute value in 32-bit chunks. */
  constructor(seed: number | bigint) {
    let rest = BigInt(seed);
    if (rest < 0n) rest = -rest;
    const key: number[] = [];
    do {
      key.push(Number(rest & 0xffffffffn));
      rest >>= 32n;
    } while (rest > 0n);
    this.initialiseByArray(key);
  }

  /** The next 32 bits. */
  uint32(): number {
    if (this.position >= SIZE) this.twist();
    let y = this.at(this.position++);
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    y ^= y >>> 18;
    return y >>> 0;
  }

  /** `random()`: uniform in [0, 1) with 53 bits. */
  random(): number {
    const high = this.uint32() >>> 5;
    const low = this.uint32() >>> 6;
    return (high * 67108864 + low) / 9007199254740992;
  }

  /** `getrandbits(k)` for k from 0 to 32. */
  getrandbits(bits: number): number {
    if (!(Number.isInteger(bits) && bits >= 0 && bits <= 32)) throw new RangeError(`getrandbits takes 0 to 32 bits, not ${bits}`);
    return bits === 0 ? 0 : this.uint32() >>> (32 - bits);
  }

  /** `randrange(stop)` or `randrange(start, stop)`. */
  randrange(start: number, stop?: number): number {
    return stop === undefined ? this.below(start) : start + this.below(stop - start);
  }

  /** `randint(low, high)`, both included. */
  randint(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  choice<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  /** `shuffle(items)`, in place as in Python; returns the same array. */
  shuffle<T>(items: T[]): T[] {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      const held = items[i] as T;
      items[i] = items[j] as T;
      items[j] = held;
    }
    return items;
  }

  /** `sample(items, k)`: without replacement, in selection order, by CPython's pool or set method. */
  sample<T>(items: readonly T[], k: number): T[] {
    const n = items.length;
    if (!(Number.isInteger(k) && k >= 0 && k <= n)) throw new RangeError(`cannot sample ${k} of ${n} items`);
    const result: T[] = [];
    let setSize = 21;
    if (k > 5) setSize += 4 ** Math.ceil(Math.log(k * 3) / Math.log(4));
    if (n <= setSize) {
      const pool = [...items];
      for (let i = 0; i < k; i++) {
        const j = this.below(n - i);
        result.push(pool[j] as T);
        pool[j] = pool[n - i - 1] as T;
      }
      return result;
    }
    const selected = new Set<number>();
    for (let i = 0; i < k; i++) {
      let j = this.below(n);
      while (selected.has(j)) j = this.below(n);
      selected.add(j);
      result.push(items[j] as T);
    }
    return result;
  }

  /** `choices(items, k=k)`: with replacement; with `weights` by bisection of the running sums. */
  choices<T>(items: readonly T[], k: number, weights?: readonly number[]): T[] {
    const n = items.length;
    if (!weights) return Array.from({ length: k }, () => items[Math.floor(this.random() * n)] as T);
    let total = 0;
    const sums = weights.map((weight) => (total += weight));
    return Array.from({ length: k }, () => {
      const draw = this.random() * total;
      let low = 0;
      let high = n - 1;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (draw < (sums[middle] as number)) high = middle;
        else low = middle + 1;
      }
      return items[low] as T;
    });
  }

  uniform(low: number, high: number): number {
    return low + (high - low) * this.random();
  }

  /** `gauss(mean, deviation)`; the second value of each pair is kept for the next call, as in CPython. */
  gauss(mean = 0, deviation = 1): number {
    let z = this.pendingGauss;
    this.pendingGauss = undefined;
    if (z === undefined) {
      const angle = this.random() * 2 * Math.PI;
      const radius = Math.sqrt(-2 * Math.log(1 - this.random()));
      z = Math.cos(angle) * radius;
      this.pendingGauss = Math.sin(angle) * radius;
    }
    return mean + z * deviation;
  }

  /** `_randbelow(n)`: as many bits as n has, drawn again until below n. */
  private below(n: number): number {
    if (!(Number.isInteger(n) && n >= 1 && n < 0x100000000)) throw new RangeError(`a range of ${n} values cannot be drawn from`);
    const bits = 32 - Math.clz32(n);
    for (;;) {
      const draw = this.getrandbits(bits);
      if (draw < n) return draw;
    }
  }

  private initialiseByArray(key: readonly number[]): void {
    const mt = this.state;
    mt[0] = 19650218;
    for (let i = 1; i < SIZE; i++) {
      const last = this.at(i - 1);
      mt[i] = Math.imul(1812433253, last ^ (last >>> 30)) + i;
    }
    let i = 1;
    let j = 0;
    for (let k = Math.max(SIZE, key.length); k > 0; k--) {
      const last = this.at(i - 1);
      mt[i] = (this.at(i) ^ Math.imul(last ^ (last >>> 30), 1664525)) + (key[j] as number) + j;
      if (++i >= SIZE) {
        mt[0] = this.at(SIZE - 1);
        i = 1;
      }
      if (++j >= key.length) j = 0;
    }
    for (let k = SIZE - 1; k > 0; k--) {
      const last = this.at(i - 1);
      mt[i] = (this.at(i) ^ Math.imul(last ^ (last >>> 30), 1566083941)) - i;
      if (++i >= SIZE) {
        mt[0] = this.at(SIZE - 1);
        i = 1;
      }
    }
    mt[0] = 0x80000000;
  }

  private twist(): void {
    const mt = this.state;
    for (let i = 0; i < SIZE; i++) {
      const y = (this.at(i) & 0x80000000) | (this.at((i + 1) % SIZE) & 0x7fffffff);
      mt[i] = this.at((i + MIDDLE) % SIZE) ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
    }
    this.position = 0;
  }

  private at(index: number): number {
    return this.state[index] as number;
  }
}
