import { describe, expect, it } from 'vitest';
import { ToyEngine } from '../../tests/fixtures/toy-engine.ts';
import { ToyEnvironment } from '../../tests/fixtures/toy-environment.ts';
import { AgogeError } from '../core/error.ts';
import type { SampleRequest } from '../engine/engine.ts';
import type { Environment } from '../envs/environment.ts';
import { EnginePolicy } from '../policy/engine-policy.ts';
import { ExpertPolicy } from '../policy/expert.ts';
import { HumanPolicy } from '../policy/human.ts';
import type { Policy, Reply } from '../policy/policy.ts';
import { RandomPolicy } from '../policy/random-policy.ts';
import { ReplayPolicy } from '../policy/replay.ts';
import { createRenderer } from '../policy/renderer.ts';
import { datumOf } from './datum.ts';
import { openingOf, playEpisode, turnSeed, type EpisodeOptions } from './episode.ts';
import type { PromptFormat } from './format.ts';
import { createFormat } from './formats/index.ts';

const task = { env: 'toy', split: 'test', index: 6 }; // goal 7
const base = (policy: Policy, environment = new ToyEnvironment()): EpisodeOptions => ({
  environment,
  task,
  policy,
  format: createFormat('react'),
  limits: { turns: 10, tokensPerTurn: 64 },
  seed: 5,
});

describe('playEpisode', () => {
  it('plays until the task is done and closes the session', async () => {
    const environment = new ToyEnvironment();
    const trajectory = await playEpisode(base(new ExpertPolicy(), environment));
    expect(trajectory.outcome).toEqual({ kind: 'finished', reward: 1, success: true });
    expect(trajectory.turns.map(({ action }) => action)).toEqual(['add 3', 'add 3', 'add 3']);
    expect(trajectory.category).toBe('even');
    expect(trajectory.turns[0]?.state).toEqual({ total: 3 });
    expect(environment.closed).toBe(1);
  });

  it.each(['react', 'direct', 'adapt', 'function_calling', 'code', 'tools'])('the expert speaks %s', async (name) => {
    const trajectory = await playEpisode({ ...base(new ExpertPolicy()), format: createFormat(name) });
    expect(trajectory.outcome.kind).toBe('finished');
  });

  it('ends at the turn limit after playing the last action, unreadable replies counted', async () => {
    const replies = ['nonsense', 'Action: add 1', 'Action: add 1'];
    const policy = new ReplayPolicy('replay', [{ task: 'toy/test#6', replies }]);
    const environment = new ToyEnvironment();
    const trajectory = await playEpisode({ ...base(policy, environment), limits: { turns: 3, tokensPerTurn: 64 } });
    expect(trajectory.outcome).toEqual({ kind: 'truncated', reward: 0, limit: 'turns' });
    expect(trajectory.turns[0]).toMatchObject({ action: null, problem: expect.any(String) as string });
    expect(environment.calls).toBe(2);
    expect(trajectory.turns[2]?.state).toEqual({ total: 2 });
  });

  it('ends at the limits of tokens and context', async () => {
    const policy = new EnginePolicy(new ToyEngine({ script: () => 'look' }), { id: 'toy' });
    const format = createFormat('direct');
    const limited = await playEpisode({ ...base(policy), format, limits: { turns: 50, tokensPerTurn: 64, tokens: 12 } });
    expect(limited.outcome).toMatchObject({ kind: 'truncated', limit: 'tokens' });
    expect(datumOf(limited)?.logprobs.length).toBe(12);
    const short = await playEpisode({ ...base(policy), format, limits: { turns: 50, tokensPerTurn: 64, context: 100 } });
    expect(short.outcome).toMatchObject({ kind: 'truncated', limit: 'context' });
    expect(datumOf(short)?.tokens.length).toBeLessThanOrEqual(100);
  });

  it('same seed, same tokens; another seed, others', async () => {
    const play = async (seed: number): Promise<number[]> => {
      const policy = new EnginePolicy(new ToyEngine(), { id: 'toy' });
      return Array.from(datumOf(await playEpisode({ ...base(policy), format: createFormat('direct'), seed }))?.tokens ?? []);
    };
    expect(await play(5)).toEqual(await play(5));
    expect(await play(5)).not.toEqual(await play(6));
  });

  it('a broken environment is a failure by the environment, with no reward', async () => {
    const environment = new ToyEnvironment({ trouble: (call) => (call === 1 ? 'throw' : undefined) });
    const { outcome } = await playEpisode(base(new ExpertPolicy(), environment));
    expect(outcome).toMatchObject({ kind: 'failed', by: 'environment', error: { code: 'GYM_HTTP' } });
    expect(environment.closed).toBe(1);
  });

  it('a hanging environment runs into its deadline', async () => {
    const environment = new ToyEnvironment({ trouble: () => 'hang' });
    const limits = { turns: 10, tokensPerTurn: 64, stepDeadline: 20 };
    const { outcome } = await playEpisode({ ...base(new ExpertPolicy(), environment), limits });
    expect(outcome).toMatchObject({ kind: 'failed', by: 'deadline', error: { code: 'AGENT_ENVIRONMENT_DEADLINE' } });
    const whole = await playEpisode({
      ...base(new ExpertPolicy(), environment),
      limits: { turns: 10, tokensPerTurn: 64, deadline: 20 },
    });
    expect(whole.outcome).toMatchObject({ kind: 'failed', by: 'deadline', error: { code: 'AGENT_DEADLINE' } });
  });

  it('a broken policy is a failure by the policy, a cancelled signal is neither', async () => {
    const broken = new ReplayPolicy('replay', [{ task: 'toy/test#6', replies: ['Action: look'] }]);
    expect((await playEpisode(base(broken))).outcome).toMatchObject({
      kind: 'failed',
      by: 'policy',
      error: { code: 'POLICY_REPLAY_ENDED' },
    });
    const controller = new AbortController();
    const person = new HumanPolicy(() => new Promise(() => setTimeout(() => controller.abort(new Error('enough')), 5)));
    expect((await playEpisode({ ...base(person), signal: controller.signal })).outcome).toMatchObject({
      kind: 'failed',
      by: 'cancelled',
    });
  });

  it('an unknown task is a failure that says so', async () => {
    const environment = new ToyEnvironment();
    environment.open = () => {
      throw new TypeError('boom');
    };
    expect((await playEpisode(base(new ExpertPolicy(), environment))).outcome).toMatchObject({
      kind: 'failed',
      by: 'environment',
    });
  });

  it('closes a session that opened after nobody waited for it', async () => {
    const environment = new ToyEnvironment();
    const open = environment.open.bind(environment);
    environment.open = async (ref) => {
      await new Promise((resolve) => setTimeout(resolve, 40));
      return open(ref);
    };
    const { outcome } = await playEpisode({
      ...base(new ExpertPolicy(), environment),
      limits: { turns: 3, tokensPerTurn: 9, stepDeadline: 10 },
    });
    expect(outcome).toMatchObject({ kind: 'failed', by: 'deadline' });
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect([environment.opened, environment.closed]).toEqual([1, 1]);
  });

  it('random play follows the admissible actions', async () => {
    const { turns } = await playEpisode(base(new RandomPolicy()));
    expect(turns.every(({ action }) => ['add 1', 'add 2', 'look'].includes(action ?? ''))).toBe(true);
  });

  it('demonstrations of an expert become training rows', async () => {
    const engine = new ToyEngine();
    const renderer = createRenderer(engine.model.tokenizer);
    const trajectory = await playEpisode({ ...base(new ExpertPolicy({ renderer })), format: createFormat('direct') });
    const datum = datumOf(trajectory);
    const { tokenizer } = engine.model;
    expect(tokenizer.decode(Array.from(datum?.tokens ?? []).filter((_, at) => datum?.mask[at] === 1))).toContain('add 3');
    expect(datum?.turnEnds).toHaveLength(3);
  });
});

describe('where an episode ends', () => {
  const replying = (stop: Reply['stop']): Policy => ({
    id: 'test',
    reply: () =>
      Promise.resolve({
        segment: { role: 'assistant', text: 'Action: look', tokens: [], logprobs: new Float32Array(), policyVersion: 0 },
        stop,
      }),
    [Symbol.asyncDispose]: async () => undefined,
  });

  it('is where the policy says that its context is full, whatever limit we know of', async () => {
    const { outcome, turns } = await playEpisode(base(replying('context')));
    expect(outcome).toEqual({ kind: 'truncated', reward: 0, limit: 'context' });
    expect(turns).toHaveLength(1);
  });

  it('is the third of three equal turns, where three are too many', async () => {
    const { outcome, turns } = await playEpisode({
      ...base(replying('token')),
      limits: { turns: 10, tokensPerTurn: 64, loops: 3 },
    });
    expect(outcome).toEqual({ kind: 'truncated', reward: 0, limit: 'loops' });
    expect(turns).toHaveLength(3);
  });

  it('is with a reply: nobody reads what the environment says after the last turn', async () => {
    const { segments } = await playEpisode({ ...base(replying('token')), limits: { turns: 2, tokensPerTurn: 64 } });
    expect(segments.map(({ role }) => role)).toEqual([...openingRoles, 'assistant', 'user', 'assistant']);
  });
  const openingRoles = openingOf(createFormat('react'), new ToyEnvironment().instructions, { observation: '' }).map(
    ({ role }) => role,
  );

  it('is before the first turn where its owner has left; an error of ours as the reason makes no deadline of it', async () => {
    const environment = new ToyEnvironment();
    const reason = new AgogeError('RUN_STOPPED', 'the run was stopped; resume it');
    const options = { ...base(new ExpertPolicy(), environment), signal: AbortSignal.abort(reason) };
    expect((await playEpisode(options)).outcome).toMatchObject({ kind: 'failed', by: 'cancelled' });
    expect(environment.opened).toBe(0);
  });

  it('is no fault of the policy where our own code breaks', async () => {
    const onTurn = (): never => {
      throw new TypeError('a viewer that breaks');
    };
    const { outcome } = await playEpisode({ ...base(new ExpertPolicy()), onTurn });
    expect(outcome).toMatchObject({ kind: 'failed', by: 'environment', error: { code: 'AGENT_EPISODE' } });
  });
});

it('the first observation joins what the user says last, so that roles take turns', () => {
  const format = (...roles: ('system' | 'user')[]): PromptFormat => ({
    ...createFormat('direct'),
    opening: () => roles.map((role) => ({ role, text: role })),
  });
  const opening = (...roles: ('system' | 'user')[]): unknown =>
    openingOf(format(...roles), { task: '', actions: [] }, { observation: 'look' });
  expect(opening('system', 'user')).toEqual([
    { role: 'system', text: 'system' },
    { role: 'user', text: 'user\n\nlook' },
  ]);
  expect(opening('system')).toEqual([
    { role: 'system', text: 'system' },
    { role: 'user', text: 'look' },
  ]);
});

describe('what an episode is worth', () => {
  /** Pays the given rewards one after the other, and is done with the last; says nothing of success unless it is told to. */
  const paying = (rewards: readonly number[], success?: boolean): Environment => ({
    ...plain,
    open: () => {
      let step = 0;
      return {
        observation: 'ready',
        step: () => {
          const reward = rewards[step++] ?? 0;
          const done = step === rewards.length;
          return { observation: `step ${String(step)}`, reward, done, ...(done && success !== undefined ? { success } : {}) };
        },
        [Symbol.asyncDispose]: async () => undefined,
      };
    },
  });
  const plain: Environment = {
    name: 'toy',
    version: '1',
    splits: ['test'],
    instructions: { task: '', actions: [] },
    tasks: () => ({ size: 20, info: () => ({ category: '', itemId: 'toy' }) }),
    open: () => new ToyEnvironment().open(task),
  };
  const policy = new EnginePolicy(new ToyEngine({ script: () => 'go' }), { id: 'toy' });
  const outcomeOf = async (environment: Environment, turns = 10): Promise<unknown> =>
    (await playEpisode({ ...base(policy), environment, format: createFormat('direct'), limits: { turns, tokensPerTurn: 8 } }))
      .outcome;

  it.each<[readonly number[], boolean | undefined, number, boolean]>([
    [[0.25, 0.25, 0.5], undefined, 1, true],
    [[1, 0], undefined, 1, true],
    [[0, 1], undefined, 1, true],
    [[0.5, 0.25], undefined, 0.75, false],
    [[2, -1.5], undefined, 0.5, false],
    // What the environment says of success holds, whatever it paid.
    [[0.2], true, 0.2, true],
    [[1], false, 1, false],
  ])('rewards %j (success said: %s) are worth %d, success %s', async (rewards, said, reward, success) => {
    expect(await outcomeOf(paying(rewards, said))).toEqual({ kind: 'finished', reward, success });
  });

  it('a truncated one keeps what was earned until then', async () => {
    expect(await outcomeOf(paying([0.25, 0.5, 1]), 2)).toEqual({ kind: 'truncated', reward: 0.75, limit: 'turns' });
  });
});

it('every turn of an episode has a seed of its own, the same in every play', async () => {
  const seedsOf = async (seed: number): Promise<number[]> => {
    const seeds: number[] = [];
    const script = (request: SampleRequest): string => {
      seeds.push(request.seed);
      return 'look';
    };
    const policy = new EnginePolicy(new ToyEngine({ script }), { id: 'toy' });
    await playEpisode({ ...base(policy), format: createFormat('direct'), seed, limits: { turns: 5, tokensPerTurn: 8 } });
    return seeds;
  };
  const first = await seedsOf(5);
  expect(first).toEqual([0, 1, 2, 3, 4].map((turn) => turnSeed(5, turn)));
  expect(new Set([...first, ...(await seedsOf(6))]).size).toBe(10);
});
