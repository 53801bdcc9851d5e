/**
 * How fast many episodes are played, and what the loop itself costs.
 *
 *   npx tsx bench/rollout.ts
 *
 * 1. Skewed episodes: turn counts and step latencies with long tails, on an engine whose time depends on its batch. The
 *    barrier-free pool against a lockstep driver (all active episodes reply, then all step; wait for the slowest), which
 *    plays the same episodes through the same formats, conversations and environments. Alternating, ratio printed.
 * 2. The same with environments that answer at once (pure CPU).
 * 3. Overhead of the loop per turn: episodes through playEpisode against the bare engine and environment calls.
 */
import { createFormat } from '../src/agent/formats/index.ts';
import { turnSeed } from '../src/agent/episode.ts';
import { EpisodePool, type EpisodeJob } from '../src/agent/pool.ts';
import { takeTurn } from '../src/agent/turn.ts';
import { sleep } from '../src/core/deadline.ts';
import { Random } from '../src/core/random/random.ts';
import type { Sample, SampleRequest } from '../src/engine/engine.ts';
import { Conversation } from '../src/policy/conversation.ts';
import { EnginePolicy } from '../src/policy/engine-policy.ts';
import { ToyEngine } from '../tests/fixtures/toy-engine.ts';
import { ToyEnvironment } from '../tests/fixtures/toy-environment.ts';

/** An engine with continuous batching: one decode step of `base + perSequence × active` milliseconds per token. */
class BatchingEngine extends ToyEngine {
  private readonly waiting: { left: number; request: SampleRequest; done: (sample: Sample) => void }[] = [];
  private running = false;
  private readonly base = 2;
  private readonly perSequence = 0.01;

  override sample(request: SampleRequest): Promise<Sample> {
    return new Promise((done) => {
      this.waiting.push({ left: 3 + (request.seed % 6), request, done });
      if (!this.running) void this.decode();
    });
  }

  private async decode(): Promise<void> {
    this.running = true;
    while (this.waiting.length > 0) {
      await sleep(this.base + this.perSequence * this.waiting.length);
      for (const sequence of [...this.waiting]) {
        if (--sequence.left > 0) continue;
        this.waiting.splice(this.waiting.indexOf(sequence), 1);
        void super.sample(sequence.request).then(sequence.done);
      }
    }
    this.running = false;
  }
}

const format = createFormat('direct');
const limits = { turns: 30, tokensPerTurn: 16 };
const script = (request: SampleRequest): string => (request.seed % 4 === 0 ? 'add 1' : 'look');

function jobs(environment: ToyEnvironment, policy: EnginePolicy, count: number): EpisodeJob[] {
  return Array.from({ length: count }, (_, index) => ({
    environment,
    policy,
    format,
    limits,
    task: { env: 'toy', split: 'test', index: index % 20 },
    seed: index,
    sample: Math.floor(index / 20),
  }));
}

/** Log-normal step times: median 10 ms, one in a hundred above 100 ms. */
const skewed = (task: { index: number }, step: number): number =>
  Math.min(500, 10 * Math.exp(Random.of(task.index, step).normal()));

async function barrierFree(environment: ToyEnvironment, count: number): Promise<number> {
  const policy = new EnginePolicy(new BatchingEngine({ script }), { id: 'toy' });
  const started = performance.now();
  let turns = 0;
  for await (const { trajectory } of new EpisodePool({ concurrency: count }).run(jobs(environment, policy, count)))
    turns += trajectory.turns.length;
  report.turns = turns;
  return performance.now() - started;
}

/** One turn of everybody at a time: what a driver with a barrier does. */
async function lockstep(environment: ToyEnvironment, count: number): Promise<number> {
  const policy = new EnginePolicy(new BatchingEngine({ script }), { id: 'toy' });
  const started = performance.now();
  const all = await Promise.all(
    jobs(environment, policy, count).map(async (job) => {
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
    const signal = new AbortController().signal;
    const replies = await Promise.all(
      active.map(({ conversation, job }) =>
        policy.reply(conversation, { maxTokens: 16, temperature: 1, seed: turnSeed(job.seed, turn), signal }),
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
  report.turns = turns;
  return performance.now() - started;
}

const report = { turns: 0 };
const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function against(
  name: string,
  latency: ((task: { index: number }, step: number) => number) | undefined,
  count: number,
  rounds: number,
): Promise<void> {
  const free: number[] = [];
  const locked: number[] = [];
  let turns = 0;
  for (let round = 0; round < rounds; round++) {
    locked.push(await lockstep(new ToyEnvironment(latency ? { latency } : {}), count));
    const expected = report.turns;
    free.push(await barrierFree(new ToyEnvironment(latency ? { latency } : {}), count));
    if (report.turns !== expected) throw new Error(`other episodes: ${report.turns} turns, not ${expected}`);
    turns = expected;
  }
  const [a, b] = [median(locked), median(free)];
  console.log(
    `${name}: ${count} episodes, ${turns} turns; lockstep ${a.toFixed(0)} ms, barrier-free ${b.toFixed(0)} ms: ${(a / b).toFixed(2)}×`,
  );
}

/** Microseconds of processor time since then: what other programs do on the machine stays out. */
function processorTime(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return user + system;
}

/** The loop itself: an engine and an environment that answer at once, through the pool and called barely. */
async function overhead(rounds: number): Promise<void> {
  const count = 400;
  const bare: number[] = [];
  const looped: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const environment = new ToyEnvironment();
    const engine = new ToyEngine({ script });
    const policy = new EnginePolicy(engine, { id: 'toy' });
    const prompt = new Int32Array(64);
    let started = process.cpuUsage();
    let turns = 0;
    for (let index = 0; index < count; index++) {
      const episode = await environment.open({ env: 'toy', split: 'test', index: index % 20 });
      for (let turn = 0; turn < limits.turns; turn++) {
        const sample = await engine.sample({
          prompt,
          maxTokens: 16,
          stopTokens: policy.renderer.stopTokens,
          seed: turnSeed(index, turn),
        });
        turns++;
        const step = await episode.step(policy.renderer.text(sample.tokens, sample.stop));
        if (step.done) break;
      }
    }
    bare.push(processorTime(started) / turns);
    started = process.cpuUsage();
    turns = 0;
    for await (const { trajectory } of new EpisodePool({ concurrency: 1 }).run(jobs(environment, policy, count)))
      turns += trajectory.turns.length;
    looped.push(processorTime(started) / turns);
  }
  const [a, b] = [median(bare), median(looped)];
  console.log(
    `loop overhead in processor time: bare calls ${a.toFixed(0)} µs per turn, through the loop ${b.toFixed(0)} µs: +${(b - a).toFixed(0)} µs per turn`,
  );
}

await against('skewed turns and step latencies', skewed, 256, 5);
await against('pure CPU environments, skewed turns', undefined, 256, 5);
await overhead(5);
