/** Keys of verl that need nothing here, by reason: one machine without a GPU cluster, or something that is always done. */

interface Reason {
  readonly why: string;
  readonly keys: readonly RegExp[];
}

const reasons: readonly Reason[] = [
  {
    why: 'about GPUs, memory and parallelism',
    keys: [
      /(^|\.)(nnodes|n_gpus_per_node|device|strategy|dtype|model_dtype|torch_dtype|nccl_timeout|multi_stage_wake_up|override_optimizer_config|use_shm|load_format|ray_kwargs|global_pool)(\.|$)/,
      /gpu_memory|parallel_size|fsdp|offload|megatron|veomni|torchtitan|micro_batch|max_token_len|dynamic_bsz|hybrid_engine/,
      /max_num_(batched_tokens|seqs)|enforce_eager|free_cache|chunked_prefill|prefix_caching|max_model_len|cudagraph/,
      /remove_padding|gradient_checkpointing|torch_compile|fused_kernel|use_liger|tiled_mlp|chunking|entropy_checkpointing/,
      /balance_batch|balance_dp_token|num_workers|pad_mode|resource_pool|checkpoint_engine|^ray|^rollout\.|layered_summon/,
    ],
  },
  {
    why: 'the engine and its loop are our own',
    keys: [
      /rollout\.(name|mode|prompt_length|response_length|skip_tokenizer_init|do_sample|ignore_eos|send_interval|quantization)$/,
      /rollout\.(calculate_log_probs|engine_kwargs|val_kwargs\.do_sample)|use_inference_chat_template|tokenization_sanity|disable_log_stats/,
      /rollout\.agent\.(num_workers|agent_loop_config_path)|multi_turn\.format|trust_remote|external_lib|_target_$|use_legacy_worker/,
      /optimizer(_impl)?$|total_training_steps$|hf_config_path|tokenizer_path|data\.tokenizer$|profiler|nsight|mbridge/,
    ],
  },
  {
    why: 'rows are read by what they are',
    keys: [
      /_key$|return_raw|return_full_prompt|val_batch_size|messages_key|tools_key|multiturn\.enable$|filter_overlong_prompts_workers/,
    ],
  },
  {
    why: 'the run directory keeps logs, episodes and metrics',
    keys: [
      /project_name$|entity$|tensorboard_dir|rollout_log_dir|rollout_data_dir|validation_data_dir|log_val_generations|prometheus/,
      /resume_mode$|resume_from_path$|resume_path$|default_hdfs|del_local|storage_mode|esi_redundant|remove_previous_ckpt|checkpoint\.(save|load)_contents/,
      /val_generations_to_log|trace\.|profile_interval/,
    ],
  },
  {
    why: 'the environment gives the reward',
    keys: [/^reward_manager|reward_model\.(num_workers|launch|use_reward_loop)/],
  },
];

/** Off switches: a part that is not used needs nothing. */
const off = /(^|\.)(enable|enabled|val_only|use_pf_ppo|skip_rollout|use_prefix_grouper|shuffle)$/;

export function whyUnneeded(key: string, value: unknown): string | undefined {
  if (value === false && off.test(key) && key !== 'data.shuffle') return 'switched off';
  if (value === 0 && /(^|\.)over_sample_rate$/.test(key)) return 'switched off';
  if (/^(critic|reward_model|custom_reward_function|reward)\./.test(key) && value === null) return 'not set';
  return reasons.find(({ keys }) => keys.some((pattern) => pattern.test(key)))?.why;
}
