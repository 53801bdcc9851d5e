/**
 * One GRPO step, end to end, against plain PyTorch with a transformers model (bench/learning/grpo-peer.py): same weights (models/base), same
 * tasks (those of `agoge demo --policy base`), same sampling settings, same number of episodes; tokens are counted on both sides. Ours is what the
 * trainer does (sample, advantages, update) with its environment in it; the peer's clock stops while it waits for the environment.
 *   npx tsx bench/learning/grpo.ts [--rounds 7] [--groups 16] [--samples 8] [--threads 2] [--micro-batch 32] [--model FOLDER or FILE.gguf]
 *     [--turns 8] [--tokens 32] [--device cuda] [--python PYTHON] [--tinker http://127.0.0.1:8000 --tinker-model FOLDER]
 * --tinker: the peer is a server as docs/cluster.md starts it (SkyRL's JAX server), through our Tinker client with an adapter of rank 32;
 * FOLDER is its base model, of the same weights. Rows of such a step are all computed there as well.
 * Another model is played in plain turns (observation, "> ", action, end of line); both sides take the weights that our engine saved.
 * "every row": the trainer leaves out rows of groups whose rewards are all equal, since they cannot move the policy; this line is
 * without that. For another model it is the only one: a model that never wins would have no update at all.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Environments } from '../../src/agent/environments.ts';
import { openPrompting } from '../../src/agent/prompting.ts';
import { takeTurn } from '../../src/agent/turn.ts';
import { demoRecipe } from '../../src/demo/plan.ts';
import type { Episode } from '../../src/envs/environment.ts';
import { EmbeddedEngine, type EmbeddedOptions } from '../../src/engine/embedded/embedded.ts';
import { readWords } from '../../src/engine/embedded/models/load.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { TinkerEngine } from '../../src/engine/tinker/client/engine.ts';
import { plainTemplate } from '../../src/policy/chat-template.ts';
import { EnginePolicy } from '../../src/policy/engine-policy.ts';
import { trainingRows } from '../../src/train/rl/update/batch-rows.ts';
import { collect } from '../../src/train/rl/rollout.ts';
import { openDeck } from '../../src/train/tasks/deck.ts';
import { TaskSource } from '../../src/train/tasks/source.ts';
import { updatePolicy } from '../../src/train/rl/update/update.ts';
import { python } from '../../tests/peers/python.ts';
import { inProject } from '../root.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    groups: { type: 'string', default: '16' },
    samples: { type: 'string', default: '8' },
    threads: { type: 'string', default: '2' },
    'micro-batch': { type: 'string', default: '32' },
    model: { type: 'string' },
    turns: { type: 'string' },
    tokens: { type: 'string' },
    device: { type: 'string', default: 'host' },
    python: { type: 'string', default: python },
    tinker: { type: 'string' },
    'tinker-model': { type: 'string' },
  },
});
const [rounds, groups, threads] = [Number(values.rounds), Number(values.groups), Number(values.threads)];
const own = values.model === undefined;
const model = values.model ?? inProject('models/base');
const turns = own ? { opening: '<|act|>' } : { opening: '\n> ', end: '\n', template: plainTemplate };

/** A small learning rate: both policies stay where they are, so that their episodes stay alike over the rounds. */
const demo = demoRecipe({ env: 'textcraft', policy: 'base', seed: 1, seconds: 60, run: 'bench', output: '' }, 1);
const recipe = {
  ...demo,
  rollout: { ...demo.rollout, groups, samples: Number(values.samples) },
  agent: {
    ...demo.agent,
    max_turns: Number(values.turns ?? demo.agent.max_turns),
    tokens_per_turn: Number(values.tokens ?? demo.agent.tokens_per_turn),
  },
  // SkyRL's JAX server clips no gradients, and keeps Adam's settings in bfloat16.
  optimizer: {
    ...demo.optimizer,
    lr: 1e-6,
    ...(values.tinker !== undefined && { clip_norm: 0, betas: [0.9, 0.95] satisfies [number, number] }),
  },
  log: { ...demo.log, agreement: true },
};
const { rollout, agent, algorithm, optimizer } = recipe;

interface StepFigures {
  readonly seconds: number;
  /** Processor time, of all threads. */
  readonly processor: number;
  readonly sampling: number;
  readonly update: number;
  readonly tokens: number;
  readonly sampled: number;
  readonly reward: number;
  readonly environment?: number;
}

const { signal } = new AbortController();
await using environments = new Environments({ signal });
const pool = await openDeck(recipe.tasks[0]!, { environment: (entry) => environments.open(entry) });
const environment = pool.environments[0]!;
const prompting = await openPrompting({ ...agent, format: agent.format ?? 'direct' });
const { format } = prompting;
const newSource = (): TaskSource => new TaskSource([pool], recipe.seed);

/** A step as the trainer takes it. `everyRow`: rows without signal are computed as well. */
async function ours(
  engine: Engine,
  policy: EnginePolicy,
  source: TaskSource,
  step: number,
  everyRow: boolean,
): Promise<StepFigures> {
  const start = performance.now();
  const busy = process.cpuUsage();
  const batch = await collect(step, { recipe, policy, prompting, source, signal });
  const sampled = performance.now();
  const { rows } = trainingRows(batch, {}, algorithm, 0);
  const moving = everyRow
    ? rows.map((row) => ({ ...row, advantages: row.advantages.map((value) => (value === 0 ? 1e-12 : value)) }))
    : rows;
  await updatePolicy(engine, moving, { recipe, step, learningRate: optimizer.lr, klCoefficient: 0 });
  const end = performance.now();
  const { user, system } = process.cpuUsage(busy);
  const episodes = batch.groups.flatMap((group) => group.episodes);
  const sum = (of: (episode: (typeof episodes)[number]) => number): number => episodes.reduce((all, one) => all + of(one), 0);
  return {
    seconds: (end - start) / 1000,
    processor: (user + system) / 1e6,
    sampling: (sampled - start) / 1000,
    update: (end - sampled) / 1000,
    tokens: sum(({ datum }) => datum.tokens.length),
    sampled: sum(({ datum }) => datum.logprobs.length),
    reward: sum(({ reward }) => reward) / episodes.length,
  };
}

interface Peer {
  readonly name: string;
  step(source: TaskSource, step: number): Promise<StepFigures>;
  close(): unknown;
}

/** A Tinker server, which is a peer by itself: the step is the trainer's own. It opens before our engine, to have its memory first. */
async function openServer(url: string, baseModel: string): Promise<Peer> {
  const words = await readWords(baseModel);
  const key = process.env['TINKER_API_KEY'] ?? 'tml-none';
  const server = await TinkerEngine.open({ url, key, baseModel, words, rank: 32, seed: 1, verify: false });
  const policy = new EnginePolicy(server, { id: 'server', template: turns.template });
  return {
    name: 'Tinker server',
    step: (source, step) => ours(server, policy, source, step, true),
    close: () => server[Symbol.asyncDispose](),
  };
}

/** The peer's process, and the environment it plays through the pipe. */
function openPeer(folder: string): Peer {
  const child = spawn(values.python, [fileURLToPath(new URL('grpo-peer.py', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const say = (message: unknown): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  const hear = async (): Promise<{ act?: [number, string][]; step?: StepFigures }> => {
    const line = await lines.next();
    if (line.done === true) throw new Error('the peer gave up: see above');
    return JSON.parse(line.value) as { act?: [number, string][]; step?: StepFigures };
  };
  say({
    model: folder,
    opening: turns.opening,
    end: turns.end,
    threads,
    device: values.device === 'cuda' ? 'cuda' : 'cpu',
    lr: optimizer.lr,
    betas: optimizer.betas,
    epsilon: optimizer.epsilon,
    clipNorm: optimizer.clip_norm,
    clip: algorithm.clip,
    temperature: rollout.temperature,
    samples: rollout.samples,
    turns: agent.max_turns,
    tokensPerTurn: agent.tokens_per_turn,
    microBatch: Number(values['micro-batch']),
  });
  const ready = hear();
  return {
    name: 'PyTorch',
    async step(source) {
      await ready;
      const episodes: Episode[] = [];
      for (let group = 0; group < groups; group++) {
        const { task } = source.next();
        for (let sample = 0; sample < rollout.samples; sample++) episodes.push(await environment.open(task, { signal }));
      }
      say({ open: episodes.map(({ observation }) => observation) });
      for (;;) {
        const { act, step } = await hear();
        if (step) {
          say({});
          await hear(); // ready for the next one
          for (const episode of episodes) await episode[Symbol.asyncDispose]();
          return step;
        }
        const answers = [];
        for (const [episode, text] of act ?? []) {
          const { turn } = await takeTurn(episodes[episode]!, text, format, environment.instructions);
          answers.push([turn.observation, turn.reward, turn.done]);
        }
        say(answers);
      }
    },
    close: () => void child.kill(),
  };
}

const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1] ?? Number.NaN;
const device = values.device as NonNullable<EmbeddedOptions['device']>;
const server = values.tinker === undefined ? undefined : await openServer(values.tinker, values['tinker-model'] ?? model);
const engine = await EmbeddedEngine.open(device === 'host' ? { model, threads } : { model, device });
const policy = new EnginePolicy(engine, { id: 'base', template: turns.template });
const saved = mkdtempSync(join(tmpdir(), 'agoge-bench-grpo-'));
await engine.save(saved);
const peer = server ?? openPeer(saved);
type Contender = readonly [name: string, step: (source: TaskSource, step: number) => Promise<StepFigures>];
const skipping: Contender = ['ours', (source, step) => ours(engine, policy, source, step, false)];
const contenders: readonly Contender[] = [
  ...(own ? [skipping] : []),
  ['ours, every row', (source, step) => ours(engine, policy, source, step, true)],
  [peer.name, (source, step) => peer.step(source, step)],
];
const sources = contenders.map(newSource);
const figures: StepFigures[][] = contenders.map(() => []);
for (let round = 0; round <= rounds; round++) {
  for (const [i, [name, step]] of contenders.entries()) {
    const taken = await step(sources[i]!, round + 1);
    if (!own) {
      const { seconds, processor, sampling, update, tokens } = taken;
      const parts = `sampling ${sampling.toFixed(1)}, update ${update.toFixed(1)}`;
      console.log(
        `round ${round}, ${name}: ${seconds.toFixed(1)} s (${parts}), processor ${processor.toFixed(1)} s, ${tokens} tokens`,
      );
    }
    if (round > 0) figures[i]!.push(taken); // the first round is a warm-up
  }
}
await peer.close();
rmSync(saved, { recursive: true });
await engine[Symbol.asyncDispose]();

console.log(
  `GRPO step of ${groups * rollout.samples} episodes (${groups} groups of ${rollout.samples}), medians of ${rounds} rounds:`,
);
const of = (i: number, key: keyof StepFigures): number => median(figures[i]!.map((one) => one[key] ?? Number.NaN));
const theirs = contenders.length - 1;
contenders.forEach(([name], i) => {
  const parts = `sampling ${of(i, 'sampling').toFixed(3)}, update ${of(i, 'update').toFixed(3)}`;
  const processor = `processor ${of(i, 'processor').toFixed(3)} s`;
  const waiting =
    i === theirs && server === undefined ? `; waiting for its environment, not counted, ${of(i, 'environment').toFixed(3)}` : '';
  const work = `${of(i, 'tokens')} tokens, ${of(i, 'sampled')} of them sampled, mean reward ${of(i, 'reward').toFixed(2)}`;
  console.log(`${name.padEnd(16)} ${of(i, 'seconds').toFixed(3)} s (${parts}${waiting}); ${processor}; ${work}`);
});
for (let i = 0; i < theirs; i++) {
  const ratio = of(theirs, 'seconds') / of(i, 'seconds');
  const perToken = (ratio * of(i, 'tokens')) / of(theirs, 'tokens');
  const best =
    Math.min(...figures[theirs]!.map(({ seconds }) => seconds)) / Math.min(...figures[i]!.map(({ seconds }) => seconds));
  const processor = of(theirs, 'processor') / of(i, 'processor');
  console.log(
    `ratio, ${(contenders[i]?.[0] ?? '').padEnd(16)} ${ratio.toFixed(2)} (per token ${perToken.toFixed(2)}, fastest rounds ${best.toFixed(2)}, processor time ${processor.toFixed(2)})`,
  );
}
