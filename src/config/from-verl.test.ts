import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { fromVerl, launchedAlone } from './from-verl.ts';
import { rlRecipe, sftRecipe } from './recipe/recipe.ts';
import { watched } from './recipe/watched.ts';
import { filesNear } from './verl/near.ts';

const folder = await mkdtemp(join(tmpdir(), 'agoge-verl-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** As in the WebShop guide of the seeds. */
const webshop = `
hydra: { searchpath: ['file://verl/trainer/config'] }
defaults: [ppo_trainer, _self_]
data:
  train_files: ~/data/webshop/train.parquet
  val_files: ~/data/webshop/test.parquet
  max_prompt_length: 1024
  max_response_length: 3000
  train_batch_size: 32
  return_raw_chat: True
actor_rollout_ref:
  model: { path: /models/Qwen2.5-3B-Instruct }
  rollout:
    name: sglang
    temperature: 0.7
    top_p: 0.9
    prompt_length: 1024
    response_length: 3000
    multi_turn:
      enable: True
      max_user_turns: 15
      max_assistant_turns: 15
      interaction_config_path: examples/sglang_multiturn/config/webshop_interaction.yaml
    agent: { default_agent_loop: tool_agent, num_workers: 4 }
algorithm: { adv_estimator: grpo }
trainer: { total_epochs: 5, save_freq: 1, project_name: webshop_rl, experiment_name: qwen2.5-3b-webshop }
`;

describe("the seeds' WebShop configuration", () => {
  it('becomes the same training: what it says, and what its base says', async () => {
    const { recipe, lost } = await fromVerl(parse(webshop));
    expect(lost).toEqual([]);
    expect(rlRecipe(recipe)).toMatchObject({
      run: 'qwen2.5-3b-webshop',
      policy: 'hf:/models/Qwen2.5-3B-Instruct',
      tasks: [{ file: join(homedir(), 'data/webshop/train.parquet') }],
      interactions: 'examples/sglang_multiturn/config/webshop_interaction.yaml',
      epochs: 5,
      steps: null,
      agent: { prompt: 'row', format: null, max_turns: 15, context: 4024, tokens_per_turn: 3000 },
      // From verl's base: 1e-6, not our default; one sample, no KL, AdamW's numbers.
      optimizer: { lr: 1e-6, betas: [0.9, 0.999], weight_decay: 0.01, clip_norm: 1, schedule: 'constant', warmup: 0 },
      rollout: { groups: 32, samples: 1, temperature: 0.7, top_p: 0.9 },
      algorithm: { name: 'grpo', clip: [0.2, 0.2], dual_clip: 3, entropy: 0, kl: false, aggregation: 'token-mean' },
      update: { epochs: 1, minibatches: 1 },
      evaluate: {
        panels: [{ file: join(homedir(), 'data/webshop/test.parquet') }],
        choose: false,
        temperature: 0,
        samples: 1,
        at_start: true,
        at_end: false,
        every: 0,
      },
      checkpoint: { every: 1 },
    });
  });
  it('takes overrides after its defaults, as Hydra does', async () => {
    const overrides = ['actor_rollout_ref.actor.use_kl_loss=True', 'actor_rollout_ref.rollout.n=4', 'data.train_batch_size=128'];
    const { recipe } = await fromVerl(parse(webshop), {
      overrides: [...overrides, 'actor_rollout_ref.actor.optim.lr=5e-7', '+trainer.test_freq=3'],
    });
    expect(rlRecipe(recipe)).toMatchObject({
      optimizer: { lr: 5e-7 },
      rollout: { groups: 128, samples: 4 },
      algorithm: { kl: { in: 'loss', estimator: 'k3', coefficient: 0.001 } },
      evaluate: { every: 3, at_end: true },
    });
  });
  it('finds an interaction file that lies beside it', async () => {
    const converted = await fromVerl(parse(webshop));
    // What the original does not evaluate, nobody evaluates.
    expect(watched(converted.recipe)).toBe(converted.recipe);
    const gone = filesNear(converted, folder);
    expect(gone.notes.join()).toMatch(/webshop_interaction\.yaml is not here/);
    await writeFile(join(folder, 'webshop_interaction.yaml'), '- name: webshop\n');
    const near = filesNear(converted, folder);
    expect(near.recipe['interactions']).toBe(join(folder, 'webshop_interaction.yaml'));
  });
  it('finds a file of tools that lies beside it, for training and for evaluations', async () => {
    const turns = 'actor_rollout_ref.rollout.multi_turn';
    const files = ['data.train_files=train.parquet', 'data.val_files=val.parquet'];
    const overrides = [...files, `${turns}.enable=True`, `${turns}.tool_config_path=config/tool_config/gsm8k_tools.yaml`];
    const converted = await fromVerl({ defaults: ['ppo_trainer'] }, { overrides });
    expect(filesNear(converted, folder).notes.join()).toMatch(
      /gsm8k_tools\.yaml is not here: .* tasks\.0\.settings\.tools=<file>/,
    );
    await mkdir(join(folder, 'tool_config'));
    const tools = join(folder, 'tool_config/gsm8k_tools.yaml');
    await writeFile(tools, 'tools: []\n');
    const { recipe, notes } = filesNear(converted, folder);
    expect(recipe).toMatchObject({ tasks: [{ settings: { tools } }], evaluate: { panels: [{ settings: { tools } }] } });
    expect(notes.filter((note) => note.includes(tools))).toHaveLength(1);
  });
});

describe('nothing vanishes', () => {
  const textcraft = {
    defaults: ['ppo_trainer', '_self_'],
    data: { train_files: 'train.parquet', train_batch_size: 64, shuffle: false, filter_overlong_prompts: true },
    actor_rollout_ref: {
      model: { path: 'Qwen/Qwen3-1.7B', lora_rank: 32, lora_alpha: 64, use_remove_padding: true },
      actor: {
        clip_ratio: 0.1,
        ppo_mini_batch_size: 16,
        fsdp_config: { param_offload: false },
        optim: { lr_scheduler_type: 'polynomial' },
      },
      rollout: { n: 8, val_kwargs: { max_tokens: 800 }, multi_turn: { enable: true } },
    },
    algorithm: { adv_estimator: 'optimal_token_baseline', frobnicate: 3 },
    trainer: { n_gpus_per_node: 4, logger: ['console', 'wandb'], save_freq: -1 },
    typo: { x: 1 },
  };
  it('every key is carried, noted, named as not needed or named as lost', async () => {
    const { recipe, notes, lost, unneeded } = await fromVerl(textcraft);
    expect(recipe).toMatchObject({
      engine: { lora: { rank: 32, alpha: 64, targets: 'all-linear' } },
      update: { minibatches: 4 },
    });
    for (const key of [
      'data.shuffle',
      'data.filter_overlong_prompts',
      'actor_rollout_ref.actor.optim.lr_scheduler_type',
      'actor_rollout_ref.rollout.val_kwargs.max_tokens',
      'algorithm.adv_estimator',
      'algorithm.frobnicate',
      'typo.x',
    ]) {
      expect(
        lost.some((line) => line.startsWith(`${key}:`)),
        key,
      ).toBe(true);
    }
    expect(unneeded.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['trainer.n_gpus_per_node', 'actor_rollout_ref.model.use_remove_padding']),
    );
    expect(notes.join('\n')).toMatch(/clip_ratio=0.1 alone has no effect in verl.*stay 0.2/);
    expect(notes.join('\n')).toMatch(/engine\.lora/);
    expect(notes.join('\n')).toMatch(/single_turn_agent/);
  });
  it('a file beside it that its defaults name is composed, one that is missing is named', async () => {
    await mkdir(join(folder, 'actor'), { recursive: true });
    await writeFile(join(folder, 'mine.yaml'), 'defaults: [ppo_trainer, _self_]\ndata: { train_batch_size: 77 }\n');
    await writeFile(join(folder, 'actor', 'slow.yaml'), 'optim: { lr: 3e-8 }\n');
    const config = {
      defaults: ['mine', { 'actor@actor_rollout_ref.actor': 'slow' }, 'absent', '_self_'],
      algorithm: { adv_estimator: 'rloo' },
    };
    const { recipe, lost } = await fromVerl(config, { folder });
    expect(recipe).toMatchObject({ rollout: { groups: 77 }, optimizer: { lr: 3e-8 }, algorithm: { name: 'rloo' } });
    expect(lost.join()).toMatch(/defaults: absent/);
  });
  it('base values are those of the version', async () => {
    const config = { defaults: ['ppo_trainer', '_self_'], algorithm: { adv_estimator: 'grpo' } };
    const early = rlRecipe((await fromVerl(config, { version: '0.3.0' })).recipe);
    expect(early.algorithm).toMatchObject({ entropy: 0.001, kl: { in: 'reward', estimator: 'k1', coefficient: 0.001 } });
    expect(rlRecipe((await fromVerl(config, { version: '0.7.1' })).recipe).algorithm).toMatchObject({ entropy: 0, kl: false });
    // One ratio for both sides and no dual clip, until 0.4.
    const clip = { overrides: ['actor_rollout_ref.actor.clip_ratio=0.1'] };
    const old = await fromVerl(config, { ...clip, version: '0.3' });
    expect(rlRecipe(old.recipe).algorithm).toMatchObject({ clip: [0.1, 0.1], dual_clip: null });
    expect(old.notes.join()).not.toMatch(/clip_ratio/);
    const later = rlRecipe((await fromVerl(config, { ...clip, version: '0.4' })).recipe);
    expect(later.algorithm).toMatchObject({ clip: [0.2, 0.2], dual_clip: 3 });
    await expect(fromVerl(config, { version: '1.0' })).rejects.toThrow(/no base values of verl 1\.0/);
  });
});

describe('AgentGym-RL', () => {
  it('its overrides are carried, ScalingInter included', async () => {
    const overrides = [
      'algorithm.adv_estimator=grpo',
      'algorithm.rounds_ctrl.type=scaling_inter_stepwise',
      'algorithm.rounds_ctrl.rounds=[10,20,30]',
      'algorithm.rounds_ctrl.steps_scaling_inter=100',
      'data.train_file=AgentItemId/babyai_train.json',
      'actor_rollout_ref.agentgym.task_name=babyai',
      'actor_rollout_ref.agentgym.env_addr=http://127.0.0.1:36005',
      'actor_rollout_ref.agentgym.timeout=2400',
      'actor_rollout_ref.actor.use_kl_loss=True',
      'actor_rollout_ref.rollout.max_tokens=200',
      'trainer.total_training_steps=300',
    ];
    expect(rlRecipe((await fromVerl({}, { overrides })).recipe)).toMatchObject({
      tasks: [{ file: 'AgentItemId/babyai_train.json', env: 'babyai', url: 'http://127.0.0.1:36005' }],
      agent: { max_turns: [10, 20, 30], every: 100, tokens_per_turn: 200, context: 4096, prompt: null, step_deadline: 2_400_000 },
      algorithm: { entropy: 0.001, kl: { in: 'loss' } },
      steps: 300,
    });
  });
  it('clips by its one ratio, without a dual clip; passes that its actor leaves out are said', async () => {
    const gym = ['actor_rollout_ref.agentgym.task_name=babyai', 'algorithm.adv_estimator=grpo', 'data.train_file=babyai.json'];
    const actor = ['actor_rollout_ref.actor.clip_ratio=0.3', 'actor_rollout_ref.actor.ppo_epochs=2'];
    const { recipe, notes } = await fromVerl({}, { overrides: [...gym, ...actor] });
    expect(rlRecipe(recipe)).toMatchObject({ algorithm: { clip: [0.3, 0.3], dual_clip: null }, update: { epochs: 2 } });
    expect(notes.join('\n')).toMatch(/passes over a step's data once, whatever ppo_epochs says/);
    expect(notes.join('\n')).not.toMatch(/clip_ratio/);
  });
});

describe('SFT', () => {
  it('files become SFT recipes: epochs, batch, warm-up, lengths', async () => {
    const overrides = [
      'data.train_files=train.parquet',
      'data.val_files=train.parquet',
      'data.train_batch_size=32',
      'data.max_length=8192',
      'data.multiturn.enable=true',
      'model.partial_pretrain=Qwen/Qwen3-1.7B',
      'optim.lr=1e-5',
      'optim.lr_warmup_steps_ratio=0.1',
      'trainer.total_epochs=20',
      'trainer.test_freq=50',
      'trainer.experiment_name=sft',
    ];
    const converted = await fromVerl({ defaults: ['sft_trainer', '_self_'] }, { overrides });
    expect(converted.kind).toBe('sft');
    expect(sftRecipe(converted.recipe)).toMatchObject({
      run: 'sft',
      policy: 'hf:Qwen/Qwen3-1.7B',
      data: { train: 'train.parquet', epochs: 20, max_tokens: 8192, too_long: 'error' },
      batch_conversations: 32,
      optimizer: { lr: 1e-5, warmup: 0.1, schedule: 'cosine', betas: [0.9, 0.95], clip_norm: 1 },
      validate: { every: 50 },
    });
    expect(converted.notes.join()).toMatch(/say nothing/);
  });
  it("of the newer trainer too, with that one's base", async () => {
    const config = { defaults: ['sft_trainer_engine', '_self_'], data: { train_files: 'a.parquet' }, model: { path: '~/m' } };
    const { kind, recipe } = await fromVerl(config);
    expect(kind).toBe('sft');
    expect(sftRecipe(recipe)).toMatchObject({
      policy: `hf:${join(homedir(), 'm')}`,
      optimizer: { lr: 1e-3, betas: [0.9, 0.999], schedule: 'constant', warmup: 0 },
      batch_conversations: 256,
      data: { epochs: 4, max_tokens: 1024 },
    });
  });
});

describe('what is not of verl', () => {
  it.each([
    [{ a: 1 }, /has neither actor_rollout_ref nor algorithm.*but a\./],
    [{}, /but nothing/],
    [[{ name: 'webshop' }], /is a list.*interactions=/],
    [{ tools: [{ class_name: 'x' }] }, /interactions or tools/],
    [{ data: { path: 'x', output_path: 'y' } }, /agoge eval/],
    ['text', /single value/],
  ])('is refused: %j', async (config, message) => {
    await expect(fromVerl(config, { file: 'x.yaml' })).rejects.toThrow(message);
  });
});

describe('a launch script without a file', () => {
  it('is read over the base of the trainer that it starts', async () => {
    const overrides = ['algorithm.adv_estimator=grpo', 'data.train_files=t.parquet', 'actor_rollout_ref.rollout.n=4'];
    const rl = await fromVerl(launchedAlone(overrides), { overrides });
    expect(rl).toMatchObject({ kind: 'rl', recipe: { algorithm: { name: 'grpo' }, rollout: { samples: 4 } } });
    const taught = ['data.train_files=t.parquet', 'optim.lr=1e-5'];
    expect(await fromVerl(launchedAlone(taught), { overrides: taught })).toMatchObject({ kind: 'sft' });
  });
});
