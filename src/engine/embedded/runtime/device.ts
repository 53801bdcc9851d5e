/**
 * Where tensors lie that this process never reads: the memory of a card, or for tests memory beside JavaScript's own with the same rules.
 * Work on a device happens in the order in which it was asked for; only a download, or `settled`, waits for it.
 */
import { AgogeError } from '../../../core/error.ts';
import type { MemoryLedger, MemoryOwner, Room } from './ledger.ts';
import type { Address } from './library.ts';
import type { Runtime } from './runtime.ts';

/** `host`: arrays of JavaScript, on the CPU. `cuda`: a card. `resident`: what a card does, on the CPU, for tests. */
export type DeviceName = 'host' | 'resident' | 'cuda';

export interface Device {
  readonly name: Exclude<DeviceName, 'host'>;
  readonly runtime: Runtime;
  /** Describes its memory to the runtime. */
  readonly memoryInfo: Address;
  /** Who holds what of it. */
  readonly ledger: MemoryLedger;
  /** What the runtime allocates there by itself. */
  readonly scratch: Scratch;
  /** Memory with whatever lies in it, at a multiple of 256. Throws ENGINE_OUT_OF_MEMORY. */
  allocate(bytes: number, owner?: MemoryOwner): DeviceMemory;
  /** Bytes that can still be allocated, and all there are, within the bound that was set. */
  memory(): Room;
  /** From this process to the device; `source` may be changed as soon as this returns. */
  write(target: Address, source: ArrayBufferView): void;
  /** From the device, when all work asked for earlier has ended. */
  read(source: Address, target: ArrayBufferView): Promise<void>;
  copy(target: Address, source: Address, bytes: number): void;
  zero(target: Address, bytes: number): void;
  /** A place in this process for results of at most so many bytes. */
  landing(bytes: number): Landing;
  /** Settles when all work asked for so far has ended. */
  settled(): Promise<void>;
  /** What a session's options need to run here. */
  prepareSession(options: Address, settings: DeviceSessionSettings): void;
  /** Entries for each run here. */
  readonly runEntries: Readonly<Record<string, string>>;
}

/** Memory that the runtime allocates by itself, see scratch.ts. */
export interface Scratch {
  /** Bytes that all arenas hold. */
  readonly bytes: number;
  /** Counts a session that has an arena of its own, until it is forgotten. */
  watch(session: ScratchOwner): void;
  forget(session: ScratchOwner): void;
  /** Gives back what the shared arena holds in vain, where that is much. */
  trim(slack?: number): Promise<void>;
  /** Gives back all that no graph uses now. */
  empty(): Promise<void>;
}

/** A session, as its scratch memory knows it. */
export interface ScratchOwner {
  readonly address: Address;
}

/** Where results arrive while the device goes on with what was asked for after them. */
export interface Landing extends Disposable {
  /**
   * From the device, when all work asked for earlier has ended; what is asked for later does not wait. The bytes stay until the next time:
   * one at a time.
   */
  bring(source: Address, bytes: number): Promise<ArrayBuffer>;
}

export interface DeviceSessionSettings {
  /** Steps of fixed shapes and addresses are recorded once and replayed. */
  readonly capture: boolean;
  /** Products of float32 may use the card's short form with ten bits of mantissa. */
  readonly tf32: boolean;
}

/** Memory on a device, to be given back once. */
export class DeviceMemory implements Disposable {
  private given = false;

  constructor(
    readonly device: Device,
    readonly bytes: number,
    private readonly place: Address,
    private readonly release: () => void,
  ) {}

  get address(): Address {
    if (this.given) throw new TypeError('the memory was given back');
    return this.place;
  }

  [Symbol.dispose](): void {
    if (this.given) return;
    this.given = true;
    this.release();
  }
}

/** Calls in what lies idle where so many bytes need it; throws where that is not enough. */
export function makeRoom(device: Device, bytes: number): void {
  const { ledger } = device;
  const missing = bytes - device.memory().free;
  if (missing <= 0) return;
  ledger.callIn(missing);
  const room = device.memory();
  if (bytes > room.free) throw outOfMemory(bytes, room);
}

/** The refusal of memory, with what can be done about it. */
export function outOfMemory(bytes: number, { free, byBound }: Pick<Room, 'free' | 'byBound'>): AgogeError {
  const gib = (value: number): string => `${(value / 2 ** 30).toFixed(2)} GiB`;
  if (byBound) {
    return new AgogeError(
      'ENGINE_OUT_OF_MEMORY',
      `${gib(free)} are left of engine.card_memory and ${gib(bytes)} more are needed: raise it, train on fewer tokens at once, sample fewer sequences at once, or use adapters (engine.lora); the run resumes from its last checkpoint`,
    );
  }
  return new AgogeError(
    'ENGINE_OUT_OF_MEMORY',
    `the device has ${gib(free)} free and ${gib(bytes)} more are needed: train on fewer tokens at once, sample fewer sequences at once, use adapters (engine.lora), or free the card; the run resumes from its last checkpoint`,
  );
}
