/**
 * What a second core gives sampling: the same requests in one lane and in two, alternating. By processor time, so that other work on the machine
 * does not matter much, how much of it is the main thread, and by the clock, which says something on a quiet machine alone.
 *   npx tsx bench/engine/lanes.ts [--shape xs] [--requests 32,64,256] [--rounds 5] [--threads 1]     (Linux: it reads /proc)
 */
import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Random } from '../../src/core/random/random.ts';
import { EmbeddedEngine } from '../../src/engine/embedded/embedded.ts';
import { presetConfig } from '../../src/engine/embedded/network/config.ts';

const { values } = parseArgs({
  options: {
    shape: { type: 'string', default: 'xs' },
    requests: { type: 'string', default: '32,64,256' },
    rounds: { type: 'string', default: '5' },
    threads: { type: 'string', default: '2' },
  },
});
process.env['AGOGE_CALIBRATION'] = 'off';
const config = presetConfig(values.shape, { vocabulary: 4096, context: 1024 });

/** Seconds of processor time: of the main thread, and of all threads together. */
function spent(): { main: number; all: number } {
  const seconds = (path: string): number => {
    const fields = readFileSync(path, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  };
  const threads = readdirSync('/proc/self/task').map((thread) => seconds(`/proc/self/task/${thread}/stat`));
  return { main: seconds(`/proc/self/task/${process.pid}/stat`), all: threads.reduce((sum, each) => sum + each, 0) };
}

interface Cost {
  /** Microseconds of processor time per sampled token. */
  readonly all: number;
  readonly main: number;
  readonly rows: number;
  /** Tokens a second, by the clock. */
  readonly speed: number;
}

async function cost(engine: EmbeddedEngine, requests: number, round: number): Promise<Cost> {
  const before = counts(engine);
  const from = spent();
  const began = performance.now();
  let tokens = 0;
  // Long enough for a clock that counts hundredths of a second.
  for (let again = 0; tokens < 4096; again++) {
    const samples = await Promise.all(
      Array.from({ length: requests }, (_, i) => {
        const random = Random.of(round, again, i);
        const prompt = Int32Array.from({ length: 128 }, () => random.below(config.vocabulary));
        return engine.sample({ prompt, maxTokens: 64, seed: i });
      }),
    );
    tokens += samples.reduce((sum, sample) => sum + sample.tokens.length, 0);
  }
  const seconds = (performance.now() - began) / 1000;
  const to = spent();
  const after = counts(engine);
  const micro = (seconds: number): number => (seconds * 1e6) / tokens;
  return {
    all: micro(to.all - from.all),
    main: micro(to.main - from.main),
    rows: (after.usedRows - before.usedRows) / (after.steps - before.steps),
    speed: tokens / seconds,
  };
}

function counts(engine: EmbeddedEngine): { steps: number; usedRows: number } {
  const { steps, usedRows } = engine.samplerStatistics ?? { steps: 0, usedRows: 0 };
  return { steps, usedRows };
}

const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;

const threads = Number(values.threads);
const lanes = threads === 1 ? [1] : [1, 2];
const engines = await Promise.all(
  lanes.map((count) => EmbeddedEngine.open({ config, seed: 1, threads, sampling: { lanes: count } })),
);
console.log(
  '| requests | lanes | rows per step | µs per token, all threads | of it main thread | two cores can give | tokens/s | two cores gave |',
);
console.log('|---|---|---|---|---|---|---|---|');
for (const requests of values.requests.split(',').map(Number)) {
  const costs: Cost[][] = [[], []];
  for (let round = -1; round < Number(values.rounds); round++)
    for (const [at, engine] of engines.entries()) {
      const one = await cost(engine, requests, round);
      if (round >= 0) costs[at]?.push(one);
    }
  const [one = [], two = []] = costs;
  for (const [at, each] of [one, two].slice(0, lanes.length).entries()) {
    const [all, main, rows, speed] = (['all', 'main', 'rows', 'speed'] as const).map((key) =>
      median(each.map((cost) => cost[key])),
    );
    const gain = at === 0 ? '' : ((2 * median(one.map((cost) => cost.all))) / (all ?? Number.NaN)).toFixed(2);
    const gave = at === 0 ? '' : ((speed ?? Number.NaN) / median(one.map((cost) => cost.speed))).toFixed(2);
    console.log(
      `| ${requests} | ${at + 1} | ${rows?.toFixed(1)} | ${all?.toFixed(1)} | ${main?.toFixed(1)} | ${gain} | ${speed?.toFixed(0)} | ${gave} |`,
    );
  }
}
for (const engine of engines) await engine[Symbol.asyncDispose]();
