/** What training holds of a device over batches of many shapes: no more than its largest batch needs, and flat from then on. */
import { expect, test } from 'vitest';
import { Random } from '../../../../core/random/random.ts';
import type { Datum, Loss } from '../../../engine.ts';
import { DeviceWeights } from '../../device/weights.ts';
import { presetConfig } from '../../network/config.ts';
import { initialise } from '../../network/initialise.ts';
import { layoutOf, sharedFloats, weightOf } from '../../network/layout.ts';
import { ResidentDevice } from '../../runtime/resident.ts';
import { KernelNetwork } from './kernels/kernel-network.ts';
import type { Kernels } from './kernels/kernels.ts';
import { openKernels } from './kernels/open.ts';
import { DeviceLearner } from './learner.ts';

const config = presetConfig('xxs', {
  ...{ vocabulary: 24, hidden: 16, layers: 2, heads: 4, keyValueHeads: 2, headSize: 4, intermediate: 24, context: 64 },
});
/** Of pieces that memory is asked for in: small beside a batch, as a card's are beside its batches. */
const pieceBytes = 2 ** 12;
/** About as many tokens, in sequences of other lengths each time. */
const lengths = [7, 40, 12, 25, 5];

const loss: Loss = (scores) => ({ loss: 0, gradient: scores.map((one) => one.scores.map((_, i) => Math.sin(i))) });

function batchOf(length: number, seed: number): Datum[] {
  const random = Random.of(seed);
  return Array.from({ length: Math.round((80 + (seed % 7)) / length) }, () => {
    const tokens = Array.from({ length }, () => random.below(config.vocabulary));
    return { tokens, mask: Uint8Array.from(tokens, (_, i) => (i > 0 ? 1 : 0)) };
  });
}

async function weightsOn(device: ResidentDevice): Promise<DeviceWeights> {
  const layout = layoutOf(config);
  const values = sharedFloats(layout.length);
  initialise(config, layout, values, 1);
  const weights = new DeviceWeights(device, config, 'float32');
  for (const name of layout.slots.keys()) weights.write(name, weightOf(layout, values, name));
  await weights.refresh();
  return weights;
}

async function learnerOn(device: ResidentDevice, kernels: boolean, packRows?: number): Promise<DeviceLearner> {
  return new DeviceLearner(await weightsOn(device), { kernels, pieceBytes, packRows });
}

/** Bytes of activations after two steps of one shape alone. */
async function needOf(length: number, kernels: boolean): Promise<number> {
  const device = new ResidentDevice();
  const learner = await learnerOn(device, kernels);
  for (const seed of [6, 6]) await learner.forwardBackward(batchOf(length, seed), loss);
  const { activations } = device.ledger.memory.held;
  await learner.close();
  return activations;
}

test.each([
  ['graphs', false],
  ['kernels', true],
] as const)('%s: activations of many shapes hold what the largest needs, and stay there', async (_, kernels) => {
  const needs = [];
  for (const length of lengths) needs.push(await needOf(length, kernels));
  const device = new ResidentDevice();
  const learner = await learnerOn(device, kernels);
  const held = (): number => device.ledger.memory.held.activations;
  const pass = async (seed: number): Promise<void> => {
    for (const [i, length] of lengths.entries()) await learner.forwardBackward(batchOf(length, seed + i), loss);
  };
  await pass(0);
  await pass(7);
  const after = held();
  expect(after).toBeLessThanOrEqual(1.5 * Math.max(...needs));
  for (const seed of [14, 21]) await pass(seed);
  expect(held()).toBe(after);
  const { training, weights } = device.ledger.memory.held;
  expect(training).toBe(4 * layoutOf(config).length);
  expect(weights).toBe(4 * layoutOf(config).length);
  await learner.close();
  expect(held()).toBe(0);
});

test('a batch that needs more than there is keeps less: the same gradient, without running out', async () => {
  const batch = [...batchOf(40, 3), ...batchOf(25, 4), ...batchOf(12, 5), ...batchOf(60, 6)];
  const gradientWithin = async (room: number): Promise<Float32Array> => {
    const learner = await learnerOn(new ResidentDevice(undefined, room), true, 64);
    await learner.forwardBackward(batch, loss);
    await learner.forwardBackward(batch, loss);
    const gradient = (await learner.gradient()) as Float32Array;
    await learner.close();
    return gradient;
  };
  const all = await gradientWithin(2 ** 28);
  for (const kilobytes of [480, 500, 540, 600, 700, 900]) expect(await gradientWithin(1024 * kilobytes)).toEqual(all);
});

test('what one batch kept is given back when the next keeps less and needs more besides', async () => {
  const device = new ResidentDevice(undefined, 2 ** 20);
  const weights = await weightsOn(device);
  using network = new KernelNetwork(weights, openKernels(weights, { kernels: true }) as Kernels, 2 ** 10, pieceBytes);
  const most = Math.floor(0.9 * device.memory().free);
  const [much, little] = [Math.floor(0.7 * most), Math.floor(0.2 * most)];
  // In room for both at their largest, nothing would be left for anybody else.
  for (const [kept, transient] of [
    [much, little],
    [little, much],
    [much, little],
  ] as const) {
    network.reserve(kept, transient, most);
    expect(network.bytes).toBe(much + little);
  }
  // What will do stays.
  network.reserve(little, little, most);
  expect(network.bytes).toBe(much + little);
});

test.each([
  ['graphs', false],
  ['kernels', true],
] as const)('%s: two learners on one device, policy and critic, have its room in turn', async (_, kernels) => {
  const [small, large] = [batchOf(12, 3), [...batchOf(40, 3), ...batchOf(25, 4), ...batchOf(60, 6)]];
  const gradientsWithin = async (room: number): Promise<Float32Array[]> => {
    const device = new ResidentDevice(undefined, room);
    const [policy, critic] = [await learnerOn(device, kernels, 64), await learnerOn(device, kernels, 64)];
    // The policy's batches grow until nothing is left; the critic has had room for small ones until then.
    for (const batch of [small, large, large]) {
      await policy.forwardBackward(batch, loss);
      await critic.forwardBackward(batch, loss);
    }
    const gradients = [(await policy.gradient()) as Float32Array, (await critic.gradient()) as Float32Array];
    await policy.close();
    await critic.close();
    expect(device.ledger.memory.held.activations).toBe(0);
    return gradients;
  };
  const all = await gradientsWithin(2 ** 28);
  for (const kilobytes of [500, 600, 700, 900]) expect(await gradientsWithin(1024 * kilobytes)).toEqual(all);
});
