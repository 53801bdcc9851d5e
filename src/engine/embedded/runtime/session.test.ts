import { describe, expect, test } from 'vitest';
import { Graph } from '../graph/graph.ts';
import { Runtime } from './runtime.ts';
import { Session } from './session.ts';
import { Tensor } from './tensor.ts';

function productSession(): Session {
  const graph = new Graph();
  const a = graph.input('a', 'float32', ['m', 'k']);
  const b = graph.input('b', 'float32', ['k', 'n']);
  return Session.compile(graph.compile({ c: graph.gemm(a, b) }));
}

describe('a session', () => {
  test('runs on our own arrays, in place, with any extents', async () => {
    const session = productSession();
    const a = Tensor.over(Float32Array.of(1, 2, 3, 4), [2, 2]);
    const b = Tensor.over(Float32Array.of(1, 0, 0, 1), [2, 2]);
    const c = Tensor.over(new Float32Array(4), [2, 2]);
    await session.run({ a, b }, { c });
    expect([...c.data]).toEqual([1, 2, 3, 4]);
    a.data[0] = 9;
    session.prepare({ a, b }, { c }).runSync();
    expect(c.data[0]).toBe(9);
    const row = Tensor.over(Float32Array.of(5, 6), [1, 2]);
    const one = Tensor.over(new Float32Array(2), [1, 2]);
    await session.run({ a: row, b }, { c: one });
    expect([...one.data]).toEqual([5, 6]);
    session[Symbol.dispose]();
  });

  test('turns a failure of the runtime into an error with a code', async () => {
    const session = productSession();
    const a = Tensor.over(new Float32Array(6), [2, 3]);
    const c = Tensor.over(new Float32Array(4), [2, 2]);
    await expect(session.run({ a, b: a }, { c })).rejects.toMatchObject({ code: 'ENGINE_RUNTIME' });
    expect(() => Session.compile({ model: new Uint8Array(100), inputs: [], outputs: [] })).toThrow(/ONNX Runtime failed/);
  });

  test('is cancelled while it runs, and runs again afterwards', async () => {
    const graph = new Graph();
    const a = graph.input('a', 'float32', [512, 512]);
    let value = a;
    for (let i = 0; i < 150; i++) value = graph.gemm(value, a);
    const session = Session.compile(graph.compile({ c: value }));
    const tensors = { a: Tensor.over(new Float32Array(1 << 18), [512, 512]) };
    const call = session.prepare(tensors, { c: Tensor.over(new Float32Array(1 << 18), [512, 512]) });
    const controller = new AbortController();
    const run = call.run(controller.signal);
    setTimeout(() => controller.abort(new Error('enough')), 20);
    await expect(run).rejects.toMatchObject({ code: 'ENGINE_CANCELLED' });
    await call.run();
  });

  test('refuses tensors that do not fit their arrays, and other settings than the first', () => {
    expect(() => Tensor.over(new Float32Array(3), [2, 2])).toThrow(RangeError);
    const { threads } = Runtime.open();
    expect(() => Runtime.open({ threads: threads + 1 })).toThrow(/set both before the first model/);
  });
});
