import { describe, expect, it } from 'vitest';
import { ToyEngine } from '../../tests/fixtures/toy-engine.ts';
import { ToyEnvironment } from '../../tests/fixtures/toy-environment.ts';
import { EnginePolicy } from '../policy/engine-policy.ts';
import { ExpertPolicy } from '../policy/expert.ts';
import { createFormat } from './formats/index.ts';
import { EpisodePool, playGroups, type EpisodeJob, type GroupPlan, type Played } from './pool.ts';

const format = createFormat('direct');
const job = (environment: ToyEnvironment, index: number, extra: Partial<EpisodeJob> = {}): EpisodeJob => ({
  environment,
  task: { env: 'toy', split: 'test', index },
  policy: new ExpertPolicy(),
  format,
  limits: { turns: 10, tokensPerTurn: 16, stepDeadline: 500 },
  seed: index,
  ...extra,
});

async function collect(played: AsyncIterable<Played>): Promise<Played[]> {
  const all: Played[] = [];
  for await (const one of played) all.push(one);
  return all;
}

describe('EpisodePool', () => {
  it('plays thousands at once, never more than allowed', async () => {
    let most = 0;
    const environment = new ToyEnvironment({
      latency: () => {
        most = Math.max(most, environment.opened - environment.closed);
        return 1;
      },
    });
    const jobs = Array.from({ length: 1500 }, (_, index) => job(environment, index % 20));
    const played = await collect(new EpisodePool({ concurrency: 300 }).run(jobs));
    expect(played).toHaveLength(1500);
    expect(played.every(({ trajectory }) => trajectory.outcome.kind === 'finished')).toBe(true);
    expect(most).toBeLessThanOrEqual(300);
    expect(most).toBeGreaterThan(200);
    expect(environment.closed).toBe(environment.opened);
  });

  it('gives results as they complete, or in the order given', async () => {
    const environment = new ToyEnvironment({ latency: (task) => (task.index === 6 ? 30 : 1) });
    const jobs = [6, 0, 1].map((index) => job(environment, index));
    const order = (played: Played[]): number[] => played.map(({ trajectory }) => trajectory.task.index);
    expect(order(await collect(new EpisodePool().run(jobs))).at(-1)).toBe(6);
    expect(order(await collect(new EpisodePool().run(jobs, 'given')))).toEqual([6, 0, 1]);
  });

  it('repeats failed episodes with a fresh session and the same seed: the result of a clean run', async () => {
    const clean = new ToyEnvironment();
    const troubled = new ToyEnvironment({
      trouble: (call) => (call % 20 === 7 ? 'throw' : call % 50 === 13 ? 'hang' : undefined),
    });
    const engine = (): EnginePolicy =>
      new EnginePolicy(new ToyEngine({ script: (r) => (r.seed % 3 === 0 ? 'add 1' : 'look') }), { id: 'toy' });
    const jobs = (environment: ToyEnvironment): EpisodeJob[] =>
      Array.from({ length: 60 }, (_, index) => job(environment, index % 20, { policy: engine(), seed: index }));
    const pool = new EpisodePool({ retries: 40, backoff: 1 });
    const [a, b] = [await collect(pool.run(jobs(clean), 'given')), await collect(pool.run(jobs(troubled), 'given'))];
    const summary = (played: Played[]): unknown[] =>
      played.map(({ trajectory }) => [trajectory.outcome, trajectory.turns.map(({ reply }) => reply)]);
    expect(summary(b)).toEqual(summary(a));
    const failures = b.flatMap((played) => played.failures.map(({ by }) => by));
    expect(new Set(failures)).toEqual(new Set(['environment', 'deadline']));
    expect(b.some(({ trajectory }) => trajectory.retries > 0)).toBe(true);
    expect(troubled.closed).toBe(troubled.opened);
  });

  it('reports what cannot be had and goes on', async () => {
    const environment = new ToyEnvironment({ trouble: () => 'throw' });
    const [played] = await collect(new EpisodePool({ retries: 1, backoff: 1 }).run([job(environment, 0)]));
    expect(played?.trajectory.outcome).toMatchObject({ kind: 'failed', by: 'environment' });
    expect(played?.failures).toHaveLength(1);
  });

  it('ends everything when it is cancelled', async () => {
    const environment = new ToyEnvironment({ latency: () => 20 });
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 25);
    const endless = (function* () {
      for (let index = 0; ; index++) yield job(environment, index % 20);
    })();
    const played = await collect(new EpisodePool({ concurrency: 50, signal: controller.signal }).run(endless));
    expect(played.some(({ trajectory }) => trajectory.outcome.kind === 'failed')).toBe(true);
    expect(environment.closed).toBe(environment.opened);
  });

  it('cancels what is under way when the consumer leaves', async () => {
    const environment = new ToyEnvironment({ latency: (task) => (task.index === 0 ? 1 : 10_000) });
    for await (const played of new EpisodePool().run([job(environment, 0), job(environment, 1)])) {
      expect(played.trajectory.task.index).toBe(0);
      break;
    }
    expect(environment.closed).toBe(2);
  });

  it('passes on an error of the source', async () => {
    const source = (function* () {
      yield job(new ToyEnvironment(), 0);
      throw new Error('no more tasks');
    })();
    await expect(collect(new EpisodePool().run(source))).rejects.toThrow('no more tasks');
  });
});

describe('playGroups', () => {
  it('replaces a group that cannot be completed', async () => {
    const environment = new ToyEnvironment();
    const broken = new ToyEnvironment({ trouble: () => 'throw' });
    const plans = Array.from({ length: 6 }, (_, index) => ({
      task: { env: 'toy', split: 'test', index },
      jobs: Array.from({ length: 4 }, (_, sample) => job(index === 1 ? broken : environment, index, { sample })),
    }));
    const lost: number[] = [];
    const source = plans.values();
    const groups: number[] = [];
    const pool = new EpisodePool({ retries: 0 });
    for await (const group of playGroups(pool, source, { count: 3, onLost: ({ plan }) => lost.push(plan.task.index) })) {
      groups.push(group.plan.task.index);
      expect(group.trajectories.map(({ sample }) => sample)).toEqual([0, 1, 2, 3]);
    }
    expect(groups).toEqual([0, 2, 3]);
    expect(lost).toEqual([1]);
    expect(source.next().value?.task.index).toBe(4);
  });
});

it('samples of a group stand in their order, also where groups come as they complete', async () => {
  const plan = {
    task: { env: 'toy', split: 'test', index: 0 },
    jobs: [20, 10, 1].map((latency, sample) => job(new ToyEnvironment({ latency: () => latency }), 0, { sample })),
  };
  for await (const { trajectories } of playGroups(new EpisodePool(), [plan].values(), { count: 1, order: 'completed' }))
    expect(trajectories.map(({ sample }) => sample)).toEqual([0, 1, 2]);
});

describe('a group of which one sample stays broken', () => {
  it.each([0, 1, 2])('is lost whole (sample %d), and the next plan takes its place', async (broken) => {
    // Every call of the broken sample's policy fails; the others play as always.
    const failing = new EnginePolicy(new ToyEngine({ script: () => { throw new Error('out of memory'); } }), { id: 'toy' }); // prettier-ignore
    const environment = new ToyEnvironment();
    const plan = (index: number): GroupPlan => ({
      task: { env: 'toy', split: 'test', index },
      jobs: [0, 1, 2].map((sample) =>
        job(environment, index, { sample, ...(index === 1 && sample === broken ? { policy: failing } : {}) }),
      ),
    });
    const lost: number[] = [];
    const kept: number[][] = [];
    const pool = new EpisodePool({ retries: 0 });
    const onLost = ({ plan }: { plan: GroupPlan }): number => lost.push(plan.task.index);
    for await (const {
      plan: { task },
      trajectories,
    } of playGroups(pool, [0, 1, 2, 3, 4].map(plan).values(), { count: 3, onLost })) {
      // prettier-ignore
      kept.push([task.index, ...trajectories.map(({ sample }) => sample)]);
      expect(trajectories.every(({ outcome }) => outcome.kind === 'finished')).toBe(true);
    }
    expect([lost, kept]).toEqual([[1], [[0, 0, 1, 2], [2, 0, 1, 2], [3, 0, 1, 2]]]); // prettier-ignore
  });
});
