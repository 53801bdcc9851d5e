/** A recipe's settings as verl's configuration (the way back is `rl.ts`). What verl has no place for is said, never dropped in silence. */
import { AgogeError } from '../../core/error.ts';
import type { RlRecipe } from '../rl-recipe.ts';

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

const klNames = { k1: 'kl', abs: 'abs', k2: 'mse', k3: 'low_var_kl' } as const;
const noPlace: Partial<Record<RlRecipe['algorithm']['estimator'], string>> = {
  gigpo: 'verl has no gigpo: choose grpo, or train here or on a Tinker server',
  rejection: 'verl has no rejection sampling in its RL trainer: choose grpo, or train here or on a Tinker server',
};

export function toVerl(recipe: RlRecipe, { model, folder, interaction, steps, gpus, nodes }: VerlPlaces): VerlConfig {
  const { algorithm, agent, rollout, optimizer, update, evaluate, checkpoint } = recipe;
  const missing = noPlace[algorithm.estimator];
  if (missing !== undefined) throw new AgogeError('CONFIG_NOT_IN_VERL', missing);
  const notes: string[] = [];
  const turns = Array.isArray(agent.max_turns) ? (agent.max_turns.at(-1) ?? 30) : agent.max_turns;
  if (Array.isArray(agent.max_turns))
    notes.push(`max_turns ${agent.max_turns.join(', ')}: verl has no schedule of turns, ${String(turns)} from the start`);
  if (algorithm.advice > 0) notes.push('algorithm.advice: verl has no advice by experts');
  if (algorithm.preference !== null)
    throw new AgogeError(
      'CONFIG_NOT_IN_VERL',
      'verl learns from no pairs here: choose algorithm.name=grpo, or train here or on a Tinker server',
    );
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
  const context = agent.context ?? 8192;
  const prompt = Math.min(2048, Math.floor(context / 2));
  const kl = algorithm.kl === false ? undefined : algorithm.kl;
  const inReward = kl?.in === 'reward';
  const minibatch = Math.max(1, Math.ceil(rollout.groups / update.minibatches));
  const warmup = optimizer.warmup < 1 ? { lr_warmup_steps_ratio: optimizer.warmup } : { lr_warmup_steps: optimizer.warmup };
  const config = {
    hydra: { searchpath: ['pkg://verl.trainer.config'] },
    defaults: ['ppo_trainer', '_self_'],
    data: {
      train_files: `${folder}/train.parquet`,
      val_files: `${folder}/test.parquet`,
      train_batch_size: rollout.groups,
      max_prompt_length: prompt,
      max_response_length: context - prompt,
      return_raw_chat: true,
      truncation: 'error',
      seed: recipe.seed,
      ...(agent.thinking === null ? {} : { apply_chat_template_kwargs: { enable_thinking: agent.thinking } }),
    },
    algorithm: {
      adv_estimator: algorithm.estimator,
      gamma: algorithm.gamma,
      lam: algorithm.lambda,
      norm_adv_by_std_in_grpo: algorithm.scale !== 'none',
      use_kl_in_reward: inReward,
      ...(kl && inReward
        ? {
            kl_penalty: klNames[kl.estimator as keyof typeof klNames],
            kl_ctrl: { type: kl.control, kl_coef: kl.coefficient, horizon: kl.horizon, target_kl: kl.target },
          }
        : {}),
    },
    actor_rollout_ref: {
      model: { path: model, use_remove_padding: true, enable_gradient_checkpointing: true },
      actor: {
        ppo_mini_batch_size: minibatch,
        ppo_epochs: update.epochs,
        use_dynamic_bsz: true,
        ppo_max_token_len_per_gpu: Math.max(update.micro_tokens, context),
        clip_ratio: algorithm.clip[0],
        clip_ratio_low: algorithm.clip[0],
        clip_ratio_high: algorithm.clip[1],
        ...(algorithm.dual_clip === null ? {} : { clip_ratio_c: algorithm.dual_clip }),
        entropy_coeff: algorithm.entropy,
        loss_agg_mode: algorithm.aggregation,
        policy_loss: { loss_mode: algorithm.loss },
        grad_clip: optimizer.clip_norm === 0 ? 1e9 : optimizer.clip_norm,
        use_kl_loss: kl?.in === 'loss',
        ...(kl?.in === 'loss'
          ? { kl_loss_coef: kl.coefficient, kl_loss_type: klNames[kl.estimator as keyof typeof klNames] }
          : {}),
        optim: { lr: optimizer.lr, betas: optimizer.betas, weight_decay: optimizer.weight_decay, ...warmup },
      },
      rollout: {
        name: 'vllm',
        mode: 'async',
        n: rollout.samples,
        temperature: rollout.temperature,
        top_p: rollout.top_p ?? 1,
        top_k: rollout.top_k ?? -1,
        // Otherwise the trainer computes the old log-probabilities again; either way they are there to be compared.
        calculate_log_probs: true,
        log_prob_use_dynamic_bsz: true,
        log_prob_max_token_len_per_gpu: Math.max(update.micro_tokens, context),
        max_model_len: context,
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
      },
      ref: { log_prob_use_dynamic_bsz: true, log_prob_max_token_len_per_gpu: Math.max(update.micro_tokens, context) },
    },
    ...(interaction ? { custom_reward_function: { path: `${folder}/agoge_reward.py`, name: 'compute_score' } } : {}),
    trainer: {
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
    },
  };
  return { config, notes };
}
