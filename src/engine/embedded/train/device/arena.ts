/**
 * Room for activations on a device, kept between steps: handed out in order and taken back at once. A batch that needs more than was there
 * gets further pieces; when all is taken back they become one piece as large as was ever handed out. So memory stays flat after the largest
 * batch was seen, whatever the shapes of its tensors: pieces of their own would each keep a rest that the next shape cannot use.
 */
import type { ElementType } from '../../graph/onnx.ts';
import type { Device, DeviceMemory } from '../../runtime/device.ts';
import { DeviceTensor, elementBytes } from '../../runtime/device-tensor.ts';
import type { Kept } from '../../runtime/ledger.ts';

export interface DeviceArenaMark {
  readonly chunk: number;
  readonly used: number;
  readonly handed: number;
  readonly tensors: number;
}

/** Of free memory: the rest is for what the runtime makes on its way, and what is left over of pieces. */
const usable = 0.9;

/** What a learner's activations may take, with what they use now and what lies idle, its own and others'; within a bound, room for keys and values stays. */
export function roomForActivations(device: Device, used: number): number {
  const { ledger } = device;
  return usable * (Math.max(0, device.memory().free - ledger.owedToCache) + ledger.idle + used);
}

const alignment = 256;
const empty: DeviceArenaMark = { chunk: 0, used: 0, handed: 0, tensors: 0 };

export class DeviceArena implements Kept, Disposable {
  private readonly chunks: DeviceMemory[] = [];
  private readonly forget: () => void;
  /** While it asks for memory it is not asked for its own. */
  private asking = false;
  private readonly tensors: DeviceTensor[] = [];
  private chunk = 0;
  private used = 0;
  /** Bytes that are out now, and the most that ever were. */
  private handed = 0;
  private highest = 0;

  constructor(
    private readonly device: Device,
    /** Memory is asked for in pieces of at least so many bytes. */
    private readonly smallest = 1 << 26,
  ) {
    this.forget = device.ledger.keeps(this);
  }

  /** With whatever lay there before. */
  take(type: ElementType, shape: readonly number[]): DeviceTensor {
    const bytes = shape.reduce((product, extent) => product * extent, elementBytes(type));
    const room = Math.ceil(bytes / alignment) * alignment;
    if (this.handed === 0 && this.chunks.length > 1) this.merge(room);
    for (;;) {
      const chunk = (this.chunks[this.chunk] ??= this.allocate(room));
      if (this.used + bytes <= chunk.bytes) {
        const tensor = DeviceTensor.over(chunk, type, shape, this.used);
        this.tensors.push(tensor);
        this.used += room;
        this.handed += room;
        this.highest = Math.max(this.highest, this.handed);
        return tensor;
      }
      this.chunk++;
      this.used = 0;
    }
  }

  /** One piece for all that is going to be asked for: pieces that come one by one each leave a rest that the next tensor does not fit into. */
  reserve(bytes: number): void {
    const [first] = this.chunks;
    if (bytes === 0 || this.handed > 0 || (first && first.bytes >= bytes)) return;
    this.giveBack();
    this.chunks.push(this.ask(bytes));
  }

  get idle(): number {
    return this.handed > 0 || this.asking ? 0 : this.bytes;
  }

  /** Bytes of those that are held, where something is out. */
  get inUse(): number {
    return this.handed > 0 ? this.bytes : 0;
  }

  /** All memory, where nothing is out. */
  giveBack(): void {
    if (this.handed > 0) return;
    this.rewind();
    this.free();
  }

  /** A part of what was handed out, which is taken back with it. */
  within(tensor: DeviceTensor, shape: readonly number[], elementOffset: number): DeviceTensor {
    const part = tensor.part(shape, elementOffset);
    this.tensors.push(part);
    return part;
  }

  mark(): DeviceArenaMark {
    return { chunk: this.chunk, used: this.used, handed: this.handed, tensors: this.tensors.length };
  }

  /** Takes back everything handed out since the mark; without one, everything. */
  rewind({ chunk, used, handed, tensors }: DeviceArenaMark = empty): void {
    for (const tensor of this.tensors.splice(tensors)) tensor[Symbol.dispose]();
    this.chunk = chunk;
    this.used = used;
    this.handed = handed;
  }

  /** Bytes that are held. */
  get bytes(): number {
    return this.chunks.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Gives all memory back. */
  [Symbol.dispose](): void {
    this.forget();
    this.rewind();
    this.free();
  }

  /** One piece for all that was ever out at once. */
  private merge(room: number): void {
    this.rewind();
    this.free();
    this.chunks.push(this.allocate(Math.max(this.highest, room)));
  }

  /** So much, and up to the next whole piece where there is room for it. */
  private allocate(bytes: number): DeviceMemory {
    const whole = Math.ceil(bytes / this.smallest) * this.smallest;
    return this.ask(Math.max(bytes, Math.min(whole, this.device.memory().free)));
  }

  private ask(bytes: number): DeviceMemory {
    this.asking = true;
    try {
      return this.device.allocate(bytes, 'activations');
    } finally {
      this.asking = false;
    }
  }

  private free(): void {
    for (const chunk of this.chunks.splice(0)) chunk[Symbol.dispose]();
  }
}
