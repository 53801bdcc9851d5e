/**
 * Who sits where: requests that wait, slots that are kept for one, sequences that had to leave their slot. Every lane seats
 * its fair share of what waits; a prompt goes where most of it is in memory already, and members of a group wait for the one
 * of them that computes their common prompt.
 */
import type { Lane, Slot } from './lane.ts';
import { bestMatch, continuation } from './match.ts';
import type { PendingSample } from './request.ts';
import type { SamplerStatistics } from './statistics.ts';
import { SequenceStore } from './store.ts';

export type Seat = Slot<PendingSample>;
export type SampleLane = Lane<PendingSample>;

export class Seating {
  private readonly queue: PendingSample[] = [];
  private readonly reserved = new Map<Seat, PendingSample>();
  private open: SampleLane[] = [];
  /** Lanes that were too narrow and only end what they began. */
  private readonly closing = new Set<SampleLane>();
  private readonly store: SequenceStore;
  private clock = 0;

  constructor(
    parkedBytes: number,
    private readonly statistics: SamplerStatistics,
  ) {
    this.store = new SequenceStore(parkedBytes);
  }

  /** Lanes that take requests. */
  get lanes(): readonly SampleLane[] {
    return this.open;
  }

  get hasWaiting(): boolean {
    return this.queue.length > 0;
  }

  /** Whether any request waits for a slot or has one. */
  get hasRequests(): boolean {
    return this.hasWaiting || this.reserved.size > 0 || this.open.some(hasOwner);
  }

  /** Whether some request is being answered. */
  get isAnswering(): boolean {
    return this.all().some(hasOwner);
  }

  /** Takes a request in. `continues`: it may take the slot whose sequence it goes on from. */
  add(pending: PendingSample, continues: boolean): void {
    const slot = continues ? continuation(this.open, pending, (other) => this.reserved.has(other)) : undefined;
    if (slot) this.reserved.set(slot, pending);
    else this.queue.push(pending);
  }

  /** Those that had a slot kept for them wait in front of the others again. */
  unreserve(): void {
    for (const pending of this.reserved.values()) this.queue.unshift(pending);
    this.reserved.clear();
  }

  /** New lanes take over; the old ones, given back, end their requests. */
  replaceLanes(lanes: SampleLane[]): readonly SampleLane[] {
    const old = this.open;
    for (const lane of old) this.closing.add(lane);
    this.open = lanes;
    this.unreserve();
    return old;
  }

  /** Closes a lane that was replaced and has nobody left; what it remembers is parked. False when it still has work. */
  retire(lane: SampleLane): boolean {
    if (!this.closing.has(lane) || hasOwner(lane)) return false;
    this.closing.delete(lane);
    for (const slot of lane.slots) this.park(lane, slot);
    lane[Symbol.dispose]();
    return true;
  }

  /** Gives waiting requests slots of this lane: its fair share of them, those with something to reuse where it lies. */
  admit(lane: SampleLane, version: number): void {
    for (const [slot, pending] of this.reserved) {
      if (slot.lane !== lane) continue;
      this.reserved.delete(slot);
      this.seat(slot, pending, version);
    }
    if (this.queue.length === 0) return;
    const all = this.open.reduce((count, other) => count + owners(other), 0);
    let quota = Math.ceil((all + this.queue.length) / this.open.length) - owners(lane);
    for (let i = 0; i < this.queue.length && quota > 0;) {
      const pending = this.queue[i] as PendingSample;
      if (pending.leader?.prompting === true) {
        i++;
        continue;
      }
      const match = bestMatch(this.open, this.store, pending);
      pending.leader = match.leader;
      if (match.leader) continue;
      const slot = this.vacate(lane, match.slot);
      if (!slot) break;
      this.queue.splice(i, 1);
      quota--;
      if (match.parked) {
        lane.insert(slot, match.parked.cache, match.parked.tokens.length, match.count);
        slot.ready = match.count;
        if (match.count === match.parked.tokens.length) this.store.remove(match.parked);
      } else if (match.slot && match.slot !== slot) lane.copy(match.slot, slot, match.count);
      else slot.ready = Math.min(slot.ready, match.count);
      this.seat(slot, pending, version);
    }
  }

  /** How many rows the next step of a lane has. Closes gaps first when most of them would be idle. */
  rowsOf(lane: SampleLane, fixedWidth: boolean): number {
    const { slots } = lane;
    let active = 0;
    let stepping = 0;
    let rows = 0;
    for (const slot of slots) {
      if (!slot.owner) continue;
      active++;
      if (isPrompted(slot)) stepping++;
      rows = slot.index + 1;
    }
    if (stepping === 0) return 0;
    if (fixedWidth) return slots.length;
    if (rows >= 8 && active * 2 <= rows) rows = this.closeGaps(lane, active);
    return Math.min(Math.ceil(rows / 4) * 4, slots.length);
  }

  /** A request is done: its prompt stays in the slot until somebody else needs it; its reply comes back as a part of a prompt. */
  leave(slot: Seat): void {
    if (slot.owner) slot.ready = Math.min(slot.ready, slot.owner.prompt.length - 1);
    slot.owner = undefined;
    slot.lastUse = ++this.clock;
  }

  /** Empties a slot; gives back who sat there. */
  release(slot: Seat): PendingSample | undefined {
    const { owner } = slot;
    slot.owner = undefined;
    slot.ready = 0;
    slot.hashes.cut(0);
    return owner;
  }

  /** Drops a request that has no slot yet; false when it is being answered, and leaves when its step is over. */
  drop(pending: PendingSample): boolean {
    const waiting = this.queue.indexOf(pending);
    if (waiting >= 0) {
      this.queue.splice(waiting, 1);
      return true;
    }
    for (const [slot, reserved] of this.reserved) {
      if (reserved !== pending) continue;
      this.reserved.delete(slot);
      this.release(slot);
      return true;
    }
    return false;
  }

  /** Forgets every sequence: they belong to other weights. */
  forget(): void {
    for (const lane of this.all()) {
      lane.forgetCalls();
      for (const slot of lane.slots) this.release(slot);
    }
    this.store.clear();
  }

  /** Closes all lanes; gives back everybody who waited or was being answered. */
  close(): PendingSample[] {
    const left = [...this.queue.splice(0), ...this.reserved.values()];
    this.reserved.clear();
    for (const lane of this.all()) {
      for (const slot of lane.slots) {
        const owner = this.release(slot);
        if (owner) left.push(owner);
      }
      lane[Symbol.dispose]();
    }
    this.open = [];
    this.closing.clear();
    this.store.clear();
    return left;
  }

  /** Seats a request whose prompt goes on from the `ready` positions of the slot. */
  private seat(slot: Seat, pending: PendingSample, version: number): void {
    if (slot.ready >= pending.prompt.length) slot.ready = pending.prompt.length - 1;
    slot.tokens.set(pending.prompt);
    slot.hashes.cut(slot.ready);
    slot.owner = pending;
    pending.prompting = slot.ready < pending.prompt.length - 1;
    pending.version = version;
    this.statistics.reusedTokens += slot.ready;
  }

  /** A slot of the lane to sit in: an empty one, else the one that was idle longest, whose sequence is parked. */
  private vacate(lane: SampleLane, keep: Seat | undefined): Seat | undefined {
    let oldest: Seat | undefined;
    for (const slot of lane.slots) {
      if (slot.owner || this.reserved.has(slot)) continue;
      if (slot.ready === 0) return slot;
      if (slot !== keep && (!oldest || slot.lastUse < oldest.lastUse)) oldest = slot;
    }
    if (!oldest) return keep && keep.lane === lane && !keep.owner && !this.reserved.has(keep) ? keep : undefined;
    this.park(lane, oldest);
    return oldest;
  }

  private park(lane: SampleLane, slot: Seat): void {
    if (slot.ready > 0) {
      const room = this.store.add(slot.tokens.slice(0, slot.ready), lane.extractedLength(slot));
      if (room) lane.extract(slot, room);
    }
    this.release(slot);
  }

  private closeGaps(lane: SampleLane, active: number): number {
    const { slots } = lane;
    let low = 0;
    for (let high = slots.length - 1; high >= active; high--) {
      const from = slots[high] as Seat;
      if (!from.owner) continue;
      while (low < high && (slots[low]?.owner !== undefined || this.reserved.has(slots[low] as Seat))) low++;
      if (low >= high) return high + 1;
      const to = slots[low] as Seat;
      this.park(lane, to);
      const { owner, ready } = from;
      lane.copy(from, to, ready);
      to.tokens.set(from.tokens);
      to.ready = ready;
      to.owner = owner;
      this.release(from);
    }
    return active;
  }

  private all(): SampleLane[] {
    return [...this.open, ...this.closing];
  }
}

/** Whether the prompt in a slot is computed up to its last token, which goes through a step. */
export function isPrompted(slot: Seat): boolean {
  return slot.owner !== undefined && slot.ready >= slot.owner.prompt.length - 1;
}

function hasOwner(lane: SampleLane): boolean {
  return lane.slots.some((slot) => slot.owner);
}

function owners(lane: SampleLane): number {
  return lane.slots.reduce((count, slot) => count + Number(slot.owner !== undefined), 0);
}
