/** Tensors on a device, over the CPU provider: what a card needs, without one. */
import { describe, expect, test } from 'vitest';
import { Graph } from '../graph/graph.ts';
import { DeviceTensor } from './device-tensor.ts';
import { runtimeError } from './library.ts';
import { openDevice } from './open-device.ts';
import { ResidentDevice } from './resident.ts';
import { Runtime } from './runtime.ts';
import { Session } from './session.ts';
import { Tensor } from './tensor.ts';

const device = openDevice('resident');

describe('tensors on a device', () => {
  test('go there, are computed with beside tensors of the host, and come back', async () => {
    const graph = new Graph();
    const a = graph.input('a', 'float32', ['n']);
    const b = graph.input('b', 'float32', ['n']);
    const session = Session.compile(graph.compile({ c: graph.add(graph.multiply(a, b), a) }), { device, capture: true });
    const [onDevice, sum] = [DeviceTensor.create(device, 'float32', [3]), DeviceTensor.create(device, 'float32', [3])];
    const numbers = Float32Array.of(1, 2, 3);
    onDevice.upload(numbers);
    numbers.fill(0); // the array may be used again at once
    const onHost = Tensor.over(Float32Array.of(10, 20, 30), [3]);
    await session.run({ a: onDevice, b: onHost }, { c: sum });
    expect([...(await sum.download(new Float32Array(3)))]).toEqual([11, 42, 93]);
    // In place, as gradients are added up.
    await session.run({ a: sum, b: onHost }, { c: sum });
    expect([...(await sum.download(new Float32Array(2), 1))]).toEqual([882, 2883]);
    session[Symbol.dispose]();
  });

  test('are parts of one piece of memory, copied and cleared without leaving it', async () => {
    const memory = device.allocate(64);
    expect(memory.address % 256n).toBe(0n);
    const all = DeviceTensor.over(memory, 'float32', [16]);
    all.upload(Float32Array.from({ length: 16 }, (_, i) => i));
    const row = all.part([2, 2], 4);
    expect([...(await row.download(new Float32Array(4)))]).toEqual([4, 5, 6, 7]);
    row.copyFrom(all, { from: 8, count: 4 });
    expect(() => row.copyFrom(all)).toThrow(RangeError);
    all.part([4]).zero();
    expect([...(await all.download(new Float32Array(12)))]).toEqual([0, 0, 0, 0, 8, 9, 10, 11, 8, 9, 10, 11]);
    all[Symbol.dispose]();
    memory[Symbol.dispose]();
    expect(() => memory.address).toThrow(/given back/);
  });

  test('land as they were when they were asked for, whatever is computed after them', async () => {
    const graph = new Graph();
    const x = graph.input('x', 'float32', [2]);
    using session = Session.compile(graph.compile({ y: graph.add(x, graph.float(1)) }), { device });
    using numbers = DeviceTensor.create(device, 'float32', [2]);
    using landing = device.landing(8);
    numbers.upload(Float32Array.of(1, 2));
    await session.run({ x: numbers }, { y: numbers });
    const landed = numbers.bring(landing);
    await session.run({ x: numbers }, { y: numbers });
    expect([...new Float32Array(await landed)]).toEqual([2, 3]);
  });

  test('refuse what does not fit', () => {
    const tensor = DeviceTensor.create(device, 'bfloat16', [4]);
    expect(tensor.bytes).toBe(8);
    expect(() => tensor.upload(new Float32Array(4))).toThrow(/Float32Array does not hold bfloat16/);
    expect(() => tensor.upload(new Uint16Array(4), 1)).toThrow(RangeError);
    expect(() => tensor.part([5])).toThrow(/does not fit/);
    tensor[Symbol.dispose]();
  });
});

test('memory that is not there is refused with a remedy, and comes back when it is given back', () => {
  const small = new ResidentDevice(Runtime.open(), 1000);
  const first = small.allocate(600);
  expect(() => small.allocate(600)).toThrow(expect.objectContaining({ code: 'ENGINE_OUT_OF_MEMORY' }) as Error);
  expect(small.memory()).toEqual({ free: 400, total: 1000, byBound: false });
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  small.allocate(1000)[Symbol.dispose]();
  expect(small.memory().free).toBe(1000);
});

test('the runtime’s own words about memory become the same error', () => {
  const said = 'BFCArena::AllocateRawInternal Failed to allocate memory for requested buffer of size 2147483648';
  expect(runtimeError(said)).toMatchObject({
    code: 'ENGINE_OUT_OF_MEMORY',
    message: expect.stringContaining('resumes') as string,
  });
  expect(runtimeError('node has no kernel').code).toBe('ENGINE_RUNTIME');
});

test('a card that fails in mid-run says so, and how to go on', () => {
  const lost = 'CUDA failure 719: unspecified launch failure ; GPU=0 ; hostname=box ; file=/x/cuda_call.cc ; line=80 ;';
  for (const said of [`Non-zero status code returned while running Gemm node. ${lost}`, lost]) {
    expect(runtimeError(said)).toMatchObject({
      code: 'ENGINE_CARD',
      message: expect.stringMatching(
        /CUDA failure 719: unspecified launch failure; see agoge doctor, then resume the run/,
      ) as string,
    });
  }
});

test('a card is refused once the process runs with the library for processors', () => {
  // Where there is no card at all, that is said first.
  const code: unknown = expect.stringMatching(/^ENGINE_(RUNTIME_SETTINGS|NO_CARD)$/);
  expect(() => openDevice('cuda')).toThrow(expect.objectContaining({ code }) as Error);
});
