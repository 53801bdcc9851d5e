import { describe, expect, it } from 'vitest';
import { ToyEngine } from '../../tests/fixtures/toy-engine.ts';
import { ToyEnvironment } from '../../tests/fixtures/toy-environment.ts';
import { EnginePolicy } from '../policy/engine-policy.ts';
import { ExpertPolicy } from '../policy/expert.ts';
import { HumanPolicy } from '../policy/human.ts';
import type { Policy } from '../policy/policy.ts';
import { RandomPolicy } from '../policy/random-policy.ts';
import { ReplayPolicy } from '../policy/replay.ts';
import { createRenderer } from '../policy/renderer.ts';
import { datumOf } from './datum.ts';
import { playEpisode, type EpisodeOptions } from './episode.ts';
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
