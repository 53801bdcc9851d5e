import { expect, test } from 'vitest';
import { packViews, unpackViews } from './large-views.ts';

test('large views in shared memory cross as their memory, wherever they stand, and come back as they were', () => {
  const memory = new SharedArrayBuffer(64);
  const weights = new Float32Array(memory, 16, 12);
  weights.set([1, 2, 3]);
  const small = Float32Array.of(7);
  const message = {
    options: { weights, frozen: new Uint16Array(memory), small },
    job: { kind: 'sum', gradients: [weights, small] },
    data: [{ tokens: [1] }],
  };
  const packed = packViews(message, 40) as typeof message;
  expect(packed.options.weights).toEqual({ largeView: 'Float32Array', memory, from: 16, length: 12 });
  expect(packed.options.small).toBe(small);
  expect(packed.data).toBe(message.data);
  const back = unpackViews(structuredClone(packed)) as typeof message;
  expect(back).toEqual(message);
  expect(back.options.weights.length).toBe(12);
  expect(back.options.frozen).toBeInstanceOf(Uint16Array);
});

test('a message without them is posted as it is', () => {
  const message = { weights: new Float32Array(new SharedArrayBuffer(8)), list: [1, 2] };
  expect(packViews(message)).toBe(message);
  expect(unpackViews(message)).toBe(message);
});
