/**
 * Training against PyTorch eager (scaled_dot_product_attention, fused AdamW) in one run, alternating: tokens per second on plain
 * batches and on batches shaped like GRPO's, where PyTorch pads every sequence to the longest. Without the Python peer only we run.
 *   npx tsx bench/engine/training.ts [shapes, default xs,s,m] [rounds, default 5] [--spinning] [--solo] [--threads n] [--pack-rows n]
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openTrainingPeer } from '../../src/engine/embedded/measure-peer.ts';
import { measureTraining, trainingShapes } from '../../src/engine/embedded/measure.ts';
import { python } from '../../tests/peers/python.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    spinning: { type: 'boolean', default: false },
    solo: { type: 'boolean', default: false },
    threads: { type: 'string', default: '2' },
    'pack-rows': { type: 'string' },
  },
});
const threads = Number(values.threads);
const script = fileURLToPath(new URL('training-peer.py', import.meta.url));
const packRows = values['pack-rows'] === undefined ? undefined : Number(values['pack-rows']);
const withPeer = !values.solo && existsSync(python);

for (const shape of (positionals[0] ?? 'xs,s,m').split(',') as (keyof typeof trainingShapes)[]) {
  for (const batch of ['plain', 'grpo'] as const) {
    const rounds = Number(positionals[1] ?? 5);
    const options = { threads, spinning: values.spinning, packRows };
    const measured = await measureTraining(
      shape,
      batch,
      rounds,
      options,
      withPeer ? (chosen, data) => openTrainingPeer(python, script, chosen, data, threads) : undefined,
    );
    const { tokens, tokensPerSecond, peerTokensPerSecond, ratio, bestRatio, cpuRatio } = measured;
    const peer =
      peerTokensPerSecond === undefined
        ? ''
        : `, PyTorch ${peerTokensPerSecond.toFixed(0)}, ratio ${ratio?.toFixed(2) ?? ''} (fastest rounds ${bestRatio?.toFixed(2) ?? ''}, in processor time ${cpuRatio?.toFixed(2) ?? ''})`;
    console.log(`${shape} ${batch}: ${tokens} tokens, ours ${tokensPerSecond.toFixed(0)} tok/s${peer}`);
  }
}
