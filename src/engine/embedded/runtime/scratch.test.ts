import { expect, test } from 'vitest';
import { Graph } from '../graph/graph.ts';
import { DeviceTensor } from './device-tensor.ts';
import { ResidentDevice } from './resident.ts';
import { Session } from './session.ts';

/** Makes a tensor as large as its input on the way. */
function growing(device: ResidentDevice): (elements: number) => Promise<void> {
  const graph = new Graph();
  const x = graph.input('x', 'float32', ['n']);
  const session = Session.compile(graph.compile({ y: graph.reduce('Max', graph.multiply(x, graph.add(x, x)), [0]) }), { device });
  return async (elements) => {
    using tensor = DeviceTensor.create(device, 'float32', [elements]);
    using y = DeviceTensor.create(device, 'float32', [1]);
    await session.run({ x: tensor }, { y });
  };
}

test('what graphs of many shapes leave in the shared arena is given back once it is more than twice what was ever needed', async () => {
  const device = new ResidentDevice();
  const run = growing(device);
  const before = device.scratch.bytes;
  const largest = 1.1e6;
  for (let n = 1e5; n <= largest; n += 1e5) await run(n);
  // Two tensors at once, in pieces that are up to half as large again.
  const needed = 3 * 4 * largest;
  expect(device.scratch.bytes - before).toBeGreaterThan(2 * needed);
  await device.scratch.trim();
  expect(device.scratch.bytes - before).toBeGreaterThan(2 * needed);
  await device.scratch.trim(0);
  expect(device.scratch.bytes - before).toBeLessThan(needed);
  await run(largest);
});
