/**
 * Whether this machine's kernels give what the promise of the same bits rests on, tried out on two blocks of the model's own widths:
 * a prompt computed whole and in pieces, a step with few rows and with many, and for large models one thread and all of them.
 */
import { checkConfig, type ModelConfig } from './network/config.ts';
import { initialise } from './network/initialise.ts';
import { layoutOf, sharedFloats } from './network/layout.ts';
import { initialiseAdapters, trainedLayout } from './network/lora.ts';
import { isSmall } from './network/size.ts';
import type { NetworkWeights } from './network/weights.ts';
import { decodeRope } from './sampling/decode-graph.ts';
import { DecodeSessions } from './sampling/decode-sessions.ts';
import { Lane, slotLength } from './sampling/lane.ts';
import { Network } from './train/network.ts';
import { pack } from './train/packing.ts';
import { WeightTensors } from './train/weight-tensors.ts';

/** What the bits of this model depend on here, in words; nothing where the promise holds. */
export function dependenciesOfBits(config: ModelConfig): string[] {
  const widest = 2048;
  const probe = checkConfig({
    ...config,
    // The keys of the second block show what attention of the first one gave.
    layers: 2,
    // Both kinds of blocks, and a window that hides a part of the prompt.
    ...(config.local && {
      local: {
        ...config.local,
        blocks: [true, false],
        ...(config.local.window !== undefined && { window: Math.min(config.local.window, config.headSize) }),
      },
    }),
    ...(config.gemma && {
      gemma: { ...config.gemma, local: [true, false], window: Math.min(config.gemma.window, config.headSize) },
    }),
    vocabulary: 64,
    intermediate: Math.min(config.intermediate, widest),
    context: 8 * config.headSize,
    head: 'language',
    tied: true,
    ...(config.frozen && { frozen: 'float32' }),
  });
  const found: string[] = [];
  const weights = weightsOf(probe);
  const alone = samples(probe, weights, true);
  if (!alone.pieces.every((bits) => equal(bits, alone.pieces[0]))) found.push('where a prompt is cut');
  if (!alone.steps.every((bits) => equal(bits, alone.steps[0]))) found.push('how many sequences are sampled together');
  if (!isSmall(layoutOf(config).length)) {
    const pooled = samples(probe, weights, false);
    const same = equal(pooled.pieces[0], alone.pieces[0]) && equal(pooled.steps[0], alone.steps[0]);
    if (!same || !equal(gradient(probe, weights, true), gradient(probe, weights, false))) found.push('the number of threads');
  }
  return found;
}

/** Fresh weights; adapters are such that both of their matrices matter. */
function weightsOf(config: ModelConfig): NetworkWeights {
  const whole = sharedFloats(layoutOf(config).length);
  initialise(config, layoutOf(config), whole, 1);
  if (config.frozen === undefined) return { trained: whole };
  const layout = trainedLayout(config);
  const trained = sharedFloats(layout.length);
  initialiseAdapters(layout, trained, 1);
  trained.forEach((value, i) => (trained[i] = value === 0 ? Math.sin(i) / 8 : value));
  return { trained, frozen: whole };
}

/** Keys and values of one prompt cut in several ways, and one step of it among others. */
function samples(
  config: ModelConfig,
  weights: NetworkWeights,
  alone: boolean,
): { pieces: Float32Array[]; steps: Float32Array[] } {
  using session = new DecodeSessions(config, weights, alone).build();
  const block = 2 * config.headSize; // of query rows, in the attention kernel
  const length = block + 3;
  const shape = { slots: 16, capacity: config.context };
  using lane = new Lane<object>(config, decodeRope(config, slotLength(config, shape)), shape, length);
  const fill = (slot: number, pieces: readonly number[]): Float32Array => {
    const seat = lane.slots[slot] as (typeof lane.slots)[number];
    seat.tokens.set(tokens(length));
    seat.ready = 0;
    for (const count of pieces) lane.prefill(session, seat, count);
    const bits = new Float32Array(lane.extractedLength(seat));
    lane.extract(seat, bits);
    return bits;
  };
  const cuts = [[length], [1, length - 1], [block + 1, length - block - 1], [length - 1, 1], [5, 6, length - 11]];
  const pieces = cuts.map((cut, slot) => fill(slot, cut));
  const step = (rows: number, place: number): Float32Array => {
    for (let slot = 0; slot < rows; slot++) fill(slot, [slot === place ? length : 2 + slot]);
    for (const slot of lane.slots) slot.stepping = slot.index < rows;
    lane.step(session, rows);
    return (lane.probabilities[place] as Float32Array).slice();
  };
  return { pieces, steps: [step(4, 0), step(16, 9), step(12, 11)] };
}

/** The gradient of a batch with common prefixes. */
function gradient(config: ModelConfig, weights: NetworkWeights, alone: boolean): Float32Array {
  const result = sharedFloats(weights.trained.length);
  using network = new Network(config, weights, alone);
  using into = new WeightTensors(config, weights, result);
  const data = [7, 60, 61, 63].map((length) => ({ tokens: tokens(length), mask: new Uint8Array(length).fill(1, 1) }));
  const pass = network.forward(pack(data), { keep: true, entropy: false, temperature: 1 });
  network.backward(pass, into, false, pass.scores, undefined);
  network.release(pass);
  return result;
}

function tokens(length: number): Int32Array {
  return Int32Array.from({ length }, (_, i) => (i * 7 + (i >> 3)) % 64);
}

function equal(a: Float32Array | undefined, b: Float32Array | undefined): boolean {
  if (!a || a.length !== b?.length) return false;
  return Buffer.from(a.buffer, a.byteOffset, a.byteLength).equals(Buffer.from(b.buffer, b.byteOffset, b.byteLength));
}
