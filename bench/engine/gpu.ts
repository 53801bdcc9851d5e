/**
 * The engine on a card beside PyTorch and transformers on the same one, alternating: decoding with 1,000 tokens in the cache, training on
 * plain batches and on batches shaped like GRPO's, our small policies beside our own engine on the CPU. Prints one line of JSON per
 * measurement and a table at the end. Each shape and part runs in a process of its own, so that one that fails costs only itself.
 *   npx tsx bench/engine/gpu.ts [--shapes smollm2-135m,qwen3-0.6b,qwen3-1.7b] [--parts decode,train,grpo,small] [--rounds 3] [--rows 256]
 *     [--python PYTHON] [--device cuda] [--no-peer] [--fixed] [--tinker http://127.0.0.1:8000 --tinker-model FOLDER]
 * --fixed: decoding at a fixed width, where no bit depends on who shares a step.
 * --tinker: a server as docs/cluster.md starts it (SkyRL's JAX server), measured through our Tinker client with the same requests.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Random } from '../../src/core/random/random.ts';
import { EmbeddedEngine, type EmbeddedOptions } from '../../src/engine/embedded/embedded.ts';
import {
  groupedBatch,
  plainBatch,
  tokensOf,
  trainingBench,
  trainingShapes,
  type TrainingShape,
} from '../../src/engine/embedded/measure.ts';
import { huggingFaceConfig } from '../../src/engine/embedded/models/hugging-face-config.ts';
import { layoutOf } from '../../src/engine/embedded/network/layout.ts';
import { shapeConfig } from '../../src/engine/embedded/network/shapes.ts';
import type { Datum, Engine } from '../../src/engine/engine.ts';
import { openGpuPeer, peerPython } from './gpu-peer.ts';
import { saveRandomModel } from './random-model.ts';

/** What a card of this kind can do in bfloat16; shares are of it. */
const cardFlops = 790e12;
const { values } = parseArgs({
  options: {
    shapes: { type: 'string', default: 'smollm2-135m,qwen3-0.6b,qwen3-1.7b' },
    parts: { type: 'string', default: 'decode,train,grpo,small' },
    rounds: { type: 'string', default: '3' },
    rows: { type: 'string', default: '256' },
    past: { type: 'string', default: '1000' },
    tokens: { type: 'string', default: '128' },
    sequences: { type: 'string', default: '32' },
    length: { type: 'string', default: '512' },
    python: { type: 'string' },
    device: { type: 'string', default: 'cuda' },
    'no-peer': { type: 'boolean', default: false },
    tinker: { type: 'string' },
    'tinker-model': { type: 'string' },
    seconds: { type: 'string', default: '240' },
    fixed: { type: 'boolean', default: false },
    one: { type: 'string' },
  },
});
const device = values.device as NonNullable<EmbeddedOptions['device']>;
const [rounds, rows, past, tokens] = [values.rounds, values.rows, values.past, values.tokens].map(Number) as [
  number,
  number,
  number,
  number,
];

interface Measurement {
  readonly part: string;
  readonly shape: string;
  readonly ours: number;
  readonly peer?: number | undefined;
  readonly ratio?: number | undefined;
  readonly note?: string | undefined;
}

if (values.one !== undefined) await measureOne(values.one);
else runAll();

function runAll(): void {
  const parts = [...values.parts.split(','), ...(values.tinker === undefined ? [] : ['tinker'])];
  const jobs = parts.flatMap((part) => {
    const shapes = part === 'small' ? ['xs', 's'] : part === 'tinker' ? [''] : values.shapes.split(',');
    return shapes.map((shape) => `${part}:${shape}`);
  });
  const found: Measurement[] = [];
  for (const job of jobs) {
    const args = [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2), '--one', job];
    const { stdout, stderr, status } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      timeout: Number(values.seconds) * 1000,
      maxBuffer: 1 << 26,
    });
    const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
    for (const line of lines) {
      console.log(line);
      found.push(JSON.parse(line) as Measurement);
    }
    if (status !== 0)
      console.log(JSON.stringify({ job, failed: status ?? 'timeout', said: stderr.trim().split('\n').slice(-3).join(' ') }));
  }
  console.log('\n| what | shape | ours, tokens/s | peer | ratio | |\n|---|---|---|---|---|---|');
  for (const { part, shape, ours, peer, ratio, note } of found)
    console.log(
      `| ${part} | ${shape} | ${whole(ours)} | ${peer === undefined ? '–' : whole(peer)} | ${ratio?.toFixed(2) ?? '–'} | ${note ?? ''} |`,
    );
}

async function measureOne(job: string): Promise<void> {
  const [part = '', shape = ''] = job.split(':');
  if (part === 'decode') await decode(shape);
  else if (part === 'train' || part === 'grpo') await train(part, shape);
  else if (part === 'small') await small(shape);
  else if (part === 'tinker') await tinkerDecode();
  else throw new RangeError(`no part is called "${part}": use decode, train, grpo, small`);
}

/**
 * Requests in, replies out, both with the same weights. The first passes bring the prompts into the cache; the counted ones extend them. The
 * peer's own prompt is not counted either.
 */
async function decode(name: string): Promise<void> {
  const config = shapeConfig(name, { context: 2048 });
  const folder = mkdtempSync(join(tmpdir(), 'agoge-gpu-'));
  try {
    await saveRandomModel(folder, config);
    await using engine = await EmbeddedEngine.open({
      model: folder,
      device,
      context: 2048,
      sampling: { fixedWidth: values.fixed },
    });
    for (let pass = 0; pass < 2; pass++) await sampleAll(engine, config.vocabulary, 4);
    const ours: number[] = [];
    const theirs: number[] = [];
    using peer = openPeer();
    let note = values.fixed ? 'fixed width' : undefined;
    for (let round = 0; round < rounds; round++) {
      ours.push(await sampleAll(engine, config.vocabulary, tokens));
      if (!peer) continue;
      try {
        if (round === 0) {
          await peer.ask({ load: folder });
          await peer.ask({ generate: [rows, past, 4] });
        }
        const answer = await peer.ask({ generate: [rows, past, tokens] });
        theirs.push(Number(answer['tokens']) / Number(answer['seconds']));
      } catch (thrown) {
        note = `peer: ${String(thrown).slice(0, 120)}`;
      }
    }
    say({ part: `decode ×${rows}, ${past} in the cache`, shape: name, ours: median(ours), peer: orNone(theirs), note });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Tokens per second of all rows. */
async function sampleAll(engine: Pick<Engine, 'sample'>, vocabulary: number, count: number): Promise<number> {
  const start = performance.now();
  const samples = await Promise.all(
    Array.from({ length: rows }, (_, row) => {
      const random = Random.of(1, row);
      const prompt = Int32Array.from({ length: past }, () => random.below(vocabulary));
      return engine.sample({ prompt, maxTokens: count, seed: row });
    }),
  );
  const drawn = samples.reduce((sum, sample) => sum + sample.tokens.length, 0);
  return (1000 * drawn) / (performance.now() - start);
}

async function train(kind: 'train' | 'grpo', name: string): Promise<void> {
  const shape: TrainingShape = {
    config: shapeConfig(name, { context: 2048 }),
    sequences: Number(values.sequences),
    length: Number(values.length),
  };
  const batch = kind === 'train' ? plainBatch(shape) : groupedBatch(shape);
  const count = tokensOf(batch);
  await using bench = await trainingBench(shape, batch, { device });
  using peer = openPeer();
  const ours: number[] = [];
  const theirs: number[] = [];
  const request = paddedRows(batch);
  let note: string | undefined;
  // The first round of each is not counted.
  for (let round = -1; round < rounds; round++) {
    const { seconds } = await bench.step();
    if (round >= 0) ours.push(count / seconds);
    if (!peer) continue;
    try {
      if (round < 0) await peer.ask({ build: huggingFaceConfig(shape.config), train: true });
      const answer = await peer.ask(request);
      if (round >= 0) theirs.push(count / Number(answer['seconds']));
      if (Number(answer['micro']) < batch.length) note = `peer in micro-batches of ${String(answer['micro'])} rows`;
    } catch (thrown) {
      note = `peer: ${String(thrown).slice(0, 120)}`;
    }
  }
  const share = (6 * layoutOf(shape.config).length * median(ours)) / cardFlops;
  const given = kind === 'train' ? `${(100 * share).toFixed(0)}% of ${cardFlops / 1e12} TFLOP/s` : undefined;
  say({
    part: kind === 'train' ? 'training, plain' : 'training, GRPO-shaped',
    shape: name,
    ours: median(ours),
    peer: orNone(theirs),
    note: note ?? given,
  });
}

/** Our own small policies: the card beside this machine's processor, 1,024 requests of 128 tokens that draw 64 each. */
async function small(name: string): Promise<void> {
  if (name !== 'xs' && name !== 's') throw new RangeError('the small shapes are xs and s');
  const { config } = trainingShapes[name];
  await using onCard = await EmbeddedEngine.open({ config, seed: 1, device });
  await using onHost = await EmbeddedEngine.open({ config, seed: 1 });
  const measure = async (engine: Engine): Promise<number> => {
    const start = performance.now();
    const samples = await Promise.all(
      Array.from({ length: 4 * rows }, (_, row) => {
        const random = Random.of(2, row);
        return engine.sample({
          prompt: Array.from({ length: 128 }, () => random.below(config.vocabulary)),
          maxTokens: 64,
          seed: row,
        });
      }),
    );
    return (1000 * samples.reduce((sum, sample) => sum + sample.tokens.length, 0)) / (performance.now() - start);
  };
  const [card, host]: [number[], number[]] = [[], []];
  for (let round = -1; round < rounds; round++) {
    const [mine, other] = [await measure(onCard), await measure(onHost)];
    if (round < 0) continue;
    card.push(mine);
    host.push(other);
  }
  say({
    part: `sampling ×${4 * rows}`,
    shape: name,
    ours: median(card),
    peer: median(host),
    note: 'peer: our engine on the CPU',
  });
}

/** The same requests through our Tinker client, where a server is named. */
async function tinkerDecode(): Promise<void> {
  const { tinker: url, 'tinker-model': model } = values;
  if (url === undefined || model === undefined) return;
  const [{ TinkerEngine }, { readWords }] = await Promise.all([
    import('../../src/engine/tinker/client/engine.ts'),
    import('../../src/engine/embedded/models/load.ts'),
  ]);
  const words = await readWords(model);
  await using engine = await TinkerEngine.open({ url, key: process.env['TINKER_API_KEY'] ?? 'none', baseModel: model, words });
  await sampleAll(engine, words.config.vocabulary, 4);
  say({ part: `decode ×${rows} through ${url}`, shape: model, ours: await sampleAll(engine, words.config.vocabulary, tokens) });
}

function openPeer(): ReturnType<typeof openGpuPeer> | undefined {
  return values['no-peer'] ? undefined : openGpuPeer(peerPython(values.python));
}

/** As everybody without shared prompts trains: whole rows, padded to the longest. */
function paddedRows(batch: readonly Datum[]): object {
  const longest = Math.max(...batch.map((datum) => datum.tokens.length));
  const scored = batch.reduce((sum, { mask }) => sum + mask.filter((flag) => flag === 1).length, 0);
  const padded = (pick: (datum: Datum, i: number) => number): number[][] =>
    batch.map((datum) => Array.from({ length: longest - 1 }, (_, i) => pick(datum, i)));
  return {
    step: padded((datum, i) => datum.tokens[i] ?? 0),
    targets: padded((datum, i) => datum.tokens[i + 1] ?? 0),
    weights: padded(({ mask }, i) => (mask[i + 1] ?? 0) / scored),
  };
}

function say({ ours, peer, ...rest }: Measurement): void {
  console.log(JSON.stringify({ ...rest, ours, ...(peer !== undefined && { peer, ratio: ours / peer }) }));
}

function orNone(measured: readonly number[]): number | undefined {
  return measured.length === 0 ? undefined : median(measured);
}

function median(measured: readonly number[]): number {
  return [...measured].sort((a, b) => a - b)[measured.length >> 1] ?? Number.NaN;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
