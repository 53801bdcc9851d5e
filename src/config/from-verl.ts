/**
 * A verl or AgentGym-RL configuration (YAML with Hydra overrides) as a recipe of ours. Every key is either carried over, named as
 * not needed on one machine, or named as lost: nothing disappears silently, and traps of the original are pointed out.
 */
import { interpolate, type Tree } from './interpolate.ts';
import { nearest } from './nearest.ts';

export interface Converted {
  readonly kind: 'rl' | 'sft';
  readonly recipe: Readonly<Record<string, unknown>>;
  /** What the user should know: meanings that differ, settings that had no effect there. */
  readonly notes: readonly string[];
  /** Keys about machines and memory that need nothing here. */
  readonly unneeded: readonly string[];
  /** Keys that could not be carried over. */
  readonly lost: readonly string[];
}

export interface FromVerlOptions {
  /** Number of training tasks of an environment, to turn epochs into steps. */
  readonly tasks?: (env: string) => number | undefined;
}

const unneeded =
  /^(hydra|defaults)(\.|$)|gpu_memory|parallel_size|fsdp|offload|megatron|micro_batch|max_token_len|max_num_(batched_tokens|seqs)|enforce_eager|free_cache|log_stats|chunked_prefill|prefix_caching|load_format|^ray|nnodes|n_gpus|\.device$|dtype|use_remove_padding|gradient_checkpointing|dynamic_bsz|tensorboard_dir|trust_remote|torch_compile|num_workers|use_shm|\.strategy$|rollout\.(name|mode|prompt_length|response_length|skip_tokenizer_init|do_sample|max_model_len|ignore_eos|send_interval|rollout_log_dir|calculate_log_probs)$|balance_batch|project_name|entity|resume_mode|default_hdfs|rollout_data_dir|validation_data_dir|log_val_generations|val_only|return_raw|filter_overlong|truncation$|_key$|interaction_config_path|tool_config_path|multi_turn\.(enable|format)|agent\.|critic\.(model|ppo_|enable)|reward_model\.enable|reward_manager|lora_rank|messages_key|multiturn\.enable|esi_redundant|prometheus|shuffle$|val_batch_size|max_retries|use_legacy|del_local|storage_mode/;

const estimators: Readonly<Record<string, string>> = {
  gae: 'ppo',
  grpo: 'grpo',
  grpo_vectorized: 'grpo',
  rloo: 'rloo',
  rloo_vectorized: 'rloo',
  reinforce_plus_plus: 'reinforce++',
  reinforce_plus_plus_baseline: 'reinforce++-baseline',
  remax: 'remax',
  opo: 'opo',
  gpg: 'gpg',
};

const klNames: Readonly<Record<string, string>> = {
  kl: 'k1',
  k1: 'k1',
  abs: 'abs',
  mse: 'k2',
  k2: 'k2',
  low_var_kl: 'k3',
  k3: 'k3',
};
const environments = [
  'textcraft',
  'webshop',
  'babyai',
  'alfworld',
  'sciworld',
  'searchqa',
  'sqlgym',
  'webarena',
  'maze',
  'wordle',
];

export function fromVerl(config: Tree, options: FromVerlOptions = {}): Converted {
  const flat = new Map(flatten(interpolate(config)));
  return flat.has('model.partial_pretrain') ? sftFromVerl(flat) : rlFromVerl(flat, options);
}

function rlFromVerl(flat: ReadonlyMap<string, unknown>, options: FromVerlOptions): Converted {
  const draft = new Draft(flat);
  const name = draft.take('algorithm.adv_estimator');
  if (typeof name === 'string') {
    if (name === 'grpo_passk') draft.set('algorithm', { name: 'grpo', estimator: name });
    else if (estimators[name] !== undefined) draft.set('algorithm.name', estimators[name]);
    else draft.lose('algorithm.adv_estimator', `estimator ${name} does not exist here`);
  }
  draft.carry('algorithm.gamma', 'algorithm.gamma');
  draft.carry('algorithm.lam', 'algorithm.lambda');
  if (draft.take('algorithm.norm_adv_by_std_in_grpo') === false) draft.set('algorithm.scale', 'none');
  rounds(draft);
  kl(draft);
  correction(draft);
  if (draft.take('algorithm.filter_groups.enable') === true) draft.set('rollout.filter', true);
  const batches = draft.take('algorithm.filter_groups.max_num_gen_batches');
  if (typeof batches === 'number') draft.set('rollout.refill', batches > 0 ? batches : 10);
  draft.take('algorithm.filter_groups.metric');

  const env = environmentOf(draft);
  tasks(draft, env);
  const groups = Number(draft.take('data.train_batch_size') ?? 32);
  draft.set('rollout.groups', groups);
  draft.carry('data.seed', 'seed');
  const response = draft.take('data.max_response_length');
  if (typeof response === 'number') {
    draft.set('agent.tokens', response);
    draft.note(`data.max_response_length counted observations too; agent.tokens counts the ${response} sampled tokens only`);
  }
  draft.take('data.max_prompt_length');

  const actor = 'actor_rollout_ref.actor';
  const model = draft.take('actor_rollout_ref.model.path');
  if (typeof model === 'string') draft.set('policy', `hf:${model.replace(/^~\//, '')}`);
  clip(draft, actor);
  draft.carry(`${actor}.entropy_coeff`, 'algorithm.entropy');
  draft.carry(`${actor}.loss_agg_mode`, 'algorithm.aggregation');
  draft.carry(`${actor}.policy_loss.loss_mode`, 'algorithm.loss');
  draft.carry(`${actor}.ppo_epochs`, 'update.epochs');
  const mini = draft.take(`${actor}.ppo_mini_batch_size`);
  if (typeof mini === 'number') draft.set('update.minibatches', Math.max(1, Math.ceil(groups / mini)));
  draft.carry(`${actor}.grad_clip`, 'optimizer.clip_norm');
  optimizer(draft, `${actor}.optim`);

  const rollout = 'actor_rollout_ref.rollout';
  draft.carry(`${rollout}.n`, 'rollout.samples');
  draft.carry(`${rollout}.temperature`, 'rollout.temperature');
  const topP = draft.take(`${rollout}.top_p`);
  if (typeof topP === 'number' && topP < 1) draft.set('rollout.top_p', topP);
  const topK = draft.take(`${rollout}.top_k`);
  if (typeof topK === 'number' && topK > 0) draft.set('rollout.top_k', topK);
  draft.carry(`${rollout}.max_tokens`, 'agent.tokens_per_turn');
  const turns = draft.take(`${rollout}.multi_turn.max_assistant_turns`) ?? draft.take(`${rollout}.multi_turn.max_user_turns`);
  draft.take(`${rollout}.multi_turn.max_user_turns`);
  if (typeof turns === 'number') {
    draft.set('agent.max_turns', turns);
    draft.note(`the last of ${turns} actions is played here; verl's loop drops it`);
  }
  draft.carry(`${rollout}.val_kwargs.temperature`, 'evaluate.temperature');
  draft.carry(`${rollout}.val_kwargs.n`, 'evaluate.samples');
  draft.carry('critic.optim.lr', 'critic.lr');
  draft.carry('critic.cliprange_value', 'critic.clip');
  draft.carry('trainer.critic_warmup', 'critic.warmup');
  trainer(draft, env, groups, options);
  return draft.finish('rl');
}

function sftFromVerl(flat: ReadonlyMap<string, unknown>): Converted {
  const draft = new Draft(flat);
  draft.set('data.source', 'files');
  draft.carry('data.train_files', 'data.train');
  draft.carry('data.val_files', 'data.validation');
  if (String(draft.value('data.train')) === String(draft.value('data.validation'))) {
    draft.note('the validation files are the training files: the validation loss will say nothing; consider data.hold_out');
  }
  draft.carry('data.max_length', 'data.max_tokens');
  const model = draft.take('model.partial_pretrain');
  draft.set('policy', `hf:${String(model)}`);
  const size = draft.take('data.train_batch_size');
  if (typeof size === 'number') {
    draft.set('batch_tokens', size * 1024);
    draft.note(`data.train_batch_size ${size} counts conversations; batch_tokens ${size * 1024} assumes 1,024 tokens each`);
  }
  optimizer(draft, 'optim');
  draft.carry('optim.clip_grad', 'optimizer.clip_norm');
  draft.carry('trainer.seed', 'seed');
  draft.carry('trainer.total_epochs', 'data.epochs');
  common(draft);
  return draft.finish('sft');
}

function rounds(draft: Draft): void {
  const type = draft.take('algorithm.rounds_ctrl.type');
  const list = draft.take('algorithm.rounds_ctrl.rounds');
  const every = draft.take('algorithm.rounds_ctrl.steps_scaling_inter');
  if (list === undefined) return;
  draft.set('agent.max_turns', type === 'fixed' && Array.isArray(list) ? list[0] : list);
  if (Array.isArray(list) && type !== 'fixed' && every !== undefined) draft.set('agent.every', every);
}

function kl(draft: Draft): void {
  const actor = 'actor_rollout_ref.actor';
  const inLoss = draft.take(`${actor}.use_kl_loss`) === true;
  const inReward = draft.take('algorithm.use_kl_in_reward') === true;
  const lossCoefficient = draft.take(`${actor}.kl_loss_coef`);
  const lossType = draft.take(`${actor}.kl_loss_type`);
  const control = {
    coefficient: draft.take('algorithm.kl_ctrl.kl_coef'),
    control: draft.take('algorithm.kl_ctrl.type'),
    horizon: draft.take('algorithm.kl_ctrl.horizon'),
    target: draft.take('algorithm.kl_ctrl.target_kl'),
  };
  const penalty = draft.take('algorithm.kl_penalty');
  if (inLoss) {
    draft.set('algorithm.kl', {
      in: 'loss',
      ...(typeof lossType === 'string' && klNames[lossType] !== undefined ? { estimator: klNames[lossType] } : {}),
      ...(lossCoefficient === undefined ? {} : { coefficient: lossCoefficient }),
    });
    if (inReward) draft.note('KL was in the reward and in the loss; it is carried over in the loss only');
  } else if (inReward) {
    const known = Object.entries(control).filter(([, value]) => value !== undefined);
    draft.set('algorithm.kl', {
      in: 'reward',
      estimator: klNames[typeof penalty === 'string' ? penalty : 'kl'] ?? 'k1',
      ...Object.fromEntries(known),
    });
  }
}

function correction(draft: Draft): void {
  const from = 'algorithm.rollout_correction';
  const weights = draft.take(`${from}.rollout_is`);
  if (typeof weights === 'string') draft.set('algorithm.correction.weights', weights);
  draft.carry(`${from}.rollout_is_threshold`, 'algorithm.correction.threshold');
  draft.carry(`${from}.rollout_is_batch_normalize`, 'algorithm.correction.normalise');
  const reject = draft.take(`${from}.rollout_rs`);
  const given = draft.take(`${from}.rollout_rs_threshold`);
  const thresholds = (typeof given === 'string' || typeof given === 'number' ? String(given) : '').split(',');
  if (typeof reject === 'string') {
    const list = reject.split(',').map((by, i) => {
      const numbers = (thresholds[i] ?? thresholds[0] ?? '').split('_').map(Number);
      return { by: by.trim(), threshold: numbers.length > 1 ? numbers : numbers[0] };
    });
    draft.set('algorithm.correction.reject', list);
  }
  draft.take(`${from}.bypass_mode`);
  draft.take(`${from}.loss_type`);
}

function clip(draft: Draft, actor: string): void {
  const both = draft.take(`${actor}.clip_ratio`);
  const low = draft.take(`${actor}.clip_ratio_low`);
  const high = draft.take(`${actor}.clip_ratio_high`);
  if (typeof both === 'number' && low === undefined && high === undefined && both !== 0.2) {
    draft.note(`actor.clip_ratio=${both} alone has no effect in verl (low and high stay 0.2); here it is used`);
  }
  if (both !== undefined || low !== undefined || high !== undefined) {
    draft.set('algorithm.clip', [low ?? both ?? 0.2, high ?? both ?? 0.2]);
  }
  draft.carry(`${actor}.clip_ratio_c`, 'algorithm.dual_clip');
}

function optimizer(draft: Draft, from: string): void {
  draft.carry(`${from}.lr`, 'optimizer.lr');
  draft.carry(`${from}.betas`, 'optimizer.betas');
  draft.carry(`${from}.weight_decay`, 'optimizer.weight_decay');
  draft.carry(`${from}.min_lr_ratio`, 'optimizer.min_ratio');
  const steps = draft.take(`${from}.lr_warmup_steps`);
  const ratio = draft.take(`${from}.lr_warmup_steps_ratio`);
  if (typeof steps === 'number' && steps >= 0) draft.set('optimizer.warmup', steps);
  else if (typeof ratio === 'number') draft.set('optimizer.warmup', ratio);
  const style =
    draft.take(`${from}.lr_scheduler_type`) ?? draft.take(`${from}.warmup_style`) ?? draft.take(`${from}.lr_scheduler`);
  if (typeof style === 'string') draft.set('optimizer.schedule', style);
  for (const name of ['total_training_steps', 'num_cycles']) draft.take(`${from}.${name}`);
}

function environmentOf(draft: Draft): string {
  const named = draft.take('actor_rollout_ref.agentgym.task_name');
  const hints = [
    named,
    draft.peek('data.train_files'),
    draft.peek('data.train_file'),
    draft.peek('trainer.experiment_name'),
    draft.peek('actor_rollout_ref.rollout.multi_turn.interaction_config_path'),
  ];
  const found = environments.find((env) =>
    hints.some((hint) =>
      JSON.stringify(hint ?? '')
        .toLowerCase()
        .includes(env),
    ),
  );
  if (found === undefined) draft.note('the environment could not be told from the configuration: set tasks yourself');
  return found ?? (typeof named === 'string' ? named : 'textcraft');
}

function tasks(draft: Draft, env: string): void {
  const url = draft.take('actor_rollout_ref.agentgym.env_addr');
  draft.set('tasks', [{ env, split: 'train', ...(typeof url === 'string' ? { url } : {}) }]);
  const files = draft.take('data.train_files') ?? draft.take('data.train_file');
  if (files !== undefined) draft.note(`tasks are those of ${env}/train; ${JSON.stringify(files)} is not read`);
  draft.take('data.val_files');
  const timeout = draft.take('actor_rollout_ref.agentgym.timeout');
  if (typeof timeout === 'number') draft.set('agent.step_deadline', timeout * 1000);
  const most = draft.take('actor_rollout_ref.agentgym.max_rounds');
  if (typeof most === 'number' && draft.value('agent.max_turns') === undefined) draft.set('agent.max_turns', most);
}

function trainer(draft: Draft, env: string, groups: number, options: FromVerlOptions): void {
  const steps = draft.take('trainer.total_training_steps');
  const epochs = draft.take('trainer.total_epochs');
  const size = options.tasks?.(env);
  if (typeof steps === 'number') draft.set('steps', steps);
  else if (typeof epochs === 'number' && size !== undefined && Number.isFinite(size)) {
    draft.set('steps', Math.max(1, Math.floor(size / groups) * epochs));
    draft.note(
      `${epochs} epochs over ${size} tasks in batches of ${groups} are ${Math.max(1, Math.floor(size / groups) * epochs)} steps`,
    );
  } else if (epochs !== undefined) draft.lose('trainer.total_epochs', 'the number of tasks is not known: set steps');
  if (draft.take('trainer.val_before_train') === true) draft.set('evaluate.at_start', true);
  common(draft);
}

function common(draft: Draft): void {
  draft.carry('trainer.experiment_name', 'run');
  draft.carry('trainer.default_local_dir', 'output');
  draft.carry('trainer.max_actor_ckpt_to_keep', 'checkpoint.keep');
  const save = draft.take('trainer.save_freq');
  if (typeof save === 'number') draft.set('checkpoint.every', Math.max(0, save));
  const test = draft.take('trainer.test_freq');
  if (typeof test === 'number') draft.set('evaluate.every', Math.max(0, test));
  const logger = draft.take('trainer.logger');
  if (JSON.stringify(logger ?? '').includes('tensorboard')) draft.set('log.tensorboard', true);
  if (/wandb|mlflow|swanlab/.test(JSON.stringify(logger ?? '')))
    draft.note('hosted loggers are not used: metrics lie in the run directory (see docs/training.md for importing them)');
}

/** Takes keys one by one; what is left in the end was not understood. */
class Draft {
  private readonly left: Map<string, unknown>;
  private readonly recipe: Record<string, unknown> = {};
  private readonly notes: string[] = [];
  private readonly lost: string[] = [];

  constructor(flat: ReadonlyMap<string, unknown>) {
    this.left = new Map(flat);
  }

  take(key: string): unknown {
    const value = this.left.get(key);
    this.left.delete(key);
    if (value === '???') this.lose(key, 'it was to be filled in');
    return value === null || value === '???' ? undefined : value;
  }

  peek(key: string): unknown {
    return this.left.get(key);
  }

  carry(from: string, to: string): void {
    const value = this.take(from);
    if (value !== undefined) this.set(to, value);
  }

  set(path: string, value: unknown): void {
    const keys = path.split('.');
    let here = this.recipe;
    for (const key of keys.slice(0, -1)) here = (here[key] ??= {}) as Record<string, unknown>;
    here[keys.at(-1) ?? ''] = value;
  }

  value(path: string): unknown {
    let here: unknown = this.recipe;
    for (const key of path.split('.'))
      here = typeof here === 'object' && here !== null ? (here as Record<string, unknown>)[key] : undefined;
    return here;
  }

  note(text: string): void {
    this.notes.push(text);
  }

  lose(key: string, why: string): void {
    this.lost.push(`${key}: ${why}`);
  }

  finish(kind: 'rl' | 'sft'): Converted {
    const machine = [...this.left.keys()].filter((key) => unneeded.test(key));
    const strange = [...this.left].filter(([key, value]) => !unneeded.test(key) && value !== null);
    const recipe = { run: 'from-verl', ...this.recipe };
    return {
      kind,
      recipe,
      notes: this.notes,
      unneeded: machine,
      lost: [...this.lost, ...strange.map(([key, value]) => `${key}: ${JSON.stringify(value)}${hint(key)}`)],
    };
  }
}

function hint(key: string): string {
  const last = key.split('.').at(-1) ?? key;
  const close = nearest(last, ['temperature', 'max_turns', 'samples', 'groups', 'epochs', 'minibatches', 'entropy']);
  return close === undefined ? '' : ` (${close} here?)`;
}

function* flatten(tree: unknown, path: readonly string[] = []): Generator<[string, unknown]> {
  if (typeof tree === 'object' && tree !== null && !Array.isArray(tree) && Object.keys(tree).length > 0) {
    for (const [key, value] of Object.entries(tree)) yield* flatten(value, [...path, key]);
  } else if (path.length > 0) yield [path.join('.'), tree];
}
