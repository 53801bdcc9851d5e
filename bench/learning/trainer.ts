/**
 * What the trainers themselves cost. Run: npx tsx bench/learning/trainer.ts [share] [overlap] [memory] [streaming] [policy=base] [rounds=5]
 *   share      share of a GRPO step that is neither sampling nor engine
 *   overlap    steps per hour with a slow environment, staleness 0 and 1 in turn; and what both learned
 *   memory     heap after collection and resident memory over 500 steps
 *   streaming  resident memory of reading 10,000 and 100,000 conversations, JSONL and parquet
 * Without a name all four.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createFormat } from '../../src/agent/formats/index.ts';
import { rlRecipe, sftRecipe } from '../../src/config/recipe/recipe.ts';
import { formatNamed } from '../../src/data/formats/formats.ts';
import { RowWriter } from '../../src/data/write.ts';
import { loadModel } from '../../src/engine/embedded/models/load.ts';
import type { Environment, Episode } from '../../src/envs/environment.ts';
import '../../src/envs/builtin.ts';
import { loadEnvironment } from '../../src/envs/registry.ts';
import { createRenderer } from '../../src/policy/renderer.ts';
import { readEvaluations, readMetrics } from '../../src/run/metrics-log.ts';
import { RunDirectory } from '../../src/run/run-directory.ts';
import { corridor, corridorWords } from '../../src/train/fixtures/corridor.fixture.ts';
import { Demonstrations } from '../../src/train/sft/demonstrations.ts';
import { checkFiles, FileSource } from '../../src/train/sft/file-source.ts';
import { openEngine, weightsOf } from '../../src/train/run/open-parts.ts';
import { trainRl } from '../../src/train/rl/trainer.ts';
import { startRl } from '../../src/train/rl/start.ts';
import { TabularEngine } from '../../src/train/fixtures/tabular-engine.fixture.ts';

const words = process.argv.slice(2);
const option = (name: string, otherwise: string): string =>
  words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1) ?? otherwise;
const policy = option('policy', 'base');
const { signal } = new AbortController();

/** The share of a step that is the trainer's own. */
async function share(folder: string): Promise<void> {
  const recipe = rlRecipe({
    run: 'share',
    output: folder,
    policy,
    tasks: [{ env: 'textcraft', split: 'generated-short' }],
    agent: { max_turns: 8, tokens_per_turn: 40 },
    rollout: { groups: 32, samples: 8 },
    algorithm: { entropy: 1e-9 }, // every row is computed, also those without signal
    optimizer: { lr: 1e-5 },
    steps: 6,
    evaluate: { at_end: false },
    checkpoint: { every: 0, at_end: false },
  });
  await startRl(recipe, { signal });
  const steps = (await readMetrics(join(folder, 'share'))).slice(1).map(({ data }) => data);
  const mean = (name: string): number => steps.reduce((sum, data) => sum + (data[name] ?? 0), 0) / steps.length;
  console.log(
    `GRPO step of 256 episodes: ${mean('timing_s/step').toFixed(2)} s, of it sampling ${mean('timing_s/gen').toFixed(2)}, update ${mean('timing_s/update_actor').toFixed(2)}, trainer ${(100 * mean('perf/trainer_share')).toFixed(2)} %`,
  );
}

/** An environment whose every answer takes so long. */
function slowed(environment: Environment, milliseconds: number): Environment {
  const wait = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
  return {
    ...environment,
    tasks: (split) => environment.tasks(split),
    async open(task, options): Promise<Episode> {
      await wait();
      const episode = await environment.open(task, options);
      return {
        observation: episode.observation,
        step: async (action) => {
          await wait();
          return episode.step(action);
        },
        [Symbol.asyncDispose]: () => episode[Symbol.asyncDispose](),
      };
    },
  };
}

/** The same training at staleness 0 and 1, in turn; the engine, tasks and updates are real, only the environment is made slow. */
async function overlap(folder: string): Promise<void> {
  const rounds = Number(option('rounds', '5'));
  const steps = Number(option('steps', '16'));
  const latency = Number(option('latency', '400'));
  const settings = { depth: '1' };
  const plain = await loadEnvironment('textcraft', settings);
  const slow = slowed(plain, latency);
  const rates: [number[], number[]] = [[], []];
  const learned: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    for (const staleness of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const recipe = rlRecipe({
        run: `overlap-${round}-${staleness}`,
        seed: round + 1,
        policy,
        tasks: [{ env: 'textcraft', split: 'generated-short', settings }],
        agent: { max_turns: 5, tokens_per_turn: 32 },
        rollout: { groups: 16, samples: 8, staleness },
        optimizer: { lr: 3e-4 },
        steps,
        evaluate: { tasks: 128, max_turns: 5 },
        checkpoint: { every: 0, at_end: false },
      });
      const path = join(folder, recipe.run);
      const directory = await createRun(path, recipe.run, steps);
      await using engine = await openEngine(policy, { config: recipe.engine });
      const ends: number[] = [];
      await trainRl(recipe, { engine, environment: async () => slow }, directory, {
        signal,
        events: { onStep: () => void ends.push(performance.now()) },
      });
      // From the end of the second step to the end of the last: the first ones compile, or fill the pipe.
      const seconds = ((ends.at(-1) ?? 0) - (ends[1] ?? 0)) / 1000 / (steps - 2);
      const success = (await readEvaluations(path)).at(-1)?.success ?? 0;
      rates[staleness].push(3600 / seconds);
      learned[staleness].push(success);
      console.log(
        `round ${round + 1}, staleness ${staleness}: ${seconds.toFixed(2)} s per step, success after ${success.toFixed(3)}`,
      );
    }
  }
  console.log(
    `environment that takes ${latency} ms a step: staleness 1 against 0, medians of ${rounds}: ${(median(rates[1]) / median(rates[0])).toFixed(2)}x steps per hour ` +
      `(${median(rates[0]).toFixed(0)} and ${median(rates[1]).toFixed(0)}); success after ${steps} steps ${median(learned[0]).toFixed(3)} and ${median(learned[1]).toFixed(3)}`,
  );
}

/** What stays after a full collection is what is really held; resident memory also has what the allocator keeps for later. */
async function memory(folder: string): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const steps = Number(option('steps', '500'));
  const recipe = rlRecipe({
    run: 'memory',
    tasks: [{ env: 'corridor' }],
    agent: { max_turns: 4, tokens_per_turn: 2 },
    optimizer: { lr: 0.3 },
    evaluate: { split: 'test', samples: 16 },
    checkpoint: { every: 0, at_end: false },
    stop: { no_signal: 100_000 },
    steps,
  });
  const directory = await createRun(join(folder, 'memory'), 'memory', steps);
  const engine = new TabularEngine({ words: corridorWords });
  const environment = corridor();
  const seen: NodeJS.MemoryUsage[] = [];
  const onStep = ({ step }: { step: number }): void => {
    if (step % (steps / 10) !== 0) return;
    collect();
    seen.push(process.memoryUsage());
  };
  await trainRl(recipe, { engine, environment: async () => environment }, directory, { signal, events: { onStep } });
  const row = (name: keyof NodeJS.MemoryUsage): string => seen.map((usage) => (usage[name] / 2 ** 20).toFixed(1)).join(' ');
  console.log(
    `memory over ${steps} steps of 256 episodes, every ${steps / 10} steps, MiB:\n  heap after collection ${row('heapUsed')}\n  outside the heap      ${row('external')}\n  resident              ${row('rss')}`,
  );
}

/** Conversations are read as a stream: resident memory must not grow with the file. */
async function streaming(folder: string): Promise<void> {
  for (const extension of ['jsonl', 'parquet']) {
    for (const rows of [10_000, 100_000]) {
      const file = join(folder, `${rows}.${extension}`);
      await writeConversations(file, rows);
      const { size } = await stat(file);
      const child = spawnSync(process.execPath, ['--import', 'tsx', fileURLToPath(import.meta.url), `read=${file}`], {
        encoding: 'utf8',
      });
      console.log(`${rows} rows of ${extension}, ${(size / 2 ** 20).toFixed(0)} MiB: ${child.stdout.trim()}${child.stderr}`);
      await rm(file);
    }
  }
}

/** In a process of its own: what a run does before its first step, then batches of the whole file, then a resume near its end. */
async function readWhole(file: string): Promise<void> {
  const { tokenizer, chatTemplate } = await loadModel(await weightsOf(policy));
  const renderer = createRenderer(tokenizer, { template: chatTemplate });
  const start = process.resourceUsage().maxRSS / 1024;
  const from = performance.now();
  const { conversations } = await checkFiles([file]);
  const checked = performance.now();
  const recipe = sftRecipe({ run: 'x', data: { source: 'files', train: file, too_long: 'cut' } });
  const source = new FileSource({ paths: [file], renderer, recipe, maxTokens: 1024, part: 'all', epochs: 1 });
  let batches = 0;
  for (; batches < 100; batches++) await source.next(recipe.batch_tokens);
  await source.restore({ drawn: conversations - 100 });
  let rest = 0;
  for (let batch = await source.next(2048); batch; batch = await source.next(2048)) rest += batch.data.length;
  const peak = process.resourceUsage().maxRSS / 1024;
  console.log(
    `peak ${peak.toFixed(0)} MiB resident, ${(peak - start).toFixed(0)} above the start; checked in ${((checked - from) / 1000).toFixed(1)} s, ${rest} conversations after a resume at ${conversations - 100}`,
  );
}

async function writeConversations(file: string, rows: number): Promise<void> {
  const environment = await loadEnvironment('textcraft');
  const entry = {
    env: 'textcraft',
    split: 'fit',
    weight: 1,
    from: 0,
    to: null,
    url: null,
    settings: {},
    generated: false,
    after: 0,
    name: null,
    max_turns: null,
  };
  const demonstrations = new Demonstrations({
    decks: [{ entry, environment }],
    format: createFormat('direct'),
    seed: 1,
    maxTurns: 60,
  });
  const played = [];
  for (let i = 0; i < 500; i++) played.push((await demonstrations.draw(i, 1)).messages);
  await using writer = await RowWriter.open(file, formatNamed(file.endsWith('.parquet') ? 'verl-sft' : 'chat'));
  for (let i = 0; i < rows; i++) {
    const messages = (played[i % played.length] ?? []).map(({ role, text }) => ({ role, content: text }));
    await writer.add({ kind: 'conversation', messages, itemId: `textcraft_${i}` });
  }
  await writer.finish();
}

function createRun(path: string, name: string, steps: number): Promise<RunDirectory> {
  return RunDirectory.create(path, '', { name, kind: 'rl', title: 'bench', seed: 1, steps, versions: {}, environments: {} });
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

const file = option('read', '');
if (file !== '') await readWhole(file);
else {
  const parts = { share, overlap, memory, streaming };
  const chosen = words.filter((word) => Object.hasOwn(parts, word)) as (keyof typeof parts)[];
  const folder = await mkdtemp(join(tmpdir(), 'agoge-bench-trainer-'));
  try {
    for (const name of chosen.length > 0 ? chosen : (Object.keys(parts) as (keyof typeof parts)[])) await parts[name](folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
