/**
 * A view that ONNX Runtime has of a typed array: no copy, so what one side writes the other sees. The tensor keeps the array
 * alive; dispose it when no call uses it any more.
 */
import { cells, type Address, type Memory } from './library.ts';
import { Runtime } from './runtime.ts';

export type TensorData = Float32Array | Int32Array | BigInt64Array | Uint8Array | Int8Array | Uint16Array;

const elementTypes = new Map<unknown, number>([
  [Float32Array, 1],
  [Uint8Array, 2],
  [Int8Array, 3],
  [Int32Array, 6],
  [BigInt64Array, 7],
  // The only numbers of 16 bits here are bfloat16.
  [Uint16Array, 16],
]);

export class Tensor implements Disposable {
  private value: Address;

  private constructor(
    readonly data: TensorData,
    readonly shape: readonly number[],
    private readonly runtime: Runtime,
    address: Address,
  ) {
    this.value = address;
  }

  /** A tensor over `data`, whose length must be the product of the shape. */
  static over(data: TensorData, shape: readonly number[]): Tensor {
    const runtime = Runtime.open();
    const elements = shape.reduce((product, extent) => product * extent, 1);
    if (elements !== data.length)
      throw new RangeError(`a tensor of shape [${shape.join(', ')}] needs ${elements} elements, not ${data.length}`);
    const type = elementTypes.get(data.constructor);
    if (type === undefined) throw new TypeError(`no tensor of ${data.constructor.name}`);
    // Reading `buffer` moves a small array out of the garbage-collected heap, so that its address stays.
    const anchored: Memory = data.byteLength > 0 && data.buffer.byteLength > 0 ? data : emptyMemory;
    const dimensions = shapeCell;
    shape.forEach((extent, i) => (dimensions[i] = BigInt(extent)));
    const { library } = runtime;
    library.check(
      library.createTensorWithData(runtime.memoryInfo, anchored, data.byteLength, dimensions, shape.length, type, valueCell),
    );
    return new Tensor(data, shape, runtime, valueCell[0] as Address);
  }

  /** The native value, for calls. */
  get address(): Address {
    if (!this.value) throw new TypeError('the tensor was disposed');
    return this.value;
  }

  [Symbol.dispose](): void {
    if (this.value) this.runtime.library.releaseValue(this.value);
    this.value = 0n;
  }
}

const shapeCell = new BigInt64Array(new ArrayBuffer(128));
const valueCell = cells();
const emptyMemory = new Uint8Array(new ArrayBuffer(128));
