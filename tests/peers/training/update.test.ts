/**
 * One update of the trainer against float64 PyTorch, from the same checkpoint and optimizer state, on real episodes: TextCraft played by the
 * base policy, with several turns of different lengths, prompts that groups share, episodes cut by turns and by context, temperature 1.2, KL,
 * and weights that have moved on by one step since the episodes were sampled.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openPrompting } from '../../../src/agent/prompting.ts';
import { rlRecipe } from '../../../src/config/recipe/recipe.ts';
import { EmbeddedEngine } from '../../../src/engine/embedded/embedded.ts';
import { textCraft } from '../../../src/envs/textcraft/textcraft.ts';
import { EnginePolicy } from '../../../src/policy/engine-policy.ts';
import { learnStep } from '../../../src/train/rl/update/learn-step.ts';
import { allEpisodes, type Batch } from '../../../src/train/rl/batch.ts';
import { collect } from '../../../src/train/rl/rollout.ts';
import { emptyTimes, stepMetrics } from '../../../src/train/rl/step-metrics.ts';
import { splitDeck } from '../../../src/train/tasks/deck.ts';
import { TaskSource } from '../../../src/train/tasks/source.ts';
import { peersMissing, python } from '../python.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-update-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const base = new URL('../../../models/base', import.meta.url).pathname;
const script = new URL('./update_peer.py', import.meta.url).pathname;

interface Step {
  readonly loss: number;
  readonly kl: number;
  readonly clipped: number;
  readonly norm: number;
  /** Of the update, relative to its length. */
  readonly error: number;
}

/** Two batches sampled at once; the first is learned, then the second, now one step old, is learned here and there. */
async function oneStep(
  name: string,
  algorithm: Record<string, unknown>,
): Promise<{
  readonly batch: Batch;
  readonly ours: Readonly<Record<string, number>>;
  readonly torch: { readonly tokens: number; readonly policy: Step; readonly critic?: Omit<Step, 'kl' | 'clipped'> };
}> {
  const recipe = rlRecipe({
    run: name,
    tasks: [{ env: 'textcraft', split: 'generated' }],
    agent: { format: 'direct', max_turns: 6, tokens_per_turn: 24, context: 140 },
    rollout: { groups: 6, samples: 4, temperature: 1.2, staleness: 1 },
    optimizer: { lr: 1e-3, weight_decay: 0.1, betas: [0.9, 0.95], clip_norm: 0.3 },
    update: { micro_tokens: 700 },
    algorithm,
  });
  const needsCritic = recipe.algorithm.estimator === 'gae';
  await using engine = await EmbeddedEngine.open({ model: base, threads: 1 });
  await using reference = await EmbeddedEngine.open({ model: base, threads: 1 });
  await using critic = needsCritic ? await EmbeddedEngine.open({ model: base, head: 'value', threads: 1 }) : undefined;
  const environment = textCraft({ depth: '1-2', distractors: '0-6' });
  const pool = splitDeck({ split: 'generated', from: 0, to: null, weight: 1 }, environment);
  const policy = new EnginePolicy(engine, { id: 'base' });
  const prompting = await openPrompting({ ...recipe.agent, format: 'direct' });
  const options = { recipe, policy, prompting, source: new TaskSource([pool], 1), signal: new AbortController().signal };
  const batches = [await collect(1, options), await collect(2, options)] as const;
  const at = join(folder, name);
  const save = async (label: string): Promise<void> => {
    await engine.save(join(at, label), { optimizer: true });
    await critic?.save(join(at, label, 'critic'), { optimizer: true });
  };
  const parts = { engine, reference, critic, environment: async () => environment };
  const adviser = { format: prompting.format, renderer: policy.renderer, context: policy.context, mistakes: 1 };
  const { kl } = recipe.algorithm;
  const klCoefficient = kl === false ? 0 : kl.coefficient;
  const learn = (step: 1 | 2): ReturnType<typeof learnStep> =>
    learnStep({ recipe, parts, steps: 2, klCoefficient, adviser, elapsed: 0 }, step, batches[step - 1] as Batch, emptyTimes());
  await reference.save(join(at, 'start'));
  await learn(1);
  await save('before');
  const learned = await learn(2);
  await save('after');
  expect(learned.staleness).toBe(1);
  const rows = batches[1].groups.flatMap(({ number, episodes }) =>
    episodes.map(({ datum, reward }) => ({
      group: number,
      reward,
      tokens: [...datum.tokens],
      mask: [...datum.mask],
      logprobs: [...datum.logprobs],
    })),
  );
  const { optimizer, algorithm: settled } = recipe;
  const { learningRate: rate, criticLearningRate: criticRate } = learned;
  const given = {
    rows,
    optimizer,
    rate,
    criticRate,
    algorithm: settled,
    temperature: recipe.rollout.temperature,
    critic: needsCritic,
    criticClipNorm: recipe.critic.clip_norm,
  };
  writeFileSync(join(at, 'given.json'), JSON.stringify(given));
  const { stdout, stderr } = spawnSync(python, [script, at], { encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  const ours = stepMetrics({ batch: batches[1], times: emptyTimes(), ...learned }, recipe);
  return { batch: batches[1], ours, torch: JSON.parse(stdout) as Awaited<ReturnType<typeof oneStep>>['torch'] };
}

/** Equal to so many parts, or to what float32 leaves of a mean whose terms are near 1; a missing metric is not equal. */
function close(ours: number | undefined, theirs: number, share: number): void {
  expect(Math.abs((ours ?? NaN) - theirs)).toBeLessThan(share * Math.abs(theirs) + 3e-6);
}

describe.skipIf(peersMissing())('one step, as float64 PyTorch takes it', () => {
  it('GRPO with clip, dual clip and KL in the loss', async () => {
    const { batch, ours, torch } = await oneStep('grpo', { name: 'grpo', clip: [0.1, 0.15], kl: { coefficient: 0.05 } });
    // The episodes are what they should be: else the comparison would say little.
    const played = allEpisodes(batch).map(({ trajectory }) => trajectory);
    expect(new Set(played.map(({ turns }) => turns.length)).size).toBeGreaterThan(2);
    expect(played.some(({ outcome }) => outcome.kind === 'truncated' && outcome.limit === 'turns')).toBe(true);
    expect(played.some(({ outcome }) => outcome.kind === 'truncated' && outcome.limit === 'context')).toBe(true);
    expect(batch.groups.some(({ signal }) => signal)).toBe(true);
    expect(torch.policy.clipped).toBeGreaterThan(0.01);
    expect(torch.policy.kl).toBeGreaterThan(1e-3);
    close(ours['actor/pg_loss'], torch.policy.loss, 1e-4);
    close(ours['actor/kl_loss'], torch.policy.kl, 1e-4);
    close(ours['actor/pg_clipfrac'], torch.policy.clipped, 1e-9);
    close(ours['actor/grad_norm'], torch.policy.norm, 1e-4);
    expect(torch.policy.error).toBeLessThan(2e-3);
  });

  it('PPO with a critic, GAE and KL in the reward', async () => {
    const { ours, torch } = await oneStep('ppo', {
      name: 'ppo',
      gamma: 0.99,
      lambda: 0.9,
      kl: { in: 'reward', coefficient: 0.05 },
    });
    close(ours['critic/vf_loss'], torch.critic?.loss ?? NaN, 1e-4);
    close(ours['critic/grad_norm'], torch.critic?.norm ?? NaN, 1e-4);
    expect(torch.critic?.error).toBeLessThan(2e-3);
    close(ours['actor/pg_loss'], torch.policy.loss, 1e-4);
    close(ours['actor/pg_clipfrac'], torch.policy.clipped, 1e-9);
    close(ours['actor/grad_norm'], torch.policy.norm, 1e-4);
    expect(torch.policy.error).toBeLessThan(2e-3);
  });
});
