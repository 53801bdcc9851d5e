/** verl's RL configuration (and AgentGym-RL's) as a recipe for `agoge train`. */
import { basename, dirname } from 'node:path';
import { aggregationModes } from '../../learn/losses/aggregate.ts';
import { policyLossNames } from '../../learn/losses/policy-loss.ts';
import type { Converted, Draft } from './draft.ts';
import { lora, optimizer } from './optimizer.ts';
import { rewards } from './rewards.ts';
import { tasks } from './tasks.ts';

const actor = 'actor_rollout_ref.actor';
const rollout = 'actor_rollout_ref.rollout';
const model = 'actor_rollout_ref.model';

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

/** Where turns have no limit of their own, the length of the conversation ends them first. */
const unlimitedTurns = 200;

export function rlFromVerl(draft: Draft, name: string): Converted {
  algorithm(draft);
  kl(draft);
  correction(draft);
  const path = draft.text(`${model}.path`);
  if (path !== undefined) draft.set('policy', `hf:${path}`);
  lora(draft, model);
  const groups = draft.number('data.train_batch_size') ?? 32;
  draft.set('rollout.groups', groups);
  sampling(draft);
  const many = turns(draft);
  const response = lengths(draft);
  tasks(draft, many);
  rewards(draft, response);
  update(draft, groups);
  optimizer(draft, `${actor}.optim`);
  critic(draft);
  trainer(draft, name);
  return draft.finish('rl', name);
}

function algorithm(draft: Draft): void {
  const estimator = draft.text('algorithm.adv_estimator');
  if (estimator === 'grpo_passk') draft.set('algorithm', { name: 'grpo', estimator });
  else if (estimator !== undefined && Object.hasOwn(estimators, estimator)) draft.set('algorithm.name', estimators[estimator]);
  else if (estimator !== undefined) draft.lose('algorithm.adv_estimator', `there is no estimator ${estimator} here`);
  draft.carry('algorithm.gamma', 'algorithm.gamma');
  draft.carry('algorithm.lam', 'algorithm.lambda');
  if (draft.flag('algorithm.norm_adv_by_std_in_grpo') === false) draft.set('algorithm.scale', 'none');
  const both = draft.number(`${actor}.clip_ratio`);
  const low = draft.number(`${actor}.clip_ratio_low`);
  const high = draft.number(`${actor}.clip_ratio_high`);
  const given =
    draft.gave(`${actor}.clip_ratio`) && !draft.gave(`${actor}.clip_ratio_low`) && !draft.gave(`${actor}.clip_ratio_high`);
  if (given && both !== undefined && low !== undefined && both !== low) {
    draft.note(
      `actor.clip_ratio=${both} alone has no effect in verl: low and high stay ${low} and ${high ?? low}, and so they do here`,
    );
  }
  draft.set('algorithm.clip', [low ?? both ?? 0.2, high ?? both ?? 0.2]);
  // A base without the key has no dual clip, where an algorithm's name would bring one.
  draft.set('algorithm.dual_clip', draft.number(`${actor}.clip_ratio_c`) ?? null);
  draft.carry(`${actor}.entropy_coeff`, 'algorithm.entropy');
  oneOf(draft, `${actor}.loss_agg_mode`, 'algorithm.aggregation', aggregationModes);
  oneOf(draft, `${actor}.policy_loss.loss_mode`, 'algorithm.loss', policyLossNames);
  if (draft.flag('algorithm.filter_groups.enable') === true) draft.set('rollout.filter', true);
  const batches = draft.number('algorithm.filter_groups.max_num_gen_batches');
  if (batches !== undefined) draft.set('rollout.refill', batches > 0 ? batches : 10);
  filterMetric(draft);
}

/** Groups are left out by the reward that is learned from; another number than that cannot be carried. */
function filterMetric(draft: Draft): void {
  const from = 'algorithm.filter_groups.metric';
  const gave = draft.gave(from);
  const metric = draft.text(from);
  if (!gave || metric === undefined || draft.value('rollout.filter') !== true) return;
  if (/^(seq_reward|seq_final_reward|score)$/.test(metric))
    draft.note(`filter_groups.metric ${metric}: groups whose rewards are all equal are left out`);
  else draft.lose(from, `${metric}: groups are left out where their rewards are all equal, shaping included`);
}

function oneOf(draft: Draft, from: string, to: string, known: readonly string[]): void {
  const value = draft.text(from);
  if (value === undefined) return;
  if (known.includes(value)) draft.set(to, value);
  else draft.lose(from, `there is no ${value} here, only ${known.join(', ')}`);
}

function kl(draft: Draft): void {
  const inLoss = draft.flag(`${actor}.use_kl_loss`) === true;
  const where = 'algorithm.use_kl_in_reward';
  const base = draft.gave(where) ? undefined : draft.take(where);
  const inReward = base === 'unless in the loss' ? !inLoss : base === true || draft.flag(where) === true;
  const lossCoefficient = draft.number(`${actor}.kl_loss_coef`);
  const lossType = draft.text(`${actor}.kl_loss_type`) ?? 'low_var_kl';
  const control = {
    coefficient: draft.number('algorithm.kl_ctrl.kl_coef'),
    control: draft.text('algorithm.kl_ctrl.type'),
    horizon: draft.number('algorithm.kl_ctrl.horizon'),
    target: draft.number('algorithm.kl_ctrl.target_kl'),
  };
  const penalty = draft.text('algorithm.kl_penalty') ?? 'kl';
  const named = (key: string, type: string): string => {
    const bare = type.replace(/\+$/, '');
    const known = Object.hasOwn(klNames, bare) ? klNames[bare] : undefined;
    if (known === undefined) draft.lose(key, `there is no KL estimator ${type} here: k1 is used`);
    // With a plus it has k2's gradient; k2 has it by itself.
    return known === undefined ? 'k1' : type.endsWith('+') && known !== 'k2' ? `${known}+` : known;
  };
  if (inLoss) {
    draft.set('algorithm.kl', {
      in: 'loss',
      estimator: named(`${actor}.kl_loss_type`, lossType),
      coefficient: lossCoefficient ?? 0.001,
    });
    if (inReward) draft.note('KL was in the reward and in the loss; it is carried over in the loss only');
    return;
  }
  const known = Object.entries(control).filter(([, value]) => value !== undefined);
  const coefficient = control.coefficient ?? 0;
  if (inReward && coefficient > 0)
    draft.set('algorithm.kl', { in: 'reward', estimator: named('algorithm.kl_penalty', penalty), ...Object.fromEntries(known) });
  else draft.set('algorithm.kl', false);
}

function correction(draft: Draft): void {
  const from = 'algorithm.rollout_correction';
  const weights = draft.text(`${from}.rollout_is`);
  const bypass = draft.flag(`${from}.bypass_mode`) === true;
  if (weights !== undefined && bypass && draft.look(`${from}.loss_type`) !== 'reinforce')
    draft.note(
      `rollout_is ${weights} has no effect in verl with bypass_mode: the ratio itself is to the sampler, and so it is here`,
    );
  else if (weights !== undefined) draft.set('algorithm.correction.weights', weights);
  draft.carry(`${from}.rollout_is_threshold`, 'algorithm.correction.threshold');
  draft.carry(`${from}.rollout_is_batch_normalize`, 'algorithm.correction.normalise');
  const reject = draft.text(`${from}.rollout_rs`);
  const given = draft.take(`${from}.rollout_rs_threshold`);
  const thresholds = (typeof given === 'string' || typeof given === 'number' ? String(given) : '').split(',');
  if (reject !== undefined) {
    const list = reject.split(',').map((by, i) => {
      const numbers = (thresholds[i] ?? thresholds[0] ?? '').split('_').map((text) => (text.trim() === '' ? NaN : Number(text)));
      return { by: by.trim(), threshold: numbers.length > 1 ? numbers : numbers[0] };
    });
    if (list.every(({ threshold }) => [threshold].flat().every(Number.isFinite))) draft.set('algorithm.correction.reject', list);
    else draft.lose(`${from}.rollout_rs`, `${reject} needs its bounds in rollout_rs_threshold`);
  }
  if (bypass) {
    draft.set('algorithm.old', 'sampler');
    if (reject !== undefined)
      draft.note(
        'rollout_rs with bypass_mode: what it rejects is left out, and the ratio of the rest is to the trainer before the update',
      );
  }
  const loss = draft.text(`${from}.loss_type`);
  if (loss !== undefined && loss !== 'ppo_clip') draft.lose(`${from}.loss_type`, `${loss}: there is ppo_clip only`);
}

function sampling(draft: Draft): void {
  draft.carry(`${rollout}.n`, 'rollout.samples');
  draft.carry(`${rollout}.temperature`, 'rollout.temperature');
  const topP = draft.number(`${rollout}.top_p`);
  if (topP !== undefined && topP < 1) draft.set('rollout.top_p', topP);
  const topK = draft.number(`${rollout}.top_k`);
  if (topK !== undefined && topK > 0) draft.set('rollout.top_k', topK);
  validationSampling(draft);
  const thinking = draft.flag('data.apply_chat_template_kwargs.enable_thinking');
  if (thinking !== undefined) draft.set('agent.thinking', thinking);
}

/** In its own process (`mode: sync`, before 0.7) verl's engine is greedy unless `do_sample` is on; its servers never look at `do_sample`. */
function validationSampling(draft: Draft): void {
  const validation = `${rollout}.val_kwargs`;
  const greedy = draft.look(`${rollout}.mode`) === 'sync' && draft.look(`${validation}.do_sample`) !== true;
  const temperature = draft.number(`${validation}.temperature`);
  if (temperature !== undefined) draft.set('evaluate.temperature', greedy ? 0 : temperature);
  draft.carry(`${validation}.n`, 'evaluate.samples');
  const [topP, topK] = [draft.number(`${validation}.top_p`), draft.number(`${validation}.top_k`)];
  if (greedy) {
    if (temperature !== undefined && temperature !== 0)
      draft.note(
        `val_kwargs.temperature ${temperature} has no effect in verl without val_kwargs.do_sample: evaluations are greedy`,
      );
    return;
  }
  if (topP !== undefined && topP < 1) draft.set('evaluate.top_p', topP);
  if (topK !== undefined && topK > 0) draft.lose(`${validation}.top_k`, `${topK}: evaluations have temperature and top_p`);
}

/** True where an episode may have several turns. */
function turns(draft: Draft): boolean {
  const type = draft.text('algorithm.rounds_ctrl.type');
  const list = draft.take('algorithm.rounds_ctrl.rounds');
  const every = draft.number('algorithm.rounds_ctrl.steps_scaling_inter');
  const many = draft.flag(`${rollout}.multi_turn.enable`) === true;
  const limits = ['max_assistant_turns', 'max_user_turns', 'max_turns'].map((key) =>
    draft.number(`${rollout}.multi_turn.${key}`),
  );
  const most = draft.number('actor_rollout_ref.agentgym.max_rounds');
  const loop = draft.text(`${rollout}.agent.default_agent_loop`);
  if (list !== undefined) {
    draft.set('agent.max_turns', type === 'fixed' && Array.isArray(list) ? (list as unknown[])[0] : list);
    if (Array.isArray(list) && type !== 'fixed' && every !== undefined) draft.set('agent.every', every);
    return true;
  }
  const least = Math.min(...[...limits, most].filter((limit) => limit !== undefined));
  if (!many && most === undefined) {
    draft.set('agent.max_turns', 1);
    draft.note('multi_turn.enable is off: one reply per episode');
  } else if (Number.isFinite(least)) {
    draft.set('agent.max_turns', least);
    draft.note(`the last of ${least} actions is played here; verl's loop drops it`);
  } else {
    draft.set('agent.max_turns', unlimitedTurns);
    draft.note(`turns have no limit in verl; here ${unlimitedTurns}, and the length of the conversation`);
  }
  if (many && loop === 'single_turn_agent' && draft.gave(`${rollout}.multi_turn.enable`))
    draft.note(
      'with default_agent_loop=single_turn_agent verl would play one turn only, whatever multi_turn says; here all are played',
    );
  return many || most !== undefined;
}

/** Gives the tokens of a response. */
function lengths(draft: Draft): number {
  const prompt = draft.number('data.max_prompt_length') ?? 512;
  const response = draft.number('data.max_response_length') ?? 512;
  const turn = draft.number(`${rollout}.max_tokens`);
  draft.set('agent.context', prompt + response);
  draft.set('agent.tokens_per_turn', turn ?? response);
  draft.note(
    `max_prompt_length ${prompt} and max_response_length ${response} bound the conversation, observations included: agent.context ${prompt + response}`,
  );
  if (draft.flag('data.filter_overlong_prompts') === true)
    draft.lose(
      'data.filter_overlong_prompts',
      'tasks are not filtered by the length of their prompt; an episode without room ends as truncated',
    );
  const cut = draft.text('data.truncation');
  if (cut !== undefined && cut !== 'error') draft.lose('data.truncation', `${cut}: prompts are never cut`);
  return response;
}

function update(draft: Draft, groups: number): void {
  const epochs = draft.number(`${actor}.ppo_epochs`);
  if (epochs !== undefined) draft.set('update.epochs', epochs);
  if (epochs !== undefined && epochs > 1 && draft.has('actor_rollout_ref.agentgym'))
    draft.note(
      `AgentGym-RL's actor passes over a step's data once, whatever ppo_epochs says; here it passes ${epochs} times (update.epochs=1 is as there)`,
    );
  const mini = draft.number(`${actor}.ppo_mini_batch_size`);
  if (mini !== undefined) {
    draft.set('update.minibatches', Math.max(1, Math.ceil(groups / mini)));
    if (mini > groups && draft.gave(`${actor}.ppo_mini_batch_size`))
      draft.note(`ppo_mini_batch_size ${mini} is more than the batch of ${groups}, which verl refuses: one minibatch`);
  }
  draft.carry(`${actor}.grad_clip`, 'optimizer.clip_norm');
  draft.take(`${actor}.optim.clip_grad`);
}

/** Only GAE has a critic; its keys in other configurations do nothing there and here. */
function critic(draft: Draft): void {
  const carried = [
    ['critic.optim.lr', 'critic.lr'],
    ['critic.cliprange_value', 'critic.clip'],
    ['critic.grad_clip', 'critic.clip_norm'],
    ['critic.ppo_epochs', 'critic.epochs'],
  ] as const;
  for (const [from, to] of carried) draft.carry(from, to);
  // verl counts steps from 1, and the policy learns from step critic_warmup on: in one step less the critic learns alone.
  const warmup = draft.number('trainer.critic_warmup');
  if (warmup !== undefined) draft.set('critic.warmup', Math.max(0, warmup - 1));
  const mini = draft.take('critic.ppo_mini_batch_size');
  const same = draft.flag('critic.shuffle');
  const [path, own] = [draft.text('critic.model.path'), draft.value('policy')];
  if (path !== undefined && `hf:${path}` !== own && draft.value('algorithm.name') === 'ppo')
    draft.lose('critic.model.path', `${path}: the critic starts from the policy's weights`);
  if (draft.gave('critic.ppo_mini_batch_size') && mini !== undefined)
    draft.note(`the critic's minibatches are those of the policy (critic.ppo_mini_batch_size ${JSON.stringify(mini)})`);
  if (same === true) draft.note('the rows of a step keep their order in the critic');
}

function trainer(draft: Draft, name: string): void {
  const steps = draft.number('trainer.total_training_steps');
  const epochs = draft.number('trainer.total_epochs');
  if (steps !== undefined && steps > 0) {
    draft.set('steps', steps);
    // How many steps an epoch has stands in the files alone.
    if (epochs !== undefined && draft.gave('trainer.total_epochs'))
      draft.note(
        `verl ends after total_epochs ${epochs} where the data has fewer than ${steps} steps in them; here steps alone decide: epochs=${epochs} in place of steps then`,
      );
  } else if (epochs !== undefined) draft.set('epochs', epochs);
  // Without validation files of its own the original evaluates nothing that this run could play.
  const held = draft.value('evaluate.panels') !== undefined;
  draft.set('evaluate.at_start', draft.flag('trainer.val_before_train') === true && held);
  const asked = draft.number('trainer.test_freq') ?? -1;
  const test = held ? asked : -1;
  if (asked > 0 && !held)
    draft.note(`test_freq ${asked} evaluates val_files, and none are given: nothing is evaluated here (evaluate)`);
  draft.set('evaluate.every', Math.max(0, test));
  draft.set('evaluate.at_end', test > 0);
  common(draft, name);
}

/** What RL and SFT share of `trainer`. */
export function common(draft: Draft, name: string): void {
  const run = draft.gave('trainer.experiment_name') ? draft.text('trainer.experiment_name') : undefined;
  draft.take('trainer.experiment_name');
  if (run !== undefined) draft.set('run', run);
  const place = draft.gave('trainer.default_local_dir') ? draft.text('trainer.default_local_dir') : undefined;
  draft.take('trainer.default_local_dir');
  // The run's folder lies in `output` under its own name.
  if (place !== undefined) draft.set('output', basename(place) === (run ?? name) ? dirname(place) : place);
  for (const key of ['max_actor_ckpt_to_keep', 'max_ckpt_to_keep']) draft.carry(`trainer.${key}`, 'checkpoint.keep');
  draft.take('trainer.max_critic_ckpt_to_keep');
  const save = draft.number('trainer.save_freq') ?? -1;
  draft.set('checkpoint.every', Math.max(0, save));
  if (save <= 0) draft.note('save_freq −1 saves nothing in verl; here the end of the run is saved');
  const logger = JSON.stringify(draft.take('trainer.logger') ?? '');
  if (logger.includes('tensorboard')) draft.set('log.tensorboard', true);
  const offline = ['wandb', 'swanlab'].filter((each) => logger.includes(`"${each}"`));
  if (offline.length > 0 && draft.gave('trainer.logger')) draft.set('log.to', offline);
  const hosted = ['mlflow', 'clearml', 'trackio', 'comet'].filter((each) => logger.includes(`"${each}"`));
  if (hosted.length > 0 && draft.gave('trainer.logger'))
    draft.note(`${hosted.join(', ')}: metrics lie in the run directory as JSONL; see docs/training.md for other places`);
}
