/** Who holds how much of a device's memory in this process, and the bound that a user set for all of it. */
import { AgogeError } from '../../../core/error.ts';
import type { CardMemory } from '../../engine.ts';

/** What memory is for; the runtime allocates its own. */
export type MemoryOwner = (typeof owners)[number];
const owners = ['weights', 'training', 'activations', 'cache', 'other'] as const;

/** Of a bound, for the runtime's own memory: it cannot be told beforehand what graphs will need. */
const shareOfRuntime = 1 / 4;
/** Of a bound, for keys and values, whoever comes first. */
const shareOfCache = 1 / 4;
const smallestBound = 2 ** 28;

/** Memory that is kept for the next batch, and that others may have meanwhile. */
export interface Kept {
  /** Bytes that nobody uses now. */
  readonly idle: number;
  /** Gives what is idle back. */
  giveBack(): void;
}

/** Bytes of a device, as far as they are this process's to take. */
export interface Room {
  readonly free: number;
  readonly total: number;
  /** No more is free because of the bound, not because the device is full. */
  readonly byBound: boolean;
}

export class MemoryLedger {
  private readonly kept = new Set<Kept>();
  private readonly held = new Map<MemoryOwner, number>();
  private bound = Infinity;
  private highest = 0;

  constructor(
    /** Bytes that the runtime holds now. */
    private readonly runtime: () => number,
    /** Bytes that a bound includes and nobody is handed: a card's context and its libraries. */
    private readonly context = 0,
  ) {}

  /** Everything that this process takes of the device stays within so many bytes. */
  limit(bytes: number): void {
    if (bytes - this.context < smallestBound)
      throw new AgogeError(
        'ENGINE_BAD_OPTIONS',
        `card memory of ${gib(bytes)} GiB is too little: ${gib(this.context + smallestBound)} GiB are the least, set engine.card_memory higher or leave it out`,
      );
    this.bound = bytes;
  }

  /** Notes what is allocated; the result gives it back. */
  take(owner: MemoryOwner, bytes: number): () => void {
    const add = (amount: number): void => {
      this.held.set(owner, this.of(owner) + amount);
    };
    add(bytes);
    this.highest = Math.max(this.highest, this.bytes);
    return () => add(-bytes);
  }

  /** Notes what may be called in; the result forgets it. */
  keeps(one: Kept): () => void {
    this.kept.add(one);
    return () => this.kept.delete(one);
  }

  /** Bytes that are idle. */
  get idle(): number {
    return [...this.kept].reduce((sum, { idle }) => sum + idle, 0);
  }

  /** Has so many idle bytes given back, at least, where there are as many. */
  callIn(bytes: number): void {
    let missing = bytes;
    for (const one of this.kept) {
      if (missing <= 0) return;
      missing -= one.idle;
      if (one.idle > 0) one.giveBack();
    }
  }

  get memory(): CardMemory {
    const held = Object.fromEntries(owners.map((owner) => [owner, this.of(owner)])) as Record<MemoryOwner, number>;
    const runtime = this.runtime();
    return { held: { ...held, runtime }, most: this.highest + runtime };
  }

  get bytes(): number {
    return [...this.held.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  /** The most that the runtime may hold for itself; 0: as much as there is. */
  get runtimeBound(): number {
    return this.bound === Infinity ? 0 : Math.floor((this.bound - this.context) * shareOfRuntime);
  }

  /** What the device has, as far as it is this process's to take. */
  within({ free, total }: { readonly free: number; readonly total: number }): Room {
    if (this.bound === Infinity) return { free, total, byBound: false };
    const usable = this.bound - this.context - Math.max(this.runtimeBound, this.runtime());
    const left = usable - this.bytes;
    return { free: Math.max(0, Math.min(free, left)), total: Math.min(total, this.bound - this.context), byBound: left < free };
  }

  /** Within a bound: what sampling may still take, and training leaves to it. */
  get owedToCache(): number {
    return this.isBound ? Math.max(0, (this.bound - this.context) * shareOfCache - this.of('cache')) : 0;
  }

  get isBound(): boolean {
    return this.bound !== Infinity;
  }

  private of(owner: MemoryOwner): number {
    return this.held.get(owner) ?? 0;
  }
}

function gib(bytes: number): string {
  return (bytes / 2 ** 30).toFixed(2);
}
