import { describe, expect, it } from 'vitest';
import { fromVerl } from '../from-verl.ts';
import { rlRecipe } from '../recipe/recipe.ts';
import { toVerl, type VerlConfig } from './to-verl.ts';

const places = { model: 'some/model', folder: '/x', interaction: false, steps: 12, gpus: 8, nodes: 1 };

function exported(settings: object, interaction = false): VerlConfig {
  return toVerl(rlRecipe({ run: 'a', tasks: [{ env: 'textcraft' }], ...settings }), { ...places, interaction });
}

/** A value of the configuration by its dotted key. */
function at({ config }: VerlConfig, key: string): unknown {
  return key.split('.').reduce<unknown>((here, name) => (here as Record<string, unknown> | undefined)?.[name], config);
}

const actor = 'actor_rollout_ref.actor';

describe('a recipe as verl has it', () => {
  it.each<[string, object, string, unknown]>([
    ['groups are the batch', { rollout: { groups: 64 } }, 'data.train_batch_size', 64],
    ['samples', { rollout: { samples: 5 } }, 'actor_rollout_ref.rollout.n', 5],
    ['no top_k', {}, 'actor_rollout_ref.rollout.top_k', -1],
    ['no top_p', {}, 'actor_rollout_ref.rollout.top_p', 1],
    ['minibatches are their size', { rollout: { groups: 32 }, update: { minibatches: 4 } }, `${actor}.ppo_mini_batch_size`, 8],
    [
      'minibatches that do not divide',
      { rollout: { groups: 10 }, update: { minibatches: 4 } },
      `${actor}.ppo_mini_batch_size`,
      3,
    ],
    ['more minibatches than groups', { rollout: { groups: 2 }, update: { minibatches: 4 } }, `${actor}.ppo_mini_batch_size`, 1],
    ['clip', { algorithm: { clip: [0.1, 0.3] } }, `${actor}.clip_ratio_high`, 0.3],
    ['dual clip', { algorithm: { dual_clip: 5 } }, `${actor}.clip_ratio_c`, 5],
    ['no dual clip is a bound that never holds, not verl’s 3', { algorithm: { dual_clip: null } }, `${actor}.clip_ratio_c`, 1e9],
    ['no clipping of gradients', { optimizer: { clip_norm: 0 } }, `${actor}.grad_clip`, 1e9],
    ['Dr. GRPO', { algorithm: { name: 'dr-grpo' } }, 'algorithm.norm_adv_by_std_in_grpo', false],
    ['GSPO', { algorithm: { name: 'gspo' } }, `${actor}.policy_loss.loss_mode`, 'gspo'],
    ['no KL', {}, `${actor}.use_kl_loss`, false],
    ['KL in the loss', { algorithm: { kl: { estimator: 'k2' } } }, `${actor}.kl_loss_type`, 'mse'],
    ['KL without the plus', { algorithm: { kl: { estimator: 'k3+' } } }, `${actor}.kl_loss_type`, 'low_var_kl'],
    ['KL in the reward', { algorithm: { kl: { in: 'reward', estimator: 'k1' } } }, 'algorithm.kl_penalty', 'kl'],
    ['a share of warm-up', { optimizer: { warmup: 0.1 } }, `${actor}.optim.lr_warmup_steps_ratio`, 0.1],
    ['steps of warm-up', { optimizer: { warmup: 10 } }, `${actor}.optim.lr_warmup_steps`, 10],
    ['cosine', { optimizer: { schedule: 'cosine' } }, `${actor}.optim.lr_scheduler_type`, 'cosine'],
    ['what cosine ends at', { optimizer: { schedule: 'cosine', min_ratio: 0.1 } }, `${actor}.optim.min_lr_ratio`, 0.1],
    ['adapters', { engine: { lora: { rank: 8, alpha: 32 } } }, 'actor_rollout_ref.model.lora_rank', 8],
    ['their scale', { engine: { lora: { rank: 8, alpha: 32 } } }, 'actor_rollout_ref.model.lora_alpha', 32],
    ['no evaluation', { evaluate: { every: 0 } }, 'trainer.test_freq', -1],
    ['no checkpoints between', { checkpoint: { every: 0 } }, 'trainer.save_freq', -1],
    ['greedy evaluation', { evaluate: { temperature: 0 } }, 'actor_rollout_ref.rollout.val_kwargs.do_sample', false],
    ['sampled evaluation', { evaluate: { temperature: 0.5 } }, 'actor_rollout_ref.rollout.val_kwargs.do_sample', true],
    [
      'one more turn, since verl drops the last action',
      { agent: { max_turns: 7 } },
      'actor_rollout_ref.rollout.multi_turn.max_assistant_turns',
      8,
    ],
    ['prompt and response share the context', { agent: { context: 1000 } }, 'data.max_response_length', 500],
    ['thinking', { agent: { thinking: false } }, 'data.apply_chat_template_kwargs.enable_thinking', false],
  ])('%s', (_, settings, key, want) => expect(at(exported(settings), key)).toEqual(want));

  it('a critic comes with PPO, from the same model, and with nothing else', () => {
    const critic = { lr: 1e-5, warmup: 3, clip: 0.2, clip_norm: 0, epochs: 2 };
    const ppo = exported({ algorithm: { name: 'ppo' }, critic });
    expect(at(ppo, 'critic')).toMatchObject({
      model: { path: 'some/model' },
      optim: { lr: 1e-5 },
      cliprange_value: 0.2,
      grad_clip: 1e9,
      ppo_epochs: 2,
    });
    expect(at(ppo, 'trainer.critic_warmup')).toBe(4); // the first step of the policy, counted from 1
    expect(exported({ algorithm: { name: 'grpo' } }).config).not.toHaveProperty('critic');
  });

  it('corrections are written as verl reads them', () => {
    const correction = {
      weights: 'sequence',
      threshold: 3,
      reject: [
        { by: 'seq_mean_k1', threshold: [0.5, 2] },
        { by: 'token_k3', threshold: 0.01 },
      ],
    };
    expect(at(exported({ algorithm: { correction } }), 'algorithm.rollout_correction')).toEqual({
      rollout_is: 'sequence',
      rollout_is_threshold: 3,
      rollout_is_batch_normalize: false,
      rollout_rs: 'seq_mean_k1,token_k3',
      rollout_rs_threshold: '0.5_2,0.01',
    });
    expect(at(exported({}), 'algorithm')).not.toHaveProperty('rollout_correction');
  });

  it('schedules have their first name before 0.8', () => {
    expect(at(exported({ optimizer: { schedule: 'cosine' } }, true), `${actor}.optim`)).toMatchObject({ warmup_style: 'cosine' });
  });

  it('interactions up to 0.7, an agent loop from then on', () => {
    const [old, now] = [exported({}, true), exported({}, false)];
    expect(at(old, 'actor_rollout_ref.rollout.agent.default_agent_loop')).toBe('tool_agent');
    expect(at(old, 'custom_reward_function.name')).toBe('compute_score');
    expect(at(now, 'actor_rollout_ref.rollout.agent.default_agent_loop')).toBe('agoge');
    expect(now.config).not.toHaveProperty('custom_reward_function');
  });
});

describe('what verl has no place for', () => {
  it.each<[object, RegExp]>([
    [{ agent: { max_turns: [5, 10] } }, /no schedule of turns, 10 from the start/],
    [{ optimizer: { schedule: 'linear' } }, /optimizer\.schedule linear.*constant/],
    [{ optimizer: { schedule: 'wsd' } }, /optimizer\.schedule wsd/],
    [{ optimizer: { embedding_rate: 6 } }, /embedding_rate/],
    [{ algorithm: { scale: 'category' } }, /scale category/],
    [{ algorithm: { kl: { estimator: 'k1+' } } }, /estimator k1\+/],
    [{ algorithm: { truncation_penalty: -1 } }, /truncation_penalty/],
    [{ algorithm: { reward: 'turns' } }, /reward turns/],
    [{ algorithm: { target_kl: 0.1 } }, /target_kl/],
    [{ algorithm: { advice: 0.5 } }, /no advice/],
    [{ algorithm: { outcome: 0.5 } }, /outcome 0\.5/],
    [{ algorithm: { name: 'dapo' } }, /filter_groups/],
    [{ rollout: { staleness: 1 } }, /staleness/],
    [{ rollout: { branch: 2 } }, /branch/],
    [{ agent: { loops: 3 } }, /loops/],
    [{ reward: ['env', { use: 'length', max: 100, weight: -0.1 }] }, /reward:.*custom_reward_function/],
    [{ reward: { parts: [{ use: 'env', weight: 2 }] } }, /reward:/],
  ])('%j is said', (settings, note) => expect(exported(settings).notes.join('\n')).toMatch(note));

  it('a plain recipe loses nothing', () => expect(exported({}).notes).toEqual([]));

  it.each<[object, RegExp]>([
    [{ algorithm: { name: 'gigpo' } }, /gigpo/],
    [{ algorithm: { name: 'rejection' } }, /rejection sampling/],
    [{ algorithm: { name: 'evol' } }, /rejection sampling/],
    [{ algorithm: { name: 'dpo' } }, /pairs/],
    [{ algorithm: { name: 'distill' } }, /outcome=0/],
    [{ algorithm: { estimator: 'gae_agentgym' } }, /no gae_agentgym/],
    [{ algorithm: { loss: './mine.ts' } }, /loss \.\/mine\.ts is a file of your own/],
  ])('%j is refused', (settings, message) => expect(() => exported(settings)).toThrow(message));

  it('an estimator of one’s own is refused', () => {
    const recipe = rlRecipe({ run: 'a', tasks: [{ env: 'textcraft' }] });
    const own = { ...recipe, algorithm: { ...recipe.algorithm, estimator: './mine.ts' } };
    expect(() => toVerl(own, places)).toThrow(/estimator \.\/mine\.ts is a file of your own/);
  });
});

describe('there and back', () => {
  it.each<[string, object]>([
    ['grpo', {}],
    ['dr-grpo', { algorithm: { name: 'dr-grpo' } }],
    ['gspo', { algorithm: { name: 'gspo' } }],
    ['ppo', { algorithm: { name: 'ppo', gamma: 0.99, lambda: 0.95 }, critic: { lr: 2e-5, clip: 0.3, epochs: 2, warmup: 4 } }],
    [
      'KL',
      {
        algorithm: { kl: { in: 'reward', estimator: 'abs', coefficient: 0.02, control: 'adaptive', target: 0.2, horizon: 500 } },
      },
    ],
    [
      'optimizer',
      { optimizer: { lr: 3e-6, schedule: 'cosine', min_ratio: 0.1, warmup: 0.05, betas: [0.9, 0.95], weight_decay: 0.1 } },
    ],
    [
      'sampling',
      { rollout: { groups: 16, samples: 4, temperature: 0.7, top_p: 0.9, top_k: 50 }, update: { epochs: 2, minibatches: 4 } },
    ],
    ['adapters', { engine: { lora: { rank: 16, alpha: 8, targets: ['q_proj'] } } }],
    ['correction', { algorithm: { correction: { weights: 'token', reject: [{ by: 'seq_sum_k1', threshold: [0.5, 2] }] } } }],
    [
      'evaluation',
      { evaluate: { every: 5, temperature: 0.3, top_p: 0.8, samples: 4, at_start: true }, checkpoint: { every: 7, keep: 2 } },
    ],
  ])('%s survives', async (_, settings) => {
    const recipe = rlRecipe({ run: 'a', tasks: [{ env: 'textcraft' }], ...settings });
    const { config } = toVerl(recipe, places);
    const { recipe: back, lost } = await fromVerl(config, { version: '0.9' });
    const { algorithm, optimizer, rollout, update, critic, engine, evaluate, checkpoint } = rlRecipe(back);
    expect(lost).toEqual([]);
    const known = (recipe.algorithm.dual_clip ?? 1e9) === algorithm.dual_clip;
    expect(known).toBe(true);
    const { name: _name, dual_clip: _dual, ...learned } = recipe.algorithm;
    expect(algorithm).toMatchObject(learned);
    expect({ optimizer, rollout, update, engine }).toMatchObject({
      optimizer: recipe.optimizer,
      rollout: { ...recipe.rollout, filter: rollout.filter },
      update: recipe.update,
      engine: recipe.engine,
    });
    if (recipe.algorithm.estimator === 'gae') expect(critic).toEqual(recipe.critic);
    const { every, temperature, top_p, samples, at_start } = recipe.evaluate;
    expect(evaluate).toMatchObject({ every, temperature, top_p, samples, at_start });
    expect(checkpoint).toMatchObject(recipe.checkpoint);
  });
});
