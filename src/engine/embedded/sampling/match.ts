/** Where the beginning of a prompt is in memory already: in a slot, or parked. */
import type { Lane, Slot } from './lane.ts';
import { commonLength, type PrefixHashes } from './prefix.ts';
import type { PendingSample } from './request.ts';
import type { ParkedSequence } from './store.ts';

export interface Match {
  /** Tokens of the prompt that need not be computed. */
  readonly count: number;
  readonly slot: Slot<PendingSample> | undefined;
  readonly parked: ParkedSequence | undefined;
  /** A request that is computing more of this prompt than was found: worth waiting for. */
  readonly leader: PendingSample | undefined;
}

/** An idle slot whose whole sequence this prompt continues. */
export function continuation(
  lanes: readonly Lane<PendingSample>[],
  { prompt, hashes }: PendingSample,
  isTaken: (slot: Slot<PendingSample>) => boolean,
): Slot<PendingSample> | undefined {
  for (const lane of lanes) {
    for (const slot of lane.slots) {
      const { ready } = slot;
      if (slot.owner || ready === 0 || ready >= prompt.length || isTaken(slot)) continue;
      if (slot.hashes.common(ready, hashes, ready) === ready && commonLength(slot.tokens, prompt, ready) === ready) return slot;
    }
  }
  return undefined;
}

/** Where most of a prompt is. */
export function bestMatch(
  lanes: readonly Lane<PendingSample>[],
  store: Iterable<ParkedSequence>,
  { prompt, hashes }: PendingSample,
): Match {
  let count = 0;
  let slot: Slot<PendingSample> | undefined;
  let parked: ParkedSequence | undefined;
  let leader: PendingSample | undefined;
  let coming = 0;
  const limit = prompt.length - 1;
  const usable = (other: { tokens: Int32Array; hashes: PrefixHashes }, length: number): number => {
    if (length <= count) return 0;
    const common = other.hashes.common(length, hashes, limit);
    return common <= count ? 0 : commonLength(other.tokens, prompt, common);
  };
  for (const lane of lanes) {
    for (const candidate of lane.slots) {
      const found = usable(candidate, prompted(candidate));
      if (found > count) {
        count = found;
        slot = candidate;
      }
      const { owner } = candidate;
      if (owner?.prompting === true) {
        const common = owner.hashes.common(owner.prompt.length - 1, hashes, limit);
        if (common > coming) {
          coming = common;
          leader = owner;
        }
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

/**
 * Positions of a slot that were computed as a prompt. What decode steps computed is not a prefix for anybody: the same tokens get
 * other last bits there, and then it would matter who sampled what and what was still in memory.
 */
function prompted({ ready, owner }: Slot<PendingSample>): number {
  return owner ? Math.min(ready, owner.prompt.length - 1) : ready;
}
