/**
 * Who sits where in a lane: requests that wait, slots that are kept for one, sequences that had to leave their slot. A prompt
 * goes where most of it is in memory already, and members of a group wait for the one of them that computes their common prompt.
 */
import type { ActiveSample } from './active.ts';
import type { Lane, Slot } from './lane.ts';
import { bestMatch, continuation } from './match.ts';
import { SequenceStore } from './store.ts';

export type Seat = Slot<ActiveSample>;
export type SampleLane = Lane<ActiveSample>;
/** What holds the keys and values of slots. */
export type SlotMemory = Pick<SampleLane, 'slots' | 'copy' | 'extractedLength' | 'extract' | 'insert'> & {
  /** Two sequences change places. Where that cannot be done, what stands in the way is parked. */
  swap?(one: Seat, other: Seat): void;
};

export class Seating {
  private readonly queue: ActiveSample[] = [];
  private readonly reserved = new Map<Seat, ActiveSample>();
  private readonly store: SequenceStore;
  private clock = 0;

  constructor(
    private lane: SlotMemory,
    parkedBytes: number,
    private readonly statistics: { add(count: 'reusedTokens', amount: number): void },
    /** What steps computed is a prefix too: where bits depend on the company of a row anyway. */
    private readonly keepsReplies = false,
  ) {
    this.store = new SequenceStore(parkedBytes);
  }

  /** Nobody waits and nobody is being answered. */
  get isEmpty(): boolean {
    return this.queue.length === 0 && this.reserved.size === 0 && !this.lane.slots.some((slot) => slot.owner);
  }

  add(sample: ActiveSample): void {
    const slot = continuation(this.lane.slots, sample, (other) => this.reserved.has(other));
    if (slot) this.reserved.set(slot, sample);
    else this.queue.push(sample);
  }

  /** Another lane takes over while nobody is being answered; what the old one remembers is parked. */
  moveTo(lane: SlotMemory): void {
    for (const slot of this.lane.slots) this.park(slot);
    this.lane = lane;
  }

  /** Gives waiting requests their slots. */
  admit(): void {
    for (const [slot, sample] of this.reserved) this.seat(slot, sample);
    this.reserved.clear();
    const { lane } = this;
    for (let i = 0; i < this.queue.length;) {
      const sample = this.queue[i] as ActiveSample;
      if (sample.leader?.prompting === true) {
        i++;
        continue;
      }
      let match = bestMatch(lane.slots, this.store, sample);
      sample.leader = match.leader;
      if (match.leader) continue;
      const slot = this.vacate(match.slot, match.count);
      if (!slot) break;
      // Whoever made room may have taken the place of what was found.
      if (match.parked && !this.store.has(match.parked)) match = bestMatch(lane.slots, this.store, sample);
      this.queue.splice(i, 1);
      if (match.parked) {
        lane.insert(slot, match.parked.cache, match.parked.tokens.length, match.count);
        slot.ready = match.count;
        if (match.count === match.parked.tokens.length) this.store.remove(match.parked);
      } else if (match.slot && match.slot !== slot) lane.copy(match.slot, slot, match.count);
      else slot.ready = Math.min(slot.ready, match.count);
      this.seat(slot, sample);
    }
  }

  /** How many rows the next step has. Closes gaps first when most of them would be idle. */
  rows(fixedWidth: boolean): number {
    const { slots } = this.lane;
    const { active, stepping, rows } = this.occupied();
    if (stepping === 0) return 0;
    if (fixedWidth) return slots.length;
    const closed = isSparse(active, rows) ? this.closeGaps(active) : rows;
    return Math.min(Math.ceil(closed / 4) * 4, slots.length);
  }

  /** Whether `rows` would move sequences to other slots. */
  get hasGaps(): boolean {
    const { active, rows } = this.occupied();
    return isSparse(active, rows);
  }

  /** A request is done: its prompt stays in the slot until somebody else needs it; its reply comes back as a part of a prompt. */
  leave(slot: Seat): void {
    if (slot.owner && !this.keepsReplies) slot.ready = Math.min(slot.ready, slot.owner.prompt.length - 1);
    slot.owner = undefined;
    slot.lastUse = ++this.clock;
  }

  /** Ends a request wherever it is. */
  cancel(id: number): void {
    const waiting = this.queue.findIndex((sample) => sample.id === id);
    if (waiting >= 0) this.queue.splice(waiting, 1);
    for (const [slot, sample] of this.reserved) if (sample.id === id) this.reserved.delete(slot);
    for (const slot of this.lane.slots) {
      if (slot.owner?.id !== id) continue;
      slot.owner.prompting = false;
      this.leave(slot);
    }
  }

  /** Forgets every sequence: they belong to other weights. */
  forget(): void {
    for (const slot of this.lane.slots) release(slot);
    this.store.clear();
  }

  /** Seats a request whose prompt goes on from the `ready` positions of the slot. */
  private seat(slot: Seat, sample: ActiveSample): void {
    if (slot.ready >= sample.prompt.length) slot.ready = sample.prompt.length - 1;
    slot.tokens.set(sample.prompt);
    slot.hashes.cut(slot.ready);
    slot.owner = sample;
    sample.prompting = slot.ready < sample.prompt.length - 1;
    this.statistics.add('reusedTokens', slot.ready);
  }

  /**
   * A slot to sit in: an empty one, else the one that was idle longest, whose sequence is parked. Where nothing can be parked and less is
   * lost by it, the slot where `count` tokens of the prompt were found.
   */
  private vacate(keep: Seat | undefined, count: number): Seat | undefined {
    let oldest: Seat | undefined;
    for (const slot of this.lane.slots) {
      if (slot.owner || this.reserved.has(slot)) continue;
      if (slot.ready === 0) return slot;
      if (slot !== keep && (!oldest || slot.lastUse < oldest.lastUse)) oldest = slot;
    }
    const own = keep && !keep.owner && !this.reserved.has(keep) ? keep : undefined;
    if (!oldest) return own;
    if (own && this.store.budget === 0 && own.ready - count <= oldest.ready) return own;
    this.park(oldest);
    return oldest;
  }

  private park(slot: Seat): void {
    if (slot.ready > 0) {
      const room = this.store.add(slot.tokens.slice(0, slot.ready), this.lane.extractedLength(slot));
      if (room) this.lane.extract(slot, room);
    }
    release(slot);
  }

  /** Slots with an owner, those among them that can take a step, and the number of the last one. */
  private occupied(): { active: number; stepping: number; rows: number } {
    let [active, stepping, rows] = [0, 0, 0];
    for (const slot of this.lane.slots) {
      if (!slot.owner) continue;
      active++;
      if (isPrompted(slot)) stepping++;
      rows = slot.index + 1;
    }
    return { active, stepping, rows };
  }

  private closeGaps(active: number): number {
    const { slots } = this.lane;
    let low = 0;
    for (let high = slots.length - 1; high >= active; high--) {
      const from = slots[high] as Seat;
      if (!from.owner) continue;
      while (low < high && (slots[low]?.owner !== undefined || this.reserved.has(slots[low] as Seat))) low++;
      if (low >= high) return high + 1;
      const to = slots[low] as Seat;
      const { owner, ready } = from;
      if (this.lane.swap) {
        this.lane.swap(from, to);
        from.owner = undefined;
        from.lastUse = to.lastUse;
      } else {
        this.park(to);
        this.lane.copy(from, to, ready);
        to.tokens.set(from.tokens);
        release(from);
      }
      to.owner = owner;
    }
    return active;
  }
}

/** Whether the prompt in a slot is computed up to its last token, which goes through a step. */
export function isPrompted(slot: Seat): boolean {
  return slot.owner !== undefined && slot.ready >= slot.owner.prompt.length - 1;
}

function isSparse(active: number, rows: number): boolean {
  return rows >= 8 && active * 2 <= rows;
}

function release(slot: Seat): void {
  slot.owner = undefined;
  slot.ready = 0;
  slot.hashes.cut(0);
}
