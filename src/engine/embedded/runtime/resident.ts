/**
 * A device for tests: the CPU provider computes, but tensors lie in memory that is reached by address only, as on a card. What works here
 * without a look at the numbers works there.
 */
import { MemoryLedger, type MemoryOwner, type Room } from './ledger.ts';
import { addressOf, cells, type Address } from './library.ts';
import { DeviceMemory, makeRoom, type Device, type Landing } from './device.ts';
import { koffi } from './koffi.ts';
import { Runtime } from './runtime.ts';
import { RuntimeScratch } from './scratch.ts';

const alignment = 256;

export class ResidentDevice implements Device {
  readonly name = 'resident';
  readonly runEntries = {};
  readonly scratch: RuntimeScratch = new RuntimeScratch(this, 'cpu:0');
  /** The arena of a processor is not the device's: nothing of it counts. */
  readonly ledger = new MemoryLedger(() => 0);

  constructor(
    readonly runtime = Runtime.open(),
    /** Bytes that there are. */
    private readonly capacity = process.availableMemory(),
  ) {}

  get memoryInfo(): Address {
    return this.runtime.memoryInfo;
  }

  allocate(bytes: number, owner: MemoryOwner = 'other'): DeviceMemory {
    makeRoom(this, bytes);
    const room = new Uint8Array(new ArrayBuffer(bytes + alignment));
    const start = addressOf(room);
    const place = start + ((BigInt(alignment) - (start % BigInt(alignment))) % BigInt(alignment));
    const giveBack = this.ledger.take(owner, bytes);
    held.set(place, room);
    return new DeviceMemory(this, bytes, place, () => {
      giveBack();
      held.delete(place);
    });
  }

  memory(): Room {
    return this.ledger.within({ free: this.capacity - this.ledger.bytes, total: this.capacity });
  }

  write(target: Address, source: ArrayBufferView): void {
    at(target, source.byteLength).set(bytesOf(source));
  }

  read(source: Address, target: ArrayBufferView): Promise<void> {
    return this.runtime.inTurn(async () => bytesOf(target).set(at(source, target.byteLength)));
  }

  copy(target: Address, source: Address, bytes: number): void {
    at(target, bytes).set(at(source, bytes));
  }

  zero(target: Address, bytes: number): void {
    at(target, bytes).fill(0);
  }

  landing(bytes: number): Landing {
    const place = new ArrayBuffer(bytes);
    return {
      bring: (source, count) =>
        this.runtime.inTurn(async () => {
          new Uint8Array(place).set(at(source, count));
          return place;
        }),
      [Symbol.dispose]: () => undefined,
    };
  }

  settled(): Promise<void> {
    return this.runtime.inTurn(() => Promise.resolve());
  }

  prepareSession(options: Address): void {
    const { library } = this.runtime;
    library.check(library.disablePerSessionThreads(options));
  }
}

/** Keeps the arrays behind the addresses. */
const held = new Map<Address, Uint8Array>();

function at(address: Address, bytes: number): Uint8Array {
  return bytes === 0 ? new Uint8Array(cells().buffer, 0, 0) : new Uint8Array(koffi().view(address, bytes));
}

function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}
