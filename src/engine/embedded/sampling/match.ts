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

/**
 * Where most of a prompt is. With `reproducible`, a part of another reply that only looks the same is not reusable: its bits
 * came from decode steps, where a prompt's come from prefill.
 */
export function bestMatch(
  lanes: readonly Lane<PendingSample>[],
  store: Iterable<ParkedSequence>,
  { prompt, hashes }: PendingSample,
  reproducible: boolean,
): Match {
  let count = 0;
  let slot: Slot<PendingSample> | undefined;
  let parked: ParkedSequence | undefined;
  let leader: PendingSample | undefined;
  let coming = 0;
  const limit = prompt.length - 1;
  const usable = (other: { tokens: Int32Array; hashes: PrefixHashes; firstDecoded: number }, length: number): number => {
    if (length <= count) return 0;
    let common = other.hashes.common(length, hashes, limit);
    if (common <= count) return 0;
    common = commonLength(other.tokens, prompt, common);
    return common === length || !reproducible ? common : Math.min(common, other.firstDecoded);
  };
  for (const lane of lanes) {
    for (const candidate of lane.slots) {
      const found = usable(candidate, candidate.ready);
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
