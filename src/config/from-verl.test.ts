import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { fromVerl } from './from-verl.ts';
import { applyOverrides } from './overrides.ts';
import { rlRecipe, sftRecipe } from './recipe.ts';
import type { Tree } from './interpolate.ts';

const grpo = `
hydra: { searchpath: ['file://verl/trainer/config'] }
defaults: [ppo_trainer, _self_]
data:
  train_files: /data/textcraft/train.parquet
  val_files: /data/textcraft/test.parquet
  train_batch_size: 64
  max_prompt_length: 2048
  max_response_length: 4096
  return_raw_chat: true
actor_rollout_ref:
  model: { path: Qwen/Qwen3-1.7B, use_remove_padding: true }
  actor:
    optim: { lr: 5e-7 }
    ppo_mini_batch_size: 16
    ppo_micro_batch_size_per_gpu: 2
    use_kl_loss: true
    kl_loss_coef: 0.001
    kl_loss_type: low_var_kl
    clip_ratio: 0.1
    fsdp_config: { param_offload: false }
  rollout:
    name: vllm
    n: 4
    temperature: 0.7
    top_p: 0.9
    prompt_length: \${data.max_prompt_length}
    multi_turn: { enable: true, max_user_turns: 25, max_assistant_turns: 25 }
    val_kwargs: { temperature: 0.3, n: 1, top_p: 0.95 }
algorithm: { adv_estimator: grpo, use_kl_in_reward: false, frobnicate: 3 }
trainer:
  experiment_name: textcraft_grpo
  default_local_dir: outputs/\${trainer.experiment_name}
  total_epochs: 10
  save_freq: 10
  test_freq: 5
  logger: [console, wandb]
  n_gpus_per_node: 4
`;

describe('from verl', () => {
  it('carries a GRPO configuration over and names the rest', () => {
    const converted = fromVerl(parse(grpo) as Tree, { tasks: () => 444 });
    const recipe = rlRecipe(converted.recipe);
    expect(recipe).toMatchObject({
      run: 'textcraft_grpo',
      output: 'outputs/textcraft_grpo',
      policy: 'hf:Qwen/Qwen3-1.7B',
      steps: 60,
      tasks: [{ env: 'textcraft', split: 'train' }],
      rollout: { groups: 64, samples: 4, temperature: 0.7, top_p: 0.9 },
      agent: { max_turns: 25, tokens: 4096 },
      update: { minibatches: 4 },
      optimizer: { lr: 5e-7 },
      algorithm: { name: 'grpo', clip: [0.1, 0.1], kl: { in: 'loss', estimator: 'k3', coefficient: 0.001 } },
      evaluate: { every: 5, temperature: 0.3 },
      checkpoint: { every: 10 },
    });
    expect(converted.notes.join('\n')).toMatch(/clip_ratio=0.1 alone has no effect/);
    expect(converted.lost).toEqual(expect.arrayContaining([expect.stringContaining('algorithm.frobnicate')]));
    expect(converted.unneeded).toEqual(expect.arrayContaining(['trainer.n_gpus_per_node', 'actor_rollout_ref.rollout.name']));
  });

  it("carries AgentGym-RL's overrides, ScalingInter included", () => {
    const config = applyOverrides({}, [
      'algorithm.adv_estimator=grpo',
      'algorithm.rounds_ctrl.type=scaling_inter_stepwise',
      'algorithm.rounds_ctrl.rounds=[10,20,30]',
      'algorithm.rounds_ctrl.steps_scaling_inter=100',
      'actor_rollout_ref.agentgym.task_name=babyai',
      'actor_rollout_ref.agentgym.env_addr=http://127.0.0.1:36005',
      'actor_rollout_ref.rollout.max_tokens=200',
      'trainer.total_training_steps=300',
    ]);
    const recipe = rlRecipe(fromVerl(config as Tree).recipe);
    expect(recipe).toMatchObject({
      tasks: [{ env: 'babyai', url: 'http://127.0.0.1:36005' }],
      agent: { max_turns: [10, 20, 30], every: 100, tokens_per_turn: 200 },
      steps: 300,
    });
  });

  it('carries an SFT configuration', () => {
    const config = applyOverrides({}, [
      'data.train_files=train.parquet',
      'data.val_files=train.parquet',
      'data.train_batch_size=32',
      'data.max_length=8192',
      'model.partial_pretrain=Qwen/Qwen3-1.7B',
      'optim.lr=1e-5',
      'optim.lr_warmup_steps_ratio=0.1',
      'optim.lr_scheduler=cosine',
      'trainer.total_epochs=20',
      'trainer.experiment_name=sft',
    ]);
    const converted = fromVerl(config as Tree);
    expect(sftRecipe(converted.recipe)).toMatchObject({
      run: 'sft',
      data: { train: 'train.parquet', epochs: 20 },
      optimizer: { lr: 1e-5, warmup: 0.1 },
    });
    expect(converted.notes.join()).toMatch(/say nothing/);
  });
});
