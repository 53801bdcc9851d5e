/** Metrics of time, tokens and memory. */
import { metric, type Metric } from './metric.ts';

export const speedMetrics: readonly Metric[] = [
  metric(
    'perf/throughput',
    'tokens/s',
    [
      'Tokens per second over the whole step: prompts and replies.',
      'Steady.',
      'Falls: episodes grow longer, or the machine is shared.',
    ],
    ['整步的每秒词元数，含提示与回复。', '平稳。', '下降：轨迹变长，或机器被别人占用。'],
  ),
  metric('perf/episodes_per_second', 'episodes/s', ['Episodes per second over the whole step.'], ['整步的每秒轨迹数。']),
  metric(
    'perf/total_num_tokens',
    'tokens',
    ['Tokens of the rows that the step learned from, prompts included.'],
    ['本步学习所用各行的词元数，含提示。'],
  ),
  metric('perf/time_per_step', 'seconds', ['Time of the step (verl’s name).'], ['一步的用时（沿用 verl 的名字）。']),
  metric(
    'perf/elapsed',
    'seconds',
    ['Time of training since the start, without evaluations and pauses.'],
    ['从开始到现在的训练用时，不含评估和停顿。'],
  ),
  metric(
    'perf/processor_minutes',
    'minutes',
    [
      'Processor time of training since the start: all threads of the process together, without evaluations and pauses, and without what processes of their own (servers of environments) take.',
      'Up to the threads times the minutes of perf/elapsed.',
      'Far below: the run waits, for other work on the machine, a server or the card.',
    ],
    [
      '从开始到现在训练所用的处理器时间：进程的所有线程合计，不含评估和停顿，也不含独立进程（环境的服务器）的用时。',
      '至多为线程数乘以 perf/elapsed 的分钟数。',
      '远低于此：运行在等待，等机器上的其他工作、服务器或显卡。',
    ],
  ),
  metric(
    'perf/data_wait_share',
    'share',
    [
      'Imitation: share of the time that waits for the next batch after learning.',
      'Near 0.',
      'High: data.threads plays experts beside it.',
    ],
    ['模仿：学完之后等待下一批数据的时间比例。', '接近 0。', '偏高：data.threads 让专家在别的线程上示范。'],
  ),
  metric(
    'perf/trainer_share',
    'share',
    ['Share of the step that was neither sampling nor an engine’s work.', 'Below 0.1.'],
    ['既不在采样也不在引擎上的时间比例。', '低于 0.1。'],
  ),
  metric(
    'perf/cpu_memory_used_gb',
    'GiB',
    ['Memory of the process.', 'Flat after the first steps.', 'Grows without end: report it.'],
    ['进程占用的内存。', '最初几步之后平稳。', '一直增长：请报告。'],
  ),
  metric(
    'perf/max_memory_allocated_gb',
    'GiB',
    [
      'The most that the run has held of a card (verl’s name), without CUDA’s own context.',
      'Flat after the first steps and the first evaluation.',
      'Grows without end: report it. Too much beside other runs: set engine.card_memory.',
    ],
    [
      '运行占用显存的最大值（沿用 verl 的名字），不含 CUDA 自身的上下文。',
      '最初几步和第一次评估之后平稳。',
      '一直增长：请报告。与其他运行同用一块卡时过多：请设置 engine.card_memory。',
    ],
  ),
  metric(
    'perf/card_memory_gb/<what>',
    'GiB',
    [
      'What the run holds of a card now: weights, training (gradients and moments), activations, cache (keys and values), runtime (what graphs make on their way), other.',
    ],
    [
      '运行当前占用的显存：weights 权重、training 梯度与动量、activations 激活、cache 键值、runtime 计算图的临时内存、other 其他。',
    ],
  ),
  metric('timing_s/step', 'seconds', ['Time of the step.'], ['一步的用时。']),
  metric('timing_s/gen', 'seconds', ['Playing the episodes: sampling and environments.'], ['玩轨迹的时间：采样和环境。']),
  metric(
    'timing_s/old_log_prob',
    'seconds',
    ['Scoring the samples with the policy before the update.'],
    ['用更新前的策略给样本打分的时间。'],
  ),
  metric('timing_s/ref', 'seconds', ['Scoring the samples with the reference.'], ['用参考策略给样本打分的时间。']),
  metric('timing_s/values', 'seconds', ['Asking the critic.'], ['价值网络估值的时间。']),
  metric(
    'timing_s/drift',
    'seconds',
    ['Measuring entropy and KL where nothing learns from them.'],
    ['仅为监测而计算熵和 KL 的时间。'],
  ),
  metric('timing_s/adv', 'seconds', ['Advantages.'], ['计算优势的时间。']),
  metric('timing_s/update_critic', 'seconds', ['Update of the critic.'], ['更新价值网络的时间。']),
  metric('timing_s/update_actor', 'seconds', ['Update of the policy.'], ['更新策略的时间。']),
  metric('timing_s/testing', 'seconds', ['Evaluation after the step.'], ['本步之后评估的时间。']),
  metric(
    'timing_s/agent_loop/generate_sequences/<of>',
    'seconds',
    ['Time per episode that the policy took.'],
    ['每条轨迹中策略所用的时间。'],
  ),
  metric(
    'timing_s/agent_loop/environment/<of>',
    'seconds',
    [
      'Time per episode that the environment took.',
      'Small against the policy’s.',
      'Large: several servers, or a faster environment.',
    ],
    ['每条轨迹中环境所用的时间。', '远小于策略的时间。', '很大：用多台服务器，或更快的环境。'],
  ),
  metric(
    'timing_per_token_ms/gen',
    'milliseconds',
    ['Playing, per sampled token; those of groups that are left out count too.'],
    ['每个采样词元的生成用时；被略去的组的词元也算。'],
  ),
  metric('timing_per_token_ms/update_actor', 'milliseconds', ['Update of the policy, per token.'], ['每个词元的策略更新用时。']),
  metric('prompt_length/<of>', 'tokens', ['Tokens before the first reply.'], ['第一个回复之前的词元数。']),
  metric(
    'response_length/<of>',
    'tokens',
    ['Tokens from the first reply on, observations included (as verl counts).', 'Below the context.'],
    ['从第一个回复起的词元数，含观察（与 verl 的算法相同）。', '低于上下文长度。'],
  ),
  metric('response_tokens/<of>', 'tokens', ['Tokens that the policy sampled in an episode.'], ['一条轨迹中策略采样的词元数。']),
];
