/**
 * Training against PyTorch eager (scaled_dot_product_attention, fused AdamW) in one run, alternating: tokens per second on plain
 * batches and on batches shaped like GRPO's, where PyTorch pads every sequence to the longest. Without the Python peer only we run.
 *   npx tsx bench/engine-training.ts [shapes, default xs,s,m] [rounds, default 5] [--spinning] [--solo] [--pack-rows n]
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { existsSync } from 'node:fs';
import {
  groupedBatch,
  plainBatch,
  tokensOf,
  trainingBench,
  trainingShapes,
  type TrainingShape,
} from '../src/engine/embedded/measure.ts';
import type { Datum } from '../src/engine/engine.ts';
import { python } from '../tests/peers/python.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    spinning: { type: 'boolean', default: false },
    solo: { type: 'boolean', default: false },
    'pack-rows': { type: 'string' },
  },
});
const names = (positionals[0] ?? 'xs,s,m').split(',') as (keyof typeof trainingShapes)[];
const rounds = Number(positionals[1] ?? 5);

const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1]!;

for (const name of names) {
  const shape = trainingShapes[name];
  for (const [kind, batch] of [
    ['plain', plainBatch(shape)],
    ['grpo', groupedBatch(shape)],
  ] as const) {
    const peer = values.solo || !existsSync(python) ? undefined : await openPeer(shape, batch);
    const bench = await trainingBench(shape, batch, {
      spinning: values.spinning,
      ...(values['pack-rows'] !== undefined && { packRows: Number(values['pack-rows']) }),
    });
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = -1; round < rounds; round++) {
      const mine = await bench.step();
      const other = await peer?.step();
      if (round < 0) continue; // warm-up
      ours.push(mine.seconds);
      if (other) theirs.push(other.seconds);
    }
    const rate = (seconds: number): string => (tokensOf(batch) / seconds).toFixed(0);
    console.log(
      `${name} ${kind}: ${tokensOf(batch)} tokens, ours ${rate(median(ours))} tok/s (best ${rate(Math.min(...ours))})` +
        (peer
          ? `, PyTorch ${rate(median(theirs))} (best ${rate(Math.min(...theirs))}), ratio ${(median(theirs) / median(ours)).toFixed(2)} (of the best ${(Math.min(...theirs) / Math.min(...ours)).toFixed(2)})`
          : ''),
    );
    await bench[Symbol.asyncDispose]();
    peer?.close();
  }
}

/** PyTorch in a child process, with the batch as padded rows. */
async function openPeer({ config }: TrainingShape, batch: readonly Datum[]) {
  const child = spawn(python, [new URL('engine-peer.py', import.meta.url).pathname], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (request: object): Promise<{ loss: number; seconds: number }> => {
    child.stdin.write(`${JSON.stringify(request)}\n`);
    return JSON.parse(String((await lines.next()).value)) as { loss: number; seconds: number };
  };
  const longest = Math.max(...batch.map(({ tokens }) => tokens.length));
  const scored = batch.reduce((sum, { mask }) => sum + mask.filter((flag) => flag === 1).length, 0);
  const row = (pick: (datum: Datum, i: number) => number) =>
    batch.map((datum) => Array.from({ length: longest - 1 }, (_, i) => pick(datum, i)));
  const request = {
    step: row(({ tokens }, i) => tokens[i] ?? 0),
    targets: row(({ tokens }, i) => tokens[i + 1] ?? 0),
    weights: row(({ mask }, i) => (mask[i + 1] ?? 0) / scored),
  };
  await ask({ build: { ...config, eps: config.normEpsilon, theta: config.rope.theta } });
  return { step: () => ask(request), close: () => child.kill() };
}
