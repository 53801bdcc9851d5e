/**
 * How fast many episodes are played, and what the loop itself costs.
 *
 *   npx tsx bench/learning/rollout.ts [rounds=5] [episodes=256]
 *
 * 1. The embedded engine with the base policy on generated TextCraft worlds, whose turn counts are skewed by themselves; steps
 *    take log-normal times, as those of environments on other machines do. The barrier-free pool against a lockstep driver (all
 *    active episodes reply, then all step; wait for the slowest), which plays the same episodes through the same formats,
 *    conversations and engine. Alternating, ratio printed.
 * 2. The same with environments that answer at once (pure CPU).
 * 3. Overhead of the loop per turn: episodes through playEpisode against the bare engine and environment calls.
 */
import { setMaxListeners } from 'node:events';
import { turnSeed } from '../../src/agent/episode.ts';
import { createFormat } from '../../src/agent/formats/index.ts';
import { EpisodePool, type EpisodeJob } from '../../src/agent/pool.ts';
import { takeTurn } from '../../src/agent/turn.ts';
import { sleep } from '../../src/core/deadline.ts';
import { Random } from '../../src/core/random/random.ts';
import type { TaskRef } from '../../src/core/task.ts';
import { EmbeddedEngine } from '../../src/engine/embedded/embedded.ts';
import type { SampleRequest } from '../../src/engine/engine.ts';
import '../../src/envs/builtin.ts';
import type { Environment, Episode } from '../../src/envs/environment.ts';
import { loadEnvironment } from '../../src/envs/registry.ts';
import { Conversation } from '../../src/policy/conversation.ts';
import { EnginePolicy } from '../../src/policy/engine-policy.ts';
import { ToyEngine } from '../../tests/fixtures/toy-engine.ts';
import { ToyEnvironment } from '../../tests/fixtures/toy-environment.ts';
import { inProject } from '../root.ts';

const arguments_ = new Map(process.argv.slice(2).map((text) => text.split('=') as [string, string]));
const rounds = Number(arguments_.get('rounds') ?? 5);
const episodes = Number(arguments_.get('episodes') ?? 256);

const format = createFormat('direct');
const limits = { turns: 20, tokensPerTurn: 32 };
const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

function jobs(environment: Environment, policy: EnginePolicy, split: string, count: number): EpisodeJob[] {
  return Array.from({ length: count }, (_, index) => ({
    environment,
    policy,
    format,
    limits,
    task: { env: environment.name, split, index: Math.floor(index / 8) },
    seed: index,
    sample: index % 8,
  }));
}

/** Log-normal step times: median 40 ms, one in a hundred above 400 ms, never more than 2 s. */
const skewed = (seed: number, step: number): number => Math.min(2000, 40 * Math.exp(Random.of(seed, step).normal()));

/** The same environment behind a slow wire. */
function slowed(environment: Environment): Environment {
  let opened = 0;
  return {
    name: environment.name,
    version: environment.version,
    splits: environment.splits,
    instructions: environment.instructions,
    tasks: (split) => environment.tasks(split),
    open: async (task: TaskRef, options) => {
      const seed = opened++;
      const episode = await environment.open(task, options);
      let steps = 0;
      return {
        observation: episode.observation,
        step: async (action: string) => {
          await sleep(skewed(seed, steps++));
          return episode.step(action);
        },
        [Symbol.asyncDispose]: () => episode[Symbol.asyncDispose](),
      } satisfies Episode;
    },
  };
}

interface Played {
  readonly milliseconds: number;
  readonly turns: number;
}

async function barrierFree(environment: Environment, policy: EnginePolicy): Promise<Played> {
  const started = performance.now();
  let turns = 0;
  const pool = new EpisodePool({ concurrency: episodes });
  for await (const { trajectory } of pool.run(jobs(environment, policy, 'generated-test', episodes)))
    turns += trajectory.turns.length;
  return { milliseconds: performance.now() - started, turns };
}

/** One turn of everybody at a time: what a driver with a barrier does. */
async function lockstep(environment: Environment, policy: EnginePolicy): Promise<Played> {
  const started = performance.now();
  const all = await Promise.all(
    jobs(environment, policy, 'generated-test', episodes).map(async (job) => {
      const episode = await environment.open(job.task);
      const conversation = new Conversation(policy.renderer);
      conversation.open([...format.opening(environment.instructions), { role: 'user', text: episode.observation }]);
      return { job, episode, conversation, done: false };
    }),
  );
  let turns = 0;
  for (let turn = 0; turn < limits.turns; turn++) {
    const active = all.filter(({ done }) => !done);
    if (active.length === 0) break;
    const { signal } = new AbortController();
    setMaxListeners(0, signal); // one listener per episode is meant
    const replies = await Promise.all(
      active.map(({ conversation, job }) =>
        policy.reply(conversation, { maxTokens: limits.tokensPerTurn, temperature: 1, seed: turnSeed(job.seed, turn), signal }),
      ),
    );
    await Promise.all(
      active.map(async (play, at) => {
        const reply = replies[at]!;
        play.conversation.reply(reply.segment, reply.stop);
        const { turn: taken } = await takeTurn(play.episode, reply.segment.text, format, environment.instructions);
        play.done = taken.done;
        if (!taken.done) play.conversation.observe(taken.observation);
        turns++;
      }),
    );
  }
  return { milliseconds: performance.now() - started, turns };
}

async function against(name: string, open: () => Promise<Environment>, policy: EnginePolicy): Promise<void> {
  const free: number[] = [];
  const locked: number[] = [];
  let turns = 0;
  await barrierFree(await open(), policy); // graphs are built, caches are warm
  for (let round = 0; round < rounds; round++) {
    const a = await lockstep(await open(), policy);
    const b = await barrierFree(await open(), policy);
    if (a.turns !== b.turns) throw new Error(`other episodes: ${b.turns} turns, not ${a.turns}`);
    locked.push(a.milliseconds);
    free.push(b.milliseconds);
    ({ turns } = a);
  }
  const ratios = locked.map((milliseconds, round) => milliseconds / free[round]!);
  console.log(
    `${name}: ${episodes} episodes, ${turns} turns; lockstep ${median(locked).toFixed(0)} ms, barrier-free ${median(free).toFixed(0)} ms: ` +
      `${median(ratios).toFixed(2)}× (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
  );
}

/** Microseconds of processor time since then: what other programs do on the machine stays out. */
function processorTime(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return user + system;
}

/** The loop itself: an engine and an environment that answer at once, through the pool and called barely. */
async function overhead(): Promise<void> {
  const count = 400;
  const bare: number[] = [];
  const looped: number[] = [];
  const script = (request: SampleRequest): string => (request.seed % 4 === 0 ? 'add 1' : 'look');
  for (let round = 0; round < rounds; round++) {
    const environment = new ToyEnvironment();
    const engine = new ToyEngine({ script });
    const policy = new EnginePolicy(engine, { id: 'toy' });
    const prompt = new Int32Array(64);
    const all = jobs(environment, policy, 'test', count);
    let started = process.cpuUsage();
    let turns = 0;
    for (const { task, seed } of all) {
      const episode = await environment.open(task);
      for (let turn = 0; turn < limits.turns; turn++) {
        const { stopTokens } = policy.renderer;
        const sample = await engine.sample({ prompt, maxTokens: 16, stopTokens, seed: turnSeed(seed, turn) });
        turns++;
        const step = await episode.step(policy.renderer.text(sample.tokens, sample.stop));
        if (step.done) break;
      }
    }
    bare.push(processorTime(started) / turns);
    started = process.cpuUsage();
    turns = 0;
    for await (const { trajectory } of new EpisodePool({ concurrency: 1 }).run(all)) turns += trajectory.turns.length;
    looped.push(processorTime(started) / turns);
  }
  const [a, b] = [median(bare), median(looped)];
  console.log(
    `loop overhead in processor time: bare calls ${a.toFixed(0)} µs per turn, through the loop ${b.toFixed(0)} µs: +${(b - a).toFixed(0)} µs per turn`,
  );
}

const textcraft = await loadEnvironment('textcraft');
const engine = await EmbeddedEngine.open({ model: inProject('models/base') });
const policy = new EnginePolicy(engine, { id: 'base', ownsEngine: true });
await against('skewed turns and step latencies', async () => slowed(textcraft), policy);
await against('pure CPU environments, skewed turns', async () => textcraft, policy);
await policy[Symbol.asyncDispose]();
await overhead();
