/**
 * What training holds of a card over batches of many shapes, counted without one: the learner's own plan of memory runs over kernels that
 * compute nothing. Prints the bytes that activations hold and the most there ever were, in MB.
 *
 *   npx tsx bench/engine/card-memory.ts [preset deep-6] [tokens of a batch 8192] [steps 200] [longest sequence 2048]
 */
import { DeviceWeights } from '../../src/engine/embedded/device/weights.ts';
import { presetConfig } from '../../src/engine/embedded/network/config.ts';
import { DeviceMemory, type Device } from '../../src/engine/embedded/runtime/device.ts';
import { MemoryLedger } from '../../src/engine/embedded/runtime/ledger.ts';
import { KernelNetwork } from '../../src/engine/embedded/train/device/kernels/kernel-network.ts';
import type { Kernels } from '../../src/engine/embedded/train/device/kernels/kernels.ts';
import { pack } from '../../src/engine/embedded/train/packing.ts';
import { Random } from '../../src/core/random/random.ts';

const [preset = 'deep-6', tokens = 8192, steps = 200, longest = 2048] = process.argv
  .slice(2)
  .map((word, i) => (i === 0 ? word : Number(word))) as [string?, number?, number?, number?];
const vocabulary = 4096;
const random = Random.of(7);

/** Batches of as many tokens, each of sequences of about one length. */
function batch(): { tokens: Int32Array; mask: Uint8Array }[] {
  const mean = 100 + random.float() * (longest - 100);
  const data = [];
  for (let left = tokens; left > 16;) {
    const length = Math.min(left, longest, Math.max(16, Math.floor(mean * (0.5 + random.float()))));
    const sequence = Int32Array.from({ length }, () => random.below(vocabulary));
    data.push({ tokens: sequence, mask: Uint8Array.from(sequence, (_, i) => (2 * i > length ? 1 : 0)) });
    left -= length;
  }
  return data;
}

/** Counts what is allocated and computes nothing. */
const ledger = new MemoryLedger(() => 0);
const nothing = (): undefined => undefined;
const device = {
  name: 'resident',
  ledger,
  allocate: (bytes: number, owner: 'activations' = 'activations') =>
    new DeviceMemory(device, bytes, 256n, ledger.take(owner, bytes)),
  ...{ write: nothing, read: async () => undefined, copy: nothing, zero: nothing },
} as unknown as Device;
const kernels = new Proxy({}, { get: () => nothing }) as Kernels;

const config = presetConfig(preset, { vocabulary, context: 4096, tied: false });
const weights = new DeviceWeights(device, config, 'bfloat16');
const network = new KernelNetwork(weights, kernels, 2 ** 28);
const megabytes = (bytes: number): number => Math.round(bytes / 1e6);
for (let step = 1; step <= steps; step++) {
  const rows = pack(batch());
  const pass = await network.forward(rows, { keep: 'values', temperature: 1, entropy: false, signal: undefined });
  await network.backward(pass, (name) => weights.trained(name), new Float32Array(rows.scored.rows.length), undefined);
  network.release(pass);
  network.abandon();
  if (step === 1 || step % 20 === 0)
    console.log(`step ${step}: activations hold ${megabytes(network.bytes)}, at most ${megabytes(ledger.memory.most)} in all`);
}
