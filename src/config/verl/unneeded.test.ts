import { describe, expect, it } from 'vitest';
import { whyUnneeded } from './unneeded.ts';

describe('keys of verl that need nothing', () => {
  it.each<[string, unknown, RegExp]>([
    ['trainer.n_gpus_per_node', 8, /GPUs/],
    ['actor_rollout_ref.actor.fsdp_config.param_offload', true, /GPUs/],
    ['actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu', 4, /GPUs/],
    ['actor_rollout_ref.nccl_timeout', 600, /GPUs/],
    ['actor_rollout_ref.rollout.name', 'vllm', /engine/],
    ['data.return_raw_chat', true, /rows/],
    ['trainer.project_name', 'x', /run directory/],
    ['trainer.val_only', false, /switched off/],
    ['actor_rollout_ref.rollout.over_sample_rate', 0, /switched off/],
    ['custom_reward_function.path', null, /not set/],
    ['reward_model.launch_reward_fn_async', true, /reward/],
  ])('%s=%j', (key, value, why) => expect(whyUnneeded(key, value)).toMatch(why));
  it.each<[string, unknown]>([
    ['trainer.val_only', true],
    ['data.shuffle', false],
    ['reward_model.enable', true],
    ['algorithm.use_pf_ppo', true],
    ['actor_rollout_ref.rollout.over_sample_rate', 0.1],
    ['custom_reward_function.path', 'x.py'],
    ['algorithm.gamma_typo', 1],
  ])('%s=%j is not waved through', (key, value) => expect(whyUnneeded(key, value)).toBeUndefined());
});
