/**
 * What a verl configuration starts from: the values of its base files for every key that a recipe carries, by version (read from
 * the releases 0.2 to 0.9 on PyPI). A key that a version does not have keeps what its code does without it. AgentGym-RL's base is
 * of verl 0.2 with its own lengths and turns.
 */
import { AgogeError } from '../../core/error.ts';

export type BaseName = 'ppo_trainer' | 'ppo_megatron_trainer' | 'sft_trainer' | 'sft_trainer_engine';

const actor = 'actor_rollout_ref.actor';
const rollout = 'actor_rollout_ref.rollout';
const model = 'actor_rollout_ref.model';

/** RL, as it is since 0.4. */
const ppo: Flat = {
  'data.train_files': '~/data/rlhf/gsm8k/train.parquet',
  'data.val_files': '~/data/rlhf/gsm8k/test.parquet',
  'data.train_batch_size': 1024,
  'data.max_prompt_length': 512,
  'data.max_response_length': 512,
  'data.train_max_samples': -1,
  'data.val_max_samples': -1,
  'data.shuffle': true,
  [`${model}.path`]: '~/models/deepseek-llm-7b-chat',
  [`${model}.lora_rank`]: 0,
  [`${model}.lora_alpha`]: 16,
  [`${model}.target_modules`]: 'all-linear',
  [`${actor}.ppo_mini_batch_size`]: 256,
  [`${actor}.ppo_epochs`]: 1,
  [`${actor}.grad_clip`]: 1,
  [`${actor}.clip_ratio`]: 0.2,
  [`${actor}.clip_ratio_low`]: 0.2,
  [`${actor}.clip_ratio_high`]: 0.2,
  [`${actor}.clip_ratio_c`]: 3,
  [`${actor}.entropy_coeff`]: 0,
  [`${actor}.loss_agg_mode`]: 'token-mean',
  [`${actor}.policy_loss.loss_mode`]: 'vanilla',
  [`${actor}.use_kl_loss`]: false,
  [`${actor}.kl_loss_coef`]: 0.001,
  [`${actor}.kl_loss_type`]: 'low_var_kl',
  [`${actor}.optim.lr`]: 1e-6,
  [`${actor}.optim.lr_warmup_steps`]: -1,
  [`${actor}.optim.lr_warmup_steps_ratio`]: 0,
  [`${actor}.optim.betas`]: [0.9, 0.999],
  [`${actor}.optim.weight_decay`]: 0.01,
  [`${actor}.optim.min_lr_ratio`]: 0,
  [`${actor}.optim.lr_scheduler_type`]: 'constant',
  [`${rollout}.n`]: 1,
  [`${rollout}.temperature`]: 1,
  [`${rollout}.top_p`]: 1,
  [`${rollout}.top_k`]: -1,
  [`${rollout}.mode`]: 'async',
  [`${rollout}.val_kwargs.do_sample`]: false,
  [`${rollout}.val_kwargs.temperature`]: 0,
  [`${rollout}.val_kwargs.top_p`]: 1,
  [`${rollout}.val_kwargs.top_k`]: -1,
  [`${rollout}.val_kwargs.n`]: 1,
  [`${rollout}.multi_turn.enable`]: false,
  [`${rollout}.agent.default_agent_loop`]: 'single_turn_agent',
  'algorithm.adv_estimator': 'gae',
  'algorithm.gamma': 1,
  'algorithm.lam': 1,
  'algorithm.norm_adv_by_std_in_grpo': true,
  'algorithm.use_kl_in_reward': false,
  'algorithm.kl_penalty': 'kl',
  'algorithm.kl_ctrl.type': 'fixed',
  'algorithm.kl_ctrl.kl_coef': 0.001,
  'algorithm.kl_ctrl.horizon': 10_000,
  'algorithm.kl_ctrl.target_kl': 0.1,
  'critic.optim.lr': 1e-5,
  'critic.cliprange_value': 0.5,
  'critic.grad_clip': 1,
  'trainer.total_epochs': 30,
  'trainer.project_name': 'verl_examples',
  'trainer.experiment_name': 'gsm8k',
  'trainer.logger': ['console', 'wandb'],
  'trainer.save_freq': -1,
  'trainer.test_freq': -1,
  'trainer.val_before_train': true,
  'trainer.critic_warmup': 0,
  'trainer.default_local_dir': 'checkpoints/${trainer.project_name}/${trainer.experiment_name}',
};

/** Before 0.7 the engine was called in the trainer's own process. */
const sync: Flat = { [`${rollout}.mode`]: 'sync' };

/**
 * Before 0.4 entropy had a weight, KL was in the reward whenever it was not in the loss, and one clip ratio held for both sides, without a
 * dual clip.
 */
const early: Flat = {
  ...sync,
  [`${actor}.clip_ratio_low`]: null,
  [`${actor}.clip_ratio_high`]: null,
  [`${actor}.clip_ratio_c`]: null,
  [`${actor}.entropy_coeff`]: 0.001,
  'algorithm.use_kl_in_reward': 'unless in the loss',
};

const sft: Flat = {
  'data.train_batch_size': 256,
  'data.train_files': '~/data/gsm8k/train.parquet',
  'data.val_files': '~/data/gsm8k/test.parquet',
  'data.max_length': 1024,
  'data.truncation': 'error',
  'data.multiturn.enable': false,
  'data.multiturn.messages_key': 'messages',
  'model.partial_pretrain': '~/models/gemma-1.1-7b-it',
  'model.lora_rank': 0,
  'model.lora_alpha': 16,
  'model.target_modules': 'all-linear',
  'optim.lr': 1e-5,
  'optim.betas': [0.9, 0.95],
  'optim.weight_decay': 0.01,
  'optim.lr_warmup_steps': -1,
  'optim.lr_warmup_steps_ratio': 0.1,
  'optim.clip_grad': 1,
  'optim.lr_scheduler': 'cosine',
  'trainer.project_name': 'gsm8k-sft',
  'trainer.experiment_name': 'test',
  'trainer.total_epochs': 4,
  'trainer.logger': ['console', 'wandb'],
  'trainer.seed': 1,
  'trainer.save_freq': -1,
  'trainer.test_freq': -1,
  'trainer.default_local_dir': 'checkpoints/${trainer.project_name}/${trainer.experiment_name}',
};

const { 'model.partial_pretrain': _, 'optim.lr_scheduler': __, 'data.multiturn.enable': ___, ...shared } = sft;
const sftEngine: Flat = {
  ...shared,
  'data.val_files': null,
  'data.messages_key': 'messages',
  'model.path': '~/models/deepseek-llm-7b-chat',
  'optim.lr': 1e-3,
  'optim.betas': [0.9, 0.999],
  'optim.lr_warmup_steps_ratio': 0,
  'optim.lr_scheduler_type': 'constant',
  'optim.min_lr_ratio': 0,
};

export type Flat = Readonly<Record<string, unknown>>;

const verlVersions = ['0.2', '0.3', '0.4', '0.5', '0.6', '0.7', '0.8', '0.9', 'agentgym-rl'] as const;
export type VerlVersion = (typeof verlVersions)[number];

/** `0.7.1` is of 0.7. */
export function verlVersion(text: string): VerlVersion {
  const found = verlVersions.find((version) => text === version || text.startsWith(`${version}.`));
  if (found) return found;
  throw new AgogeError(
    'CLI_USAGE_VERL',
    `there are no base values of verl ${text} here: choose one of ${verlVersions.join(', ')}`,
  );
}

export function isBase(name: string): name is BaseName {
  return name in bases;
}

/** The values that a base file brings in a version. */
export function baseOf(name: BaseName, version: VerlVersion): Flat {
  return bases[name](version);
}

const bases: Readonly<Record<BaseName, (version: VerlVersion) => Flat>> = {
  ppo_trainer: (version) => ({ ...ppo, ...changes(version) }),
  ppo_megatron_trainer(version) {
    const { [`${actor}.optim.min_lr_ratio`]: _ratio, [`${actor}.optim.lr_scheduler_type`]: _type, ...rest } = ppo;
    const decay = version === '0.4' ? 'linear' : 'constant';
    const lr = version === '0.4' || version === '0.5' ? 1e-6 : 1e-5;
    const often = version === '0.2' || version === '0.3' ? { 'trainer.test_freq': 2 } : {};
    return { ...rest, [`${actor}.optim.lr_decay_style`]: decay, 'critic.optim.lr': lr, ...often, ...changes(version) };
  },
  sft_trainer: () => sft,
  sft_trainer_engine: () => sftEngine,
};

function changes(version: VerlVersion): Flat {
  if (version === '0.2' || version === '0.3') return early;
  if (version === '0.4' || version === '0.5' || version === '0.6') return sync;
  if (version !== 'agentgym-rl') return {};
  return {
    ...early,
    'data.max_prompt_length': 2048,
    'data.max_response_length': 2048,
    'data.train_files': null,
    'data.val_files': null,
    [`${rollout}.max_tokens`]: 1024,
    [`${rollout}.multi_turn.enable`]: true,
    [`${rollout}.agent.default_agent_loop`]: null,
    'actor_rollout_ref.agentgym.task_name': 'textcraft',
    'actor_rollout_ref.agentgym.env_addr': 'http://localhost:5000',
    'algorithm.rounds_ctrl.type': 'fixed',
    'algorithm.rounds_ctrl.rounds': 15,
  };
}
