/** A recipe's settings as verl's configuration (the way back is `rl.ts`). What verl has no place for is said, never dropped in silence. */
import { AgogeError } from '../../core/error.ts';
import { isOwn } from '../../user-modules/load-file.ts';
import type { RlRecipe } from '../recipe/rl-recipe.ts';

export interface VerlConfig {
  readonly config: Readonly<Record<string, unknown>>;
  /** What could not be carried over, in words. */
  readonly notes: readonly string[];
}

export interface VerlPlaces {
  /** Folder of the model in Hugging Face layout, or its name on the hub. */
  readonly model: string;
  /** Folder that everything lies in. */
  readonly folder: string;
  /** True: an interaction for verl up to 0.7; false: an agent loop. */
  readonly interaction: boolean;
  readonly steps: number;
  readonly gpus: number;
  readonly nodes: number;
}

const klNames: Readonly<Record<string, string>> = { k1: 'kl', abs: 'abs', k2: 'mse', k3: 'low_var_kl' };
/** verl always has these bounds: so large that they never hold stands for none. */
const none = 1e9;
const noPlace: Partial<Record<RlRecipe['algorithm']['estimator'], string>> = {
  gae_agentgym: 'verl has no gae_agentgym: choose algorithm.estimator=gae, or train here or on a Tinker server',
  gigpo: 'verl has no gigpo: choose grpo, or train here or on a Tinker server',
  rejection: 'verl has no rejection sampling in its RL trainer: choose grpo, or train here or on a Tinker server',
};

export function toVerl(recipe: RlRecipe, places: VerlPlaces): VerlConfig {
  const { algorithm } = recipe;
  const { model, folder, interaction } = places;
  refuse(recipe);
  const notes = notesOn(recipe);
  const tokens = { log_prob_use_dynamic_bsz: true, log_prob_max_token_len_per_gpu: tokensOf(recipe) };
  const config = {
    hydra: { searchpath: ['pkg://verl.trainer.config'] },
    defaults: ['ppo_trainer', '_self_'],
    data: dataOf(recipe, folder),
    algorithm: algorithmOf(recipe),
    actor_rollout_ref: {
      model: { path: model, use_remove_padding: true, enable_gradient_checkpointing: true, ...loraOf(recipe) },
      actor: { ...actorOf(recipe), optim: optimOf(recipe, interaction, notes) },
      rollout: rolloutOf(recipe, places),
      ref: tokens,
    },
    ...(algorithm.estimator === 'gae' ? { critic: criticOf(recipe, model) } : {}),
    ...(interaction ? { custom_reward_function: { path: `${folder}/agoge_reward.py`, name: 'compute_score' } } : {}),
    trainer: trainerOf(recipe, places),
  };
  return { config, notes };
}

/** Throws CONFIG_NOT_IN_VERL for what verl would train otherwise. */
function refuse({ algorithm }: RlRecipe): void {
  const missing = noPlace[algorithm.estimator];
  if (missing !== undefined) throw new AgogeError('CONFIG_NOT_IN_VERL', missing);
  for (const [key, own] of Object.entries({ estimator: algorithm.estimator, loss: algorithm.loss }))
    if (isOwn(own))
      throw new AgogeError(
        'CONFIG_NOT_IN_VERL',
        `algorithm.${key} ${own} is a file of your own: choose one of verl's by its name`,
      );
  if (algorithm.outcome === 0)
    throw new AgogeError(
      'CONFIG_NOT_IN_VERL',
      'verl learns from rewards, which algorithm.outcome=0 leaves out: choose algorithm.name=grpo, or train here',
    );
  if (algorithm.preference !== null)
    throw new AgogeError(
      'CONFIG_NOT_IN_VERL',
      'verl learns from no pairs here: choose algorithm.name=grpo, or train here or on a Tinker server',
    );
}

/** What verl has no place for, in words. */
function notesOn(recipe: RlRecipe): string[] {
  const { algorithm, agent, rollout, optimizer } = recipe;
  const notes: string[] = [];
  if (Array.isArray(agent.max_turns))
    notes.push(`max_turns ${agent.max_turns.join(', ')}: verl has no schedule of turns, ${turnsOf(recipe)} from the start`);
  if (algorithm.advice > 0) notes.push('algorithm.advice: verl has no advice by experts');
  if (recipe.anchor !== false) notes.push('anchor: verl has no demonstrations beside its loss');
  if (rollout.branch > 0) notes.push('rollout.branch: verl credits whole episodes');
  if (rollout.probe !== null) notes.push('rollout.probe: verl plays all samples at once');
  if (rollout.prefer !== false) notes.push('rollout.prefer: verl draws all tasks alike');
  if (recipe.curriculum !== false) notes.push('curriculum: verl draws tasks of all levels from the start');
  if (recipe.evaluate.average !== false) notes.push('evaluate.average: verl evaluates the weights themselves');
  if (algorithm.renew !== null) notes.push('algorithm.renew: verl keeps its reference');
  if (algorithm.target_kl !== null) notes.push('algorithm.target_kl: verl takes every optimizer step');
  if (algorithm.reward !== 'total') notes.push(`algorithm.reward ${algorithm.reward}: verl puts the total on the last token`);
  if (algorithm.truncation_penalty !== 0) notes.push('algorithm.truncation_penalty: verl has none');
  if (rollout.filter)
    notes.push('rollout.filter: only the DAPO recipe of verl leaves out groups without signal (algorithm.filter_groups)');
  if (rollout.staleness > 0) notes.push('rollout.staleness: use verl’s fully asynchronous trainer for it');
  if (optimizer.embedding_rate !== 1) notes.push('optimizer.embedding_rate: verl has one learning rate');
  if (agent.loops !== null) notes.push('agent.loops: verl plays on');
  if (agent.stall !== null) notes.push('agent.stall: verl plays on');
  if (algorithm.scale === 'category') notes.push('algorithm.scale category: verl scales by the group');
  if (algorithm.outcome !== 1) notes.push(`algorithm.outcome ${algorithm.outcome}: verl's loss has the weight 1`);
  if (algorithm.kl !== false && algorithm.kl.estimator.endsWith('+'))
    notes.push(`algorithm.kl.estimator ${algorithm.kl.estimator}: verl's releases do not run it, it goes without the +`);
  if (recipe.reward.parts.some(({ use, weight }) => use !== 'env' || weight !== 1))
    notes.push('reward: verl is paid by the environment alone; write the other parts as a custom_reward_function');
  return notes;
}

/** The last of a schedule. */
function turnsOf({ agent }: RlRecipe): number {
  return Array.isArray(agent.max_turns) ? (agent.max_turns.at(-1) ?? 30) : agent.max_turns;
}

function contextOf({ agent }: RlRecipe): number {
  return agent.context ?? 8192;
}

/** Tokens that one card takes at once: at least one sequence. */
function tokensOf(recipe: RlRecipe): number {
  return Math.max(recipe.update.micro_tokens, contextOf(recipe));
}

function dataOf(recipe: RlRecipe, folder: string): Record<string, unknown> {
  const { agent, rollout } = recipe;
  const context = contextOf(recipe);
  const prompt = Math.min(2048, Math.floor(context / 2));
  return {
    train_files: `${folder}/train.parquet`,
    val_files: `${folder}/test.parquet`,
    train_batch_size: rollout.groups,
    max_prompt_length: prompt,
    max_response_length: context - prompt,
    return_raw_chat: true,
    truncation: 'error',
    seed: recipe.seed,
    ...(agent.thinking === null ? {} : { apply_chat_template_kwargs: { enable_thinking: agent.thinking } }),
  };
}

function algorithmOf(recipe: RlRecipe): Record<string, unknown> {
  const { algorithm } = recipe;
  const kl = algorithm.kl === false ? undefined : algorithm.kl;
  const inReward = kl?.in === 'reward';
  return {
    adv_estimator: algorithm.estimator,
    gamma: algorithm.gamma,
    lam: algorithm.lambda,
    norm_adv_by_std_in_grpo: algorithm.scale !== 'none',
    use_kl_in_reward: inReward,
    ...(kl && inReward
      ? {
          kl_penalty: klName(kl.estimator),
          kl_ctrl: { type: kl.control, kl_coef: kl.coefficient, horizon: kl.horizon, target_kl: kl.target },
        }
      : {}),
    ...correctionOf(recipe),
  };
}

function actorOf(recipe: RlRecipe): Record<string, unknown> {
  const { algorithm, optimizer, rollout, update } = recipe;
  const kl = algorithm.kl === false ? undefined : algorithm.kl;
  return {
    ppo_mini_batch_size: Math.max(1, Math.ceil(rollout.groups / update.minibatches)),
    ppo_epochs: update.epochs,
    use_dynamic_bsz: true,
    ppo_max_token_len_per_gpu: tokensOf(recipe),
    clip_ratio: algorithm.clip[0],
    clip_ratio_low: algorithm.clip[0],
    clip_ratio_high: algorithm.clip[1],
    clip_ratio_c: algorithm.dual_clip ?? none,
    entropy_coeff: algorithm.entropy,
    loss_agg_mode: algorithm.aggregation,
    policy_loss: { loss_mode: algorithm.loss },
    grad_clip: optimizer.clip_norm === 0 ? none : optimizer.clip_norm,
    use_kl_loss: kl?.in === 'loss',
    ...(kl?.in === 'loss' ? { kl_loss_coef: kl.coefficient, kl_loss_type: klName(kl.estimator) } : {}),
  };
}

function rolloutOf(recipe: RlRecipe, { folder, interaction }: VerlPlaces): Record<string, unknown> {
  const { rollout, evaluate } = recipe;
  const turns = turnsOf(recipe);
  return {
    name: 'vllm',
    mode: 'async',
    n: rollout.samples,
    temperature: rollout.temperature,
    top_p: rollout.top_p ?? 1,
    top_k: rollout.top_k ?? -1,
    // Otherwise the trainer computes the old log-probabilities again; either way they are there to be compared.
    calculate_log_probs: true,
    log_prob_use_dynamic_bsz: true,
    log_prob_max_token_len_per_gpu: tokensOf(recipe),
    max_model_len: contextOf(recipe),
    val_kwargs: {
      temperature: evaluate.temperature,
      top_p: evaluate.top_p ?? 1,
      n: evaluate.samples,
      do_sample: evaluate.temperature > 0,
    },
    multi_turn: {
      enable: true,
      // verl ends at its limit without playing the last action: one more, and the adapter keeps the real one.
      max_assistant_turns: turns + 1,
      max_user_turns: turns + 1,
      ...(interaction ? { interaction_config_path: `${folder}/interaction.yaml` } : {}),
    },
    agent: interaction
      ? { default_agent_loop: 'tool_agent' }
      : { default_agent_loop: 'agoge', agent_loop_config_path: `${folder}/agent_loop.yaml` },
  };
}

function trainerOf(recipe: RlRecipe, { folder, gpus, nodes, steps }: VerlPlaces): Record<string, unknown> {
  const { algorithm, checkpoint, evaluate } = recipe;
  return {
    project_name: 'agoge',
    experiment_name: recipe.run,
    default_local_dir: `${folder}/checkpoints`,
    logger: ['console'],
    n_gpus_per_node: gpus,
    nnodes: nodes,
    total_training_steps: steps,
    // Steps end the run; passes over the data must not end it before.
    total_epochs: 10_000,
    save_freq: checkpoint.every === 0 ? -1 : checkpoint.every,
    max_actor_ckpt_to_keep: checkpoint.keep,
    test_freq: evaluate.every === 0 ? -1 : evaluate.every,
    val_before_train: evaluate.at_start,
    // The step from which verl's policy learns, counted from 1.
    ...(algorithm.estimator === 'gae' ? { critic_warmup: recipe.critic.warmup === 0 ? 0 : recipe.critic.warmup + 1 } : {}),
  };
}

function klName(estimator: string): string | undefined {
  return klNames[estimator.replace('+', '')];
}

/** AdamW and its schedule. `early`: before 0.8, where the schedule went by its first name. */
function optimOf({ optimizer }: RlRecipe, early: boolean, notes: string[]): Record<string, unknown> {
  const { lr, betas, weight_decay, warmup, schedule, min_ratio } = optimizer;
  const cosine = { [early ? 'warmup_style' : 'lr_scheduler_type']: 'cosine', min_lr_ratio: min_ratio };
  if (schedule !== 'constant' && schedule !== 'cosine')
    notes.push(`optimizer.schedule ${schedule}: verl has constant and cosine; it goes as constant`);
  return {
    lr,
    betas,
    weight_decay,
    ...(warmup < 1 ? { lr_warmup_steps_ratio: warmup } : { lr_warmup_steps: warmup }),
    ...(schedule === 'cosine' ? cosine : {}),
  };
}

function loraOf({ engine }: RlRecipe): Record<string, unknown> {
  const { lora } = engine;
  return lora === null ? {} : { lora_rank: lora.rank, lora_alpha: lora.alpha, target_modules: lora.targets };
}

/** Without a path of its own verl's critic would start from another model. */
function criticOf({ critic, update }: RlRecipe, model: string): Record<string, unknown> {
  return {
    model: { path: model, enable_gradient_checkpointing: true },
    optim: { lr: critic.lr },
    cliprange_value: critic.clip,
    grad_clip: critic.clip_norm === 0 ? none : critic.clip_norm,
    ppo_epochs: critic.epochs ?? update.epochs,
    use_dynamic_bsz: true,
  };
}

function correctionOf({ algorithm }: RlRecipe): Record<string, unknown> {
  const { weights, threshold, normalise, reject } = algorithm.correction;
  if (weights === 'none' && reject.length === 0) return {};
  const bounds = reject.map((each) => [each.threshold].flat().join('_'));
  return {
    rollout_correction: {
      rollout_is: weights === 'none' ? null : weights,
      rollout_is_threshold: threshold,
      rollout_is_batch_normalize: normalise,
      rollout_rs: reject.length === 0 ? null : reject.map(({ by }) => by).join(','),
      rollout_rs_threshold: reject.length === 0 ? null : bounds.join(','),
    },
  };
}
