/** Each rule by which a key of verl becomes a setting of a recipe; whole configurations stand in ../from-verl.test.ts. */
import { describe, expect, it } from 'vitest';
import { fromVerl, type Converted } from '../from-verl.ts';
import { rlRecipe } from '../recipe/recipe.ts';
import type { RlRecipe } from '../recipe/rl-recipe.ts';

const actor = 'actor_rollout_ref.actor';
const rollout = 'actor_rollout_ref.rollout';
const turns = `${rollout}.multi_turn`;

async function converted(...overrides: string[]): Promise<Converted & { readonly read: RlRecipe }> {
  const all = ['data.train_files=train.parquet', 'algorithm.adv_estimator=grpo', ...overrides];
  const result = await fromVerl({ defaults: ['ppo_trainer'] }, { overrides: all, version: '0.9' });
  return { ...result, read: rlRecipe(result.recipe) };
}

/** What a recipe says at a dotted key. */
function at(recipe: object, key: string): unknown {
  return key.split('.').reduce<unknown>((here, name) => (here as Record<string, unknown> | null | undefined)?.[name], recipe);
}

describe('settings that mean the same', () => {
  it.each<[string, string, unknown]>([
    ['algorithm.adv_estimator=gae', 'algorithm.estimator', 'gae'],
    ['algorithm.adv_estimator=rloo_vectorized', 'algorithm.estimator', 'rloo'],
    ['algorithm.adv_estimator=reinforce_plus_plus', 'algorithm.name', 'reinforce++'],
    ['algorithm.adv_estimator=reinforce_plus_plus_baseline', 'algorithm.name', 'reinforce++-baseline'],
    ['algorithm.adv_estimator=remax', 'algorithm.estimator', 'remax'],
    ['algorithm.adv_estimator=opo', 'algorithm.estimator', 'opo'],
    ['algorithm.adv_estimator=gpg', 'algorithm.estimator', 'gpg'],
    ['algorithm.adv_estimator=grpo_passk', 'algorithm.estimator', 'grpo_passk'],
    ['algorithm.gamma=0.95', 'algorithm.gamma', 0.95],
    ['algorithm.lam=0.9', 'algorithm.lambda', 0.9],
    ['algorithm.norm_adv_by_std_in_grpo=False', 'algorithm.scale', 'none'],
    ['algorithm.norm_adv_by_std_in_grpo=True', 'algorithm.scale', 'std'],
    [`${actor}.clip_ratio_high=0.28`, 'algorithm.clip', [0.2, 0.28]],
    [`${actor}.clip_ratio_c=10.0`, 'algorithm.dual_clip', 10],
    [`${actor}.entropy_coeff=0.01`, 'algorithm.entropy', 0.01],
    [`${actor}.loss_agg_mode=seq-mean-token-sum-norm`, 'algorithm.aggregation', 'seq-mean-token-sum-norm'],
    [`${actor}.policy_loss.loss_mode=gspo`, 'algorithm.loss', 'gspo'],
    [`${actor}.ppo_epochs=4`, 'update.epochs', 4],
    [`${actor}.grad_clip=0.3`, 'optimizer.clip_norm', 0.3],
    [`${rollout}.n=16`, 'rollout.samples', 16],
    [`${rollout}.temperature=0.6`, 'rollout.temperature', 0.6],
    [`${rollout}.top_p=0.95`, 'rollout.top_p', 0.95],
    [`${rollout}.top_p=1.0`, 'rollout.top_p', null],
    [`${rollout}.top_k=20`, 'rollout.top_k', 20],
    [`${rollout}.top_k=-1`, 'rollout.top_k', null],
    [`${rollout}.val_kwargs.n=8`, 'evaluate.samples', 8],
    [`${rollout}.val_kwargs.temperature=0.6`, 'evaluate.temperature', 0.6],
    [`${rollout}.val_kwargs.top_p=0.95`, 'evaluate.top_p', 0.95],
    ['data.train_batch_size=7', 'rollout.groups', 7],
    ['data.seed=42', 'seed', 42],
    ['data.train_max_samples=100', 'tasks.0.to', 100],
    ['data.train_max_samples=-1', 'tasks.0.to', null],
    ['+data.apply_chat_template_kwargs.enable_thinking=False', 'agent.thinking', false],
    ['+data.apply_chat_template_kwargs.enable_thinking=True', 'agent.thinking', true],
    ['+data.apply_chat_template_kwargs={enable_thinking:False}', 'agent.thinking', false],
    ['trainer.total_epochs=3', 'epochs', 3],
    ['trainer.critic_warmup=0', 'critic.warmup', 0],
    ['trainer.critic_warmup=5', 'critic.warmup', 4], // the policy learns from the fifth step on
    ['trainer.total_training_steps=50', 'steps', 50],
    // Without validation files there is nothing to evaluate.
    ['trainer.test_freq=5', 'evaluate.every', 0],
    ['trainer.test_freq=-1', 'evaluate.every', 0],
    ['trainer.val_before_train=False', 'evaluate.at_start', false],
    ['trainer.save_freq=20', 'checkpoint.every', 20],
    ['trainer.max_actor_ckpt_to_keep=3', 'checkpoint.keep', 3],
    ['trainer.logger=["console","tensorboard"]', 'log.tensorboard', true],
    ["trainer.logger=['wandb']", 'log.to', ['wandb']],
    ['trainer.logger=wandb', 'log.to', ['wandb']],
    ['trainer.experiment_name=20251213', 'run', '20251213'],
  ])('%s is %s=%j', async (override, key, want) => {
    const { read, lost } = await converted(override);
    expect(at(read, key)).toEqual(want);
    expect(lost).toEqual([]);
  });
  it('test_freq evaluates the validation files that are given', async () => {
    const { read } = await converted('trainer.test_freq=5', 'data.val_files=val.parquet');
    expect(read.evaluate).toMatchObject({ every: 5, at_start: true, at_end: true, panels: [{ file: 'val.parquet' }] });
  });

  it.each<[string, string[], number]>([
    ['0.6', [], 0],
    ['0.6', [`${rollout}.val_kwargs.do_sample=True`], 0.6],
    ['0.6', [`${rollout}.mode=async`], 0.6],
    ['0.2', [], 0],
    ['0.9', [], 0.6],
    ['0.9', [`${rollout}.mode=sync`], 0],
  ])('verl %s with %j evaluates val_kwargs.temperature=0.6 at %d', async (version, more, temperature) => {
    const overrides = [
      'data.train_files=train.parquet',
      `${rollout}.val_kwargs.temperature=0.6`,
      `${rollout}.val_kwargs.top_p=0.9`,
    ];
    const { recipe, notes } = await fromVerl({ defaults: ['ppo_trainer'] }, { overrides: [...overrides, ...more], version });
    const greedy = temperature === 0;
    expect(rlRecipe(recipe).evaluate).toMatchObject({ temperature, top_p: greedy ? null : 0.9 });
    expect(notes.some((note) => note.includes('no effect in verl without val_kwargs.do_sample'))).toBe(greedy);
  });

  it('steps win over epochs; that verl ends after few epochs all the same is said', async () => {
    const { read, notes } = await converted('trainer.total_training_steps=50', 'trainer.total_epochs=3');
    expect(read).toMatchObject({ steps: 50, epochs: null });
    const said = (text: string): boolean =>
      text.startsWith('verl ends after total_epochs 3 where the data has fewer than 50 steps');
    expect(notes.filter(said)).toHaveLength(1);
    const usual = await converted('trainer.total_training_steps=50');
    expect(usual.notes.join()).not.toContain('total_epochs');
  });

  it.each<[string[], number]>([
    [['data.train_batch_size=64', `${actor}.ppo_mini_batch_size=16`], 4],
    [['data.train_batch_size=64', `${actor}.ppo_mini_batch_size=48`], 2],
    [['data.train_batch_size=64', `${actor}.ppo_mini_batch_size=64`], 1],
    [['data.train_batch_size=64', `${actor}.ppo_mini_batch_size=256`], 1],
  ])('%j is %d minibatches', async (overrides, minibatches) => {
    expect((await converted(...overrides)).read.update.minibatches).toBe(minibatches);
  });

  it('a folder that ends with the run is the folder of runs', async () => {
    const overrides = ['trainer.experiment_name=mine', 'trainer.default_local_dir=out/mine'];
    expect((await converted(...overrides)).read).toMatchObject({ run: 'mine', output: 'out' });
    expect((await converted('trainer.experiment_name=mine', 'trainer.default_local_dir=out')).read).toMatchObject({
      output: 'out',
    });
  });
});

describe('KL', () => {
  const off = false;
  it.each<[string[], unknown]>([
    [[], off],
    [['algorithm.kl_ctrl.kl_coef=0.1'], off],
    [[`${actor}.use_kl_loss=True`], { in: 'loss', estimator: 'k3', coefficient: 0.001 }],
    [
      [`${actor}.use_kl_loss=True`, `${actor}.kl_loss_type=kl`, `${actor}.kl_loss_coef=0.1`],
      { in: 'loss', estimator: 'k1', coefficient: 0.1 },
    ],
    [[`${actor}.use_kl_loss=True`, `${actor}.kl_loss_type=mse`], { estimator: 'k2' }],
    [[`${actor}.use_kl_loss=True`, `${actor}.kl_loss_type=abs`], { estimator: 'abs' }],
    // The straight-through forms have an estimator of their own here; k2 has k2's gradient anyway.
    [[`${actor}.use_kl_loss=True`, `${actor}.kl_loss_type=k3+`], { estimator: 'k3+' }],
    [[`${actor}.use_kl_loss=True`, `${actor}.kl_loss_type=low_var_kl+`], { estimator: 'k3+' }],
    [[`${actor}.use_kl_loss=True`, `${actor}.kl_loss_type=mse+`], { estimator: 'k2' }],
    [['algorithm.use_kl_in_reward=True'], { in: 'reward', estimator: 'k1', coefficient: 0.001, control: 'fixed' }],
    [['algorithm.use_kl_in_reward=True', 'algorithm.kl_ctrl.kl_coef=0'], off],
    [
      [
        'algorithm.use_kl_in_reward=True',
        'algorithm.kl_ctrl.type=adaptive',
        'algorithm.kl_ctrl.target_kl=0.2',
        'algorithm.kl_ctrl.horizon=500',
      ],
      { in: 'reward', control: 'adaptive', target: 0.2, horizon: 500 },
    ],
    // YAML 1.1 of OmegaConf: a user's file may say yes.
    [[`${actor}.use_kl_loss=yes`], { in: 'loss' }],
    [[`${actor}.use_kl_loss=off`], off],
  ])('%j', async (overrides, want) => {
    const { kl } = (await converted(...overrides)).read.algorithm;
    if (want === false) expect(kl).toBe(false);
    else expect(kl).toMatchObject(want as object);
  });

  it('before 0.4 it was in the reward unless it was in the loss', async () => {
    const early = async (...overrides: string[]) =>
      rlRecipe(
        (
          await fromVerl(
            { defaults: ['ppo_trainer'] },
            { overrides: ['data.train_files=a.parquet', ...overrides], version: '0.2' },
          )
        ).recipe,
      );
    expect((await early()).algorithm.kl).toMatchObject({ in: 'reward' });
    expect((await early(`${actor}.use_kl_loss=True`)).algorithm.kl).toMatchObject({ in: 'loss' });
    expect((await early('algorithm.use_kl_in_reward=False')).algorithm.kl).toBe(false);
  });

  it('in both places is said, an unknown estimator is named', async () => {
    const both = await converted(`${actor}.use_kl_loss=True`, 'algorithm.use_kl_in_reward=True');
    expect(both.notes.join()).toMatch(/in the reward and in the loss/);
    const full = await converted(`${actor}.use_kl_loss=True`, `${actor}.kl_loss_type=full`);
    expect(full.lost.join()).toMatch(/no KL estimator full/);
  });
});

describe('rollout correction', () => {
  const from = 'algorithm.rollout_correction';
  it.each<[string[], object]>([
    [[`${from}.rollout_is=token`, `${from}.rollout_is_threshold=3.0`], { weights: 'token', threshold: 3 }],
    [[`${from}.rollout_is=sequence`, `${from}.rollout_is_batch_normalize=True`], { weights: 'sequence', normalise: true }],
    [
      [`${from}.rollout_rs=seq_mean_k3`, `${from}.rollout_rs_threshold=0.01`],
      { reject: [{ by: 'seq_mean_k3', threshold: 0.01 }] },
    ],
    [
      [`${from}.rollout_rs=seq_sum_k1`, `${from}.rollout_rs_threshold=0.5_2.0`],
      { reject: [{ by: 'seq_sum_k1', threshold: [0.5, 2] }] },
    ],
    [
      [`${from}.rollout_rs='token_k1,seq_max_k3'`, `${from}.rollout_rs_threshold='0.9_1.1,5'`],
      {
        reject: [
          { by: 'token_k1', threshold: [0.9, 1.1] },
          { by: 'seq_max_k3', threshold: 5 },
        ],
      },
    ],
    [
      [`${from}.rollout_rs='token_k2,token_k3'`, `${from}.rollout_rs_threshold=5`],
      {
        reject: [
          { by: 'token_k2', threshold: 5 },
          { by: 'token_k3', threshold: 5 },
        ],
      },
    ],
  ])('%j', async (overrides, want) => expect((await converted(...overrides)).read.algorithm.correction).toMatchObject(want));

  it('has no weights where verl bypasses them: its ratio is to the sampler', async () => {
    const bypass = [`${from}.rollout_is=token`, `${from}.bypass_mode=True`];
    const { read, notes } = await converted(...bypass);
    expect(read.algorithm).toMatchObject({ old: 'sampler', correction: { weights: 'none' } });
    expect(notes.join('\n')).toMatch(/rollout_is token has no effect in verl with bypass_mode/);
    const reinforce = await converted(...bypass, `${from}.loss_type=reinforce`);
    expect(reinforce.read.algorithm.correction.weights).toBe('token');
  });

  it.each([[[]], [[`${from}.rollout_rs_threshold=abc`]], [[`${from}.rollout_rs_threshold='1,,'`]]])(
    'rejecting without a bound is named, never a bound of 0: %j',
    async (more: string[]) => {
      const { lost, read } = await converted(`${from}.rollout_rs='token_k2,token_k3'`, ...more);
      expect(lost.join()).toMatch(/rollout_rs: token_k2,token_k3 needs its bounds/);
      expect(read.algorithm.correction.reject).toEqual([]);
    },
  );
});

describe('turns', () => {
  it.each<[string[], number | number[], RegExp]>([
    [[], 1, /one reply per episode/],
    [
      [`${turns}.enable=True`, `${turns}.max_assistant_turns=5`, `${turns}.max_user_turns=7`],
      5,
      /the last of 5 actions is played here/,
    ],
    [[`${turns}.enable=True`, `${turns}.max_user_turns=4`], 4, /last of 4/],
    [[`${turns}.enable=True`, `+${turns}.max_turns=6`], 6, /last of 6/],
    [[`${turns}.enable=True`], 200, /turns have no limit in verl/],
    [[`${turns}.enable=on`, `${turns}.max_user_turns=4`], 4, /last of 4/],
  ])('%j', async (overrides, most, note) => {
    const { read, notes } = await converted(...overrides);
    expect(read.agent.max_turns).toEqual(most);
    expect(notes.join('\n')).toMatch(note);
  });

  it.each<[string[], unknown, number | undefined]>([
    [['algorithm.rounds_ctrl.rounds=12'], 12, undefined],
    [['algorithm.rounds_ctrl.type=fixed', 'algorithm.rounds_ctrl.rounds=[12,30]'], 12, undefined],
    [
      [
        'algorithm.rounds_ctrl.type=scaling_inter_stepwise',
        'algorithm.rounds_ctrl.rounds=[8,12,15]',
        'algorithm.rounds_ctrl.steps_scaling_inter=80',
      ],
      [8, 12, 15],
      80,
    ],
  ])("AgentGym-RL's %j", async (overrides, most, every) => {
    const { read } = await converted('actor_rollout_ref.agentgym.task_name=webarena', ...overrides);
    expect(read.agent.max_turns).toEqual(most);
    if (every !== undefined) expect(read.agent.every).toBe(every);
  });
});

describe('values that are none', () => {
  it.each<[string, RegExp]>([
    [`${rollout}.n=`, /rollout\.n/],
    ['data.train_batch_size=', /data\.train_batch_size: "" is not a number/],
    ['data.train_batch_size=[1]', /data\.train_batch_size: \[1\] is not a number/],
    ['data.max_prompt_length=long', /data\.max_prompt_length: "long" is not a number/],
    ['data.max_prompt_length=true', /is not a number/],
    [`${actor}.use_kl_loss=maybe`, /use_kl_loss: "maybe" is neither true nor false/],
    ['algorithm.adv_estimator=[grpo]', /adv_estimator: \["grpo"\] is not a text/],
    ['data.seed=${oc.env:SEED}', /data\.seed: \$\{oc\.env:SEED\} refers to something that is not in the file/],
    ['data.seed=???', /data\.seed: it was to be filled in/],
  ])('%s is named', async (override, message) => {
    const overrides = ['data.train_files=train.parquet', 'algorithm.adv_estimator=grpo', override];
    const read = async () => {
      const { recipe, lost } = await fromVerl({ defaults: ['ppo_trainer'] }, { overrides, version: '0.9' });
      expect(lost.join('\n')).toMatch(message);
      return rlRecipe(recipe);
    };
    if (override === `${rollout}.n=`) await expect(read()).rejects.toThrow();
    else await read();
  });

  it("Python's underscores in numbers are read", async () => {
    expect((await converted('data.max_response_length=10_240', 'data.max_prompt_length=1_000')).read.agent.context).toBe(11_240);
  });

  it('warm-up: steps before the share, a share of 1 or more is named', async () => {
    const warmup = async (...overrides: string[]) => (await converted(...overrides)).read.optimizer.warmup;
    expect(await warmup(`${actor}.optim.lr_warmup_steps=10`, `${actor}.optim.lr_warmup_steps_ratio=0.1`)).toBe(10);
    expect(await warmup(`${actor}.optim.lr_warmup_steps=-1`, `${actor}.optim.lr_warmup_steps_ratio=0.1`)).toBe(0.1);
    expect(await warmup(`${actor}.optim.lr_warmup_steps=0`, `${actor}.optim.lr_warmup_steps_ratio=0.1`)).toBe(0.1);
    const { lost } = await converted(`${actor}.optim.lr_warmup_steps_ratio=1.5`);
    expect(lost.join()).toMatch(/lr_warmup_steps_ratio: 1\.5/);
  });

  it.each<[string[], object]>([
    [[`${actor}.optim.lr_scheduler_type=cosine`, `${actor}.optim.min_lr_ratio=0.1`], { schedule: 'cosine', min_ratio: 0.1 }],
    [[`+${actor}.optim.warmup_style=cosine`], { schedule: 'cosine' }],
    [[`+${actor}.optim.lr_decay_style=linear`], { schedule: 'linear' }],
    [[`${actor}.optim.lr=1e-4`, `~${actor}.optim.min_lr_ratio`, `+${actor}.optim.min_lr=1e-5`], { lr: 1e-4, min_ratio: 0.1 }],
    [[`${actor}.optim.betas=[0.9,0.95]`, `${actor}.optim.weight_decay=0.1`], { betas: [0.9, 0.95], weight_decay: 0.1 }],
  ])('the optimizer: %j', async (overrides, want) => {
    const { optimizer } = (await converted(...overrides)).read;
    expect(optimizer.min_ratio).toBeCloseTo((want as { min_ratio?: number }).min_ratio ?? 0, 12);
    expect(optimizer).toMatchObject({ ...want, min_ratio: optimizer.min_ratio });
  });
});
