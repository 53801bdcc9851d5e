/**
 * Which lane a request goes to: where the least has to be done for it. That is the lane that got most of its prompt before,
 * unless others have much less in hand. Only speed depends on the choice.
 */

/** Prefixes are remembered at every sixteenth token. */
const block = 16;
/** What a request in hand costs, in prompt tokens that could be computed in the same time. */
const requestCost = 32;
/** Prefixes that are remembered before all are forgotten. */
const mostPrefixes = 1 << 18;

export class Router {
  /** Hash of a prefix → lanes that got it, as bits; lanes beyond the 32nd share bits. */
  private readonly seen = new Map<number, number>();
  private readonly inHand: number[] = [];

  /** One of the first `lanes` lanes; it has the request in hand until `done`. */
  choose(prompt: Int32Array, lanes: number): number {
    const hashes = prefixHashes(prompt);
    const matched = new Int32Array(lanes);
    for (const [i, hash] of hashes.entries()) {
      const bits = this.seen.get(hash);
      if (bits === undefined) break;
      for (let lane = 0; lane < lanes; lane++) if (bits & (1 << (lane & 31))) matched[lane] = (i + 1) * block;
    }
    let chosen = 0;
    let least = Infinity;
    for (let lane = 0; lane < lanes; lane++) {
      const cost = this.load(lane) * requestCost + prompt.length - (matched[lane] as number);
      if (cost < least) [chosen, least] = [lane, cost];
    }
    if (this.seen.size > mostPrefixes) this.seen.clear();
    for (const hash of hashes) this.seen.set(hash, (this.seen.get(hash) ?? 0) | (1 << (chosen & 31)));
    this.inHand[chosen] = this.load(chosen) + 1;
    return chosen;
  }

  done(lane: number): void {
    this.inHand[lane] = this.load(lane) - 1;
  }

  /** The weights changed: nothing that was computed is of use. */
  forget(): void {
    this.seen.clear();
  }

  private load(lane: number): number {
    return this.inHand[lane] ?? 0;
  }
}

/** Of the first 16, 32, … tokens. */
function prefixHashes(tokens: Int32Array): Int32Array {
  const hashes = new Int32Array(Math.floor(tokens.length / block));
  let hash = 0;
  for (let i = 0; i < hashes.length * block; i++) {
    hash = Math.imul(hash ^ (tokens[i] as number), 0x01000193) + i;
    if (i % block === block - 1) hashes[(i - block + 1) / block] = hash;
  }
  return hashes;
}
