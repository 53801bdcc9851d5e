/**
 * Resident memory: a thousand train steps and 100,000 sampled requests of mixed lengths. Flat after warm-up: what may grow is the
 * arena of activations, up to the largest batch, and the number of compiled graphs, which is bounded; both are printed beside it.
 *   npx tsx bench/engine/memory.ts [train|sample|both, default both] [--steps 1000] [--requests 100000] [--largest-first]
 * With --largest-first the largest batch that can come is the first one: then nothing is left to grow for. Run with
 * NODE_OPTIONS=--expose-gc to leave garbage out of the figures.
 */
import { parseArgs } from 'node:util';
import { Random } from '../../src/core/random/random.ts';
import { EmbeddedEngine } from '../../src/engine/embedded/embedded.ts';
import type { Datum } from '../../src/engine/engine.ts';
import { presetConfig } from '../../src/engine/embedded/network/config.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    steps: { type: 'string', default: '1000' },
    requests: { type: 'string', default: '100000' },
    'largest-first': { type: 'boolean', default: false },
  },
});
const what = positionals[0] ?? 'both';
const vocabulary = 512;
const random = Random.of(1);
const tokens = (count: number): number[] => Array.from({ length: count }, () => random.below(vocabulary));
const [longestPrompt, longestReply, mostRows] = [100, 200, 12];

function batchOf(prompt: number, replies: readonly number[]): Datum[] {
  const shared = tokens(prompt);
  return replies.map((reply) => {
    const all = [...shared, ...tokens(reply)];
    return { tokens: all, mask: Uint8Array.from(all, (_, i) => (i >= prompt ? 1 : 0)) };
  });
}

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;

/** Prints ten marks and how much the second half of them grew. */
function watch(total: number, name: string): (done: number, details: string) => void {
  const marks: number[] = [];
  return (done, details) => {
    globalThis.gc?.();
    const resident = process.memoryUsage.rss();
    marks.push(resident);
    console.log(`${name} ${done}: resident ${mebibytes(resident)}${details}`);
    if (done < total) return;
    const half = marks.slice(Math.floor(marks.length / 2));
    console.log(
      `${name}: second half from ${mebibytes(half[0]!)} to ${mebibytes(half.at(-1)!)}, at most ${mebibytes(Math.max(...half))}`,
    );
  };
}

async function train(steps: number): Promise<void> {
  await using engine = await EmbeddedEngine.open({ config: presetConfig('xxs', { vocabulary, context: 512 }), seed: 1 });
  const mark = watch(steps, 'train step');
  for (let step = 1; step <= steps; step++) {
    const largest = step === 1 && values['largest-first'];
    const batch = largest
      ? Array.from({ length: mostRows }, () => batchOf(1, [longestPrompt + longestReply - 1])).flat()
      : batchOf(
          random.between(1, longestPrompt),
          Array.from({ length: random.between(1, mostRows) }, () => random.between(2, longestReply)),
        );
    await engine.forwardBackward(batch, (scores) => ({ loss: 0, gradient: scores.map((one) => one.scores.map(() => -1e-3)) }), {
      entropy: largest || step % 3 === 0,
    });
    await engine.optimStep({ learningRate: 1e-3, clipNorm: 1 });
    if (step % Math.ceil(steps / 10) !== 0 && step !== steps) continue;
    const { arenaBytes = 0, sessions = 0 } = engine.learnerStatistics ?? {};
    mark(step, `, arena ${mebibytes(arenaBytes)}, ${sessions} graphs`);
  }
}

async function sample(requests: number): Promise<void> {
  await using engine = await EmbeddedEngine.open({ config: presetConfig('xxs', { vocabulary, context: 512 }), seed: 1 });
  const mark = watch(requests, 'request');
  const every = Math.ceil(requests / 10);
  for (let done = 0, next = every; done < requests;) {
    const count = Math.min(500, requests - done);
    await Promise.all(
      Array.from({ length: count }, () =>
        engine.sample({ prompt: tokens(1 + random.below(120)), maxTokens: 1 + random.below(8), seed: random.seed() }),
      ),
    );
    done += count;
    if (done < next) continue;
    next += every;
    mark(done, '');
  }
}

if (what !== 'sample') await train(Number(values.steps));
if (what !== 'train') await sample(Number(values.requests));
