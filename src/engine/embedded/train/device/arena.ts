/**
 * Room for activations on a device, kept between steps: handed out in order and taken back at once, so that memory stays flat after the largest
 * batch was seen.
 */
import type { ElementType } from '../../graph/onnx.ts';
import type { Device, DeviceMemory } from '../../runtime/device.ts';
import { DeviceTensor, elementBytes } from '../../runtime/device-tensor.ts';

export interface DeviceArenaMark {
  readonly chunk: number;
  readonly used: number;
  readonly tensors: number;
}

const alignment = 256;

export class DeviceArena implements Disposable {
  private readonly chunks: DeviceMemory[] = [];
  private readonly tensors: DeviceTensor[] = [];
  private chunk = 0;
  private used = 0;

  constructor(
    private readonly device: Device,
    /** Memory is asked for in pieces of at least so many bytes. */
    private readonly smallest = 1 << 26,
  ) {}

  /** With whatever lay there before. */
  take(type: ElementType, shape: readonly number[]): DeviceTensor {
    const bytes = shape.reduce((product, extent) => product * extent, elementBytes(type));
    for (;;) {
      const chunk = (this.chunks[this.chunk] ??= this.device.allocate(Math.max(bytes, this.smallest)));
      if (this.used + bytes <= chunk.bytes) {
        const tensor = DeviceTensor.over(chunk, type, shape, this.used);
        this.tensors.push(tensor);
        this.used += Math.ceil(bytes / alignment) * alignment;
        return tensor;
      }
      this.chunk++;
      this.used = 0;
    }
  }

  /** A part of what was handed out, which is taken back with it. */
  within(tensor: DeviceTensor, shape: readonly number[], elementOffset: number): DeviceTensor {
    const part = tensor.part(shape, elementOffset);
    this.tensors.push(part);
    return part;
  }

  mark(): DeviceArenaMark {
    return { chunk: this.chunk, used: this.used, tensors: this.tensors.length };
  }

  /** Takes back everything handed out since the mark. */
  rewind({ chunk, used, tensors }: DeviceArenaMark): void {
    for (const tensor of this.tensors.splice(tensors)) tensor[Symbol.dispose]();
    this.chunk = chunk;
    this.used = used;
  }

  get bytes(): number {
    return this.chunks.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Gives all memory back. */
  [Symbol.dispose](): void {
    this.rewind({ chunk: 0, used: 0, tensors: 0 });
    for (const chunk of this.chunks.splice(0)) chunk[Symbol.dispose]();
  }
}
