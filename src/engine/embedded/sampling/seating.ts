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
  private queue: ActiveSample[] = [];
  private readonly reserved = new Map<Seat, ActiveSample>();
  private readonly store: SequenceStore;
  /** The first token of each slot's sequence, side by side: most slots hold another one, and a look at each would cost more. */
  private firsts: Int32Array;
  private clock = 0;

  constructor(
    private lane: SlotMemory,
    parkedBytes: number,
    private readonly statistics: { add(count: 'reusedTokens', amount: number): void },
    /** What steps computed is a prefix too: where bits depend on the company of a row anyway. */
    private readonly keepsReplies = false,
  ) {
    this.store = new SequenceStore(parkedBytes);
    this.firsts = new Int32Array(lane.slots.length).fill(-1);
  }

  /** Nobody waits and nobody is being answered. */
  get isEmpty(): boolean {
    return this.queue.length === 0 && this.reserved.size === 0 && !this.lane.slots.some((slot) => slot.owner);
  }

  add(sample: ActiveSample): void {
    const slot = continuation(this.lane.slots, this.firsts, sample, (other) => this.reserved.has(other));
    if (slot) this.reserved.set(slot, sample);
    else this.queue.push(sample);
  }

  /** Another lane takes over while nobody is being answered; what the old one remembers is parked. */
  moveTo(lane: SlotMemory): void {
    for (const slot of this.lane.slots) this.park(slot);
    this.lane = lane;
    this.firsts = new Int32Array(lane.slots.length).fill(-1);
  }

  /** Gives waiting requests their slots. */
  admit(): void {
    for (const [slot, sample] of this.reserved) this.seat(slot, sample);
    this.reserved.clear();
    const waiting = this.queue;
    if (waiting.length === 0) return;
    const idle = this.idle();
    this.queue = [];
    for (let i = 0; i < waiting.length; i++) {
      const sample = waiting[i] as ActiveSample;
      const seated = this.place(sample, idle);
      if (seated === 'full') {
        // Not as arguments of a call: there may be very many.
        this.queue = [...this.queue, ...waiting.slice(i)];
        return;
      }
      if (seated === 'later') this.queue.push(sample);
    }
  }

  /** A slot for a request, unless none is free (`full`) or somebody is computing most of its prompt (`later`). */
  private place(sample: ActiveSample, idle: Seat[]): 'seated' | 'later' | 'full' {
    const { lane, firsts } = this;
    if (sample.leader?.prompting === true) return 'later';
    let match = bestMatch(lane.slots, firsts, this.store, sample);
    sample.leader = match.leader;
    if (match.leader) return 'later';
    const slot = this.vacate(idle, match.slot, match.count);
    if (!slot) return 'full';
    // Whoever made room may have taken the place of what was found.
    if (match.parked && !this.store.has(match.parked)) match = bestMatch(lane.slots, firsts, this.store, sample);
    if (match.parked) {
      lane.insert(slot, match.parked.cache, match.parked.tokens.length, match.count);
      slot.ready = match.count;
      if (match.count === match.parked.tokens.length) this.store.remove(match.parked);
    } else if (match.slot && match.slot !== slot) lane.copy(match.slot, slot, match.count);
    else slot.ready = Math.min(slot.ready, match.count);
    this.seat(slot, sample);
    return 'seated';
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
    this.firsts[slot.index] = sample.prompt[0] as number;
    slot.hashes.cut(slot.ready);
    slot.owner = sample;
    sample.prompting = slot.ready < sample.prompt.length - 1;
    this.statistics.add('reusedTokens', slot.ready);
  }

  /** Slots without an owner: last the empty ones, before them those that were idle longest. */
  private idle(): Seat[] {
    const free = this.lane.slots.filter((slot) => !slot.owner);
    const age = ({ ready, lastUse }: Seat): number => (ready === 0 ? -1 : lastUse);
    return free.sort((a, b) => age(b) - age(a) || b.index - a.index);
  }

  /**
   * A slot to sit in: an empty one, else the one that was idle longest, whose sequence is parked. Where nothing can be parked and less is
   * lost by it, the slot where `count` tokens of the prompt were found.
   */
  private vacate(idle: Seat[], keep: Seat | undefined, count: number): Seat | undefined {
    while (idle.at(-1)?.owner) idle.pop();
    const oldest = idle.findLast((slot) => !slot.owner && slot !== keep);
    const own = keep && !keep.owner ? keep : undefined;
    if (!oldest) return own;
    if (own && this.store.budget === 0 && oldest.ready > 0 && own.ready - count <= oldest.ready) return own;
    if (oldest.ready > 0) this.park(oldest);
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
      [this.firsts[high], this.firsts[low]] = [this.firsts[low] as number, this.firsts[high] as number];
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
