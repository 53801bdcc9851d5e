/** Where the beginning of a prompt is in memory already: in a slot, or parked. */
import type { ActiveSample } from './active.ts';
import type { Slot } from './lane.ts';
import { commonLength, type PrefixHashes } from './prefix.ts';
import type { ParkedSequence } from './store.ts';

type Seat = Slot<ActiveSample>;

export interface Match {
  /** Tokens of the prompt that need not be computed. */
  readonly count: number;
  readonly slot: Seat | undefined;
  readonly parked: ParkedSequence | undefined;
  /** A request that is computing more of this prompt than was found: worth waiting for. */
  readonly leader: ActiveSample | undefined;
}

/** An idle slot whose whole sequence this prompt continues. */
export function continuation(
  slots: readonly Seat[],
  firsts: Int32Array,
  { prompt, hashes }: ActiveSample,
  isTaken: (slot: Seat) => boolean,
): Seat | undefined {
  for (const slot of beginningAlike(slots, firsts, prompt)) {
    const { ready } = slot;
    // Most others differ at their end already.
    if (slot.owner || ready === 0 || ready >= prompt.length || slot.tokens[ready - 1] !== prompt[ready - 1]) continue;
    if (isTaken(slot)) continue;
    if (slot.hashes.common(ready, hashes, ready) === ready && commonLength(slot.tokens, prompt, ready) === ready) return slot;
  }
  return undefined;
}

/** Where most of a prompt is. */
export function bestMatch(
  slots: readonly Seat[],
  firsts: Int32Array,
  store: Iterable<ParkedSequence>,
  { prompt, hashes }: ActiveSample,
): Match {
  let count = 0;
  let slot: Seat | undefined;
  let parked: ParkedSequence | undefined;
  let leader: ActiveSample | undefined;
  let coming = 0;
  const limit = prompt.length - 1;
  const usable = (other: { tokens: Int32Array; hashes: PrefixHashes }, length: number): number => {
    // More than was found is only where the next token agrees.
    if (length <= count || other.tokens[count] !== prompt[count]) return 0;
    const common = other.hashes.common(length, hashes, limit);
    return common <= count ? 0 : commonLength(other.tokens, prompt, common);
  };
  for (const candidate of beginningAlike(slots, firsts, prompt)) {
    const found = usable(candidate, prompted(candidate));
    if (found > count) {
      count = found;
      slot = candidate;
    }
    const { owner } = candidate;
    if (owner?.prompting === true && owner.prompt[coming] === prompt[coming]) {
      const common = owner.hashes.common(owner.prompt.length - 1, hashes, limit);
      if (common > coming) {
        coming = common;
        leader = owner;
      }
    }
  }
  for (const candidate of store) {
    const found = usable(candidate, candidate.tokens.length);
    if (found > count) {
      count = found;
      parked = candidate;
      slot = undefined;
    }
  }
  return { count, slot, parked, leader: coming > count + 8 ? leader : undefined };
}

/** Slots whose sequence has the first token of a prompt. */
function beginningAlike(slots: readonly Seat[], firsts: Int32Array, prompt: Int32Array): Seat[] {
  const first = prompt[0];
  const alike: Seat[] = [];
  for (let i = 0; i < firsts.length; i++) if (firsts[i] === first) alike.push(slots[i] as Seat);
  return alike;
}

/**
 * Positions of a slot that were computed as a prompt. What decode steps computed is not a prefix for anybody: the same tokens get
 * other last bits there, and then it would matter who sampled what and what was still in memory.
 */
function prompted({ ready, owner }: Seat): number {
  return owner ? Math.min(ready, owner.prompt.length - 1) : ready;
}
