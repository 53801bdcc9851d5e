/** A tensor on a device: graphs compute with it, this process only sends, fetches and copies it. */
import type { ElementType } from '../graph/onnx.ts';
import { DeviceMemory, type Device, type Landing } from './device.ts';
import type { MemoryOwner } from './ledger.ts';
import { cells, type Address } from './library.ts';
import type { TensorData } from './tensor.ts';

interface Kind {
  readonly code: number;
  readonly bytes: number;
  readonly arrays: readonly { readonly name: string }[];
}

/** Bits of bfloat16 travel as Uint16Array, truth values as Uint8Array. */
const kinds: Readonly<Record<ElementType, Kind>> = {
  float32: { code: 1, bytes: 4, arrays: [Float32Array] },
  uint8: { code: 2, bytes: 1, arrays: [Uint8Array] },
  int8: { code: 3, bytes: 1, arrays: [Int8Array] },
  int32: { code: 6, bytes: 4, arrays: [Int32Array] },
  int64: { code: 7, bytes: 8, arrays: [BigInt64Array] },
  bool: { code: 9, bytes: 1, arrays: [Uint8Array] },
  bfloat16: { code: 16, bytes: 2, arrays: [Uint16Array] },
};

/** In elements. */
export interface CopyRange {
  readonly from?: number;
  readonly to?: number;
  readonly count?: number;
}

export function elementBytes(type: ElementType): number {
  return kinds[type].bytes;
}

export class DeviceTensor implements Disposable {
  readonly elements: number;
  readonly bytes: number;
  private value: Address = 0n;
  private disposed = false;

  private constructor(
    private readonly memory: DeviceMemory,
    readonly type: ElementType,
    readonly shape: readonly number[],
    private readonly byteOffset: number,
    private readonly owns: boolean,
  ) {
    const { bytes } = kinds[type];
    this.elements = shape.reduce((product, extent) => product * extent, 1);
    this.bytes = this.elements * bytes;
    if (byteOffset < 0 || byteOffset + this.bytes > memory.bytes) {
      throw new RangeError(`a tensor of ${this.bytes} bytes at ${byteOffset} does not fit into memory of ${memory.bytes}`);
    }
  }

  /** With memory of its own. */
  static create(device: Device, type: ElementType, shape: readonly number[], owner?: MemoryOwner): DeviceTensor {
    const memory = device.allocate(
      shape.reduce((product, extent) => product * extent, kinds[type].bytes),
      owner,
    );
    return new DeviceTensor(memory, type, shape, 0, true);
  }

  /** In memory that belongs to somebody else. */
  static over(memory: DeviceMemory, type: ElementType, shape: readonly number[], byteOffset = 0): DeviceTensor {
    return new DeviceTensor(memory, type, shape, byteOffset, false);
  }

  /** A part of this one, or all of it, in another shape. */
  part(shape: readonly number[], elementOffset = 0): DeviceTensor {
    const offset = this.byteOffset + elementOffset * kinds[this.type].bytes;
    return new DeviceTensor(this.memory, this.type, shape, offset, false);
  }

  get device(): Device {
    return this.memory.device;
  }

  /** Where its first element lies. */
  get place(): Address {
    return this.memory.address + BigInt(this.byteOffset);
  }

  /** The native value, for calls. */
  get address(): Address {
    if (this.disposed) throw new TypeError('the tensor was disposed');
    if (!this.value) this.value = this.native();
    return this.value;
  }

  /** Sends numbers; the array may be changed as soon as this returns. */
  upload(data: TensorData, elementOffset = 0): void {
    this.device.write(this.checked(data, elementOffset), data);
  }

  /** Fetches numbers once all work asked for earlier has ended. */
  async download<T extends TensorData>(into: T, elementOffset = 0): Promise<T> {
    await this.device.read(this.checked(into, elementOffset), into);
    return into;
  }

  /** Fetches all of it to a landing, see there. */
  bring(landing: Landing): Promise<ArrayBuffer> {
    return landing.bring(this.place, this.bytes);
  }

  /** Copies `count` elements of a tensor of the same type, from one place to another. Default: all of it, to the beginning. */
  copyFrom(other: DeviceTensor, { from = 0, to = 0, count = other.elements - from }: CopyRange = {}): void {
    if (other.type !== this.type) throw new TypeError(`${other.type} cannot be copied into ${this.type}`);
    if (from < 0 || to < 0 || from + count > other.elements || to + count > this.elements) {
      throw new RangeError(`${count} elements at ${from} of ${other.elements} cannot go to ${to} of ${this.elements}`);
    }
    const { bytes } = kinds[this.type];
    this.device.copy(this.place + BigInt(to * bytes), other.place + BigInt(from * bytes), count * bytes);
  }

  zero(): void {
    this.device.zero(this.place, this.bytes);
  }

  [Symbol.dispose](): void {
    if (this.disposed) return;
    this.disposed = true;
    if (this.value) this.device.runtime.library.releaseValue(this.value);
    this.value = 0n;
    if (this.owns) this.memory[Symbol.dispose]();
  }

  /** Made when a graph first takes it: kernels need the place alone. */
  private native(): Address {
    const { library } = this.device.runtime;
    const dimensions = new BigInt64Array(new ArrayBuffer(128));
    this.shape.forEach((extent, i) => (dimensions[i] = BigInt(extent)));
    const out = cells();
    const { memoryInfo } = this.device;
    const { code } = kinds[this.type];
    library.check(library.createTensorAt(memoryInfo, this.place, this.bytes, dimensions, this.shape.length, code, out));
    return out[0] as Address;
  }

  private checked(data: TensorData, elementOffset: number): Address {
    const { arrays, bytes } = kinds[this.type];
    if (!arrays.some((kind) => kind === data.constructor)) {
      throw new TypeError(`${data.constructor.name} does not hold ${this.type}`);
    }
    if (elementOffset < 0 || elementOffset + data.length > this.elements) {
      throw new RangeError(`${data.length} elements at ${elementOffset} do not fit a tensor of ${this.elements}`);
    }
    return this.place + BigInt(elementOffset * bytes);
  }
}
