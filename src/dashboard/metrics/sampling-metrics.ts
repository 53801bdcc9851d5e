/** Metrics of the gap between who samples and who learns: staleness, probabilities that differ, importance weights. */
import { metric, type Metric } from './metric.ts';

const gap = [
  'The two agree.',
  'Far from it: sampler and trainer compute differently, or samples are stale; turn on algorithm.correction.',
] as const;
const close = ['两者一致。', '相差很大：采样与训练的计算不同，或样本陈旧；打开 algorithm.correction。'] as const;

export const samplingMetrics: readonly Metric[] = [
  metric(
    'train/staleness',
    'steps',
    ['Optimizer steps between sampling the oldest token and learning from it.', '0, or up to rollout.staleness.'],
    ['最旧的词元从采样到学习之间的优化器步数。', '0，最多为 rollout.staleness。'],
  ),
  metric(
    'training/rollout_probs_diff_mean',
    'number',
    ['Mean difference between the sampler’s and the trainer’s probability of a token.', 'Below 0.01.', gap[1]],
    ['采样器与训练器对同一词元概率之差的均值。', '低于 0.01。', close[1]],
  ),
  metric('training/rollout_probs_diff_max', 'number', ['The largest such difference.'], ['上述差值的最大值。']),
  metric(
    'rollout_corr/kl',
    'nats',
    ['KL divergence between sampler and trainer (k1).', 'Near 0.', gap[1]],
    ['采样器与训练器之间的 KL 散度（k1）。', '接近 0。', close[1]],
  ),
  metric(
    'rollout_corr/k3_kl',
    'nats',
    ['The same by the estimator k3, which is never negative.', 'Below 0.01.', gap[1]],
    ['同上，用 k3 估计，不会为负。', '低于 0.01。', close[1]],
  ),
  metric('rollout_corr/training_ppl', 'number', ['Perplexity of the samples for the trainer.'], ['训练器对样本的困惑度。']),
  metric('rollout_corr/training_log_ppl', 'nats', ['Its logarithm.'], ['上述困惑度的对数。']),
  metric('rollout_corr/rollout_ppl', 'number', ['Perplexity of the samples for the sampler.'], ['采样器对样本的困惑度。']),
  metric('rollout_corr/rollout_log_ppl', 'nats', ['Its logarithm.'], ['上述困惑度的对数。']),
  metric(
    'rollout_corr/log_ppl_diff',
    'nats',
    ['Mean difference of the two logarithms.', 'Near 0.'],
    ['两个对数之差的均值。', '接近 0。'],
  ),
  metric(
    'rollout_corr/log_ppl_abs_diff',
    'nats',
    ['Mean absolute difference of the two.', 'Near 0.'],
    ['两者绝对差的均值。', '接近 0。'],
  ),
  metric('rollout_corr/log_ppl_diff_max', 'nats', ['Largest difference of a sequence.'], ['单条序列的最大差值。']),
  metric('rollout_corr/log_ppl_diff_min', 'nats', ['Smallest difference of a sequence.'], ['单条序列的最小差值。']),
  metric(
    'rollout_corr/ppl_ratio',
    'number',
    ['Mean ratio of the two perplexities.', 'Near 1.'],
    ['两个困惑度之比的均值。', '接近 1。'],
  ),
  metric(
    'rollout_corr/chi2_token',
    'number',
    ['χ² divergence by token: variance of the importance weights.', 'Near 0.'],
    ['按词元的 χ² 散度：重要性权重的方差。', '接近 0。'],
  ),
  metric(
    'rollout_corr/chi2_seq',
    'number',
    ['The same by sequence.', 'Small; large values mean that few sequences carry the update.'],
    ['同上，按序列。', '较小；很大则说明更新只靠少数序列。'],
  ),
  metric(
    'rollout_corr/rollout_is_mean',
    'number',
    ['Mean importance weight before it is cut.', 'Near 1.'],
    ['截断前的平均重要性权重。', '接近 1。'],
  ),
  metric('rollout_corr/rollout_is_max', 'number', ['Largest importance weight.'], ['最大的重要性权重。']),
  metric('rollout_corr/rollout_is_min', 'number', ['Smallest importance weight.'], ['最小的重要性权重。']),
  metric(
    'rollout_corr/rollout_is_std',
    'number',
    ['Spread of the weights after they are cut.', 'Small.'],
    ['截断后权重的标准差。', '较小。'],
  ),
  metric(
    'rollout_corr/rollout_is_eff_sample_size',
    'share',
    ['Share of the batch that the weights leave in effect.', 'Above 0.5.', 'Low: fewer stale samples.'],
    ['权重作用下批次的有效比例。', '高于 0.5。', '偏低：减少陈旧样本。'],
  ),
  metric(
    'rollout_corr/rollout_is_ratio_fraction_high',
    'share',
    ['Share of weights above the threshold.', 'Below 0.05.'],
    ['高于阈值的权重比例。', '低于 0.05。'],
  ),
  metric(
    'rollout_corr/rollout_is_ratio_fraction_low',
    'share',
    ['Share of weights below its inverse.', 'Below 0.05.'],
    ['低于阈值倒数的权重比例。', '低于 0.05。'],
  ),
  metric(
    'rollout_corr/rollout_is_batch_norm_factor',
    'number',
    ['What the weights were divided by.', 'Near 1.'],
    ['权重归一化所除的数。', '接近 1。'],
  ),
  metric(
    'rollout_corr/rollout_rs_masked_fraction',
    'share',
    ['Share of tokens that rejection left out.', 'Below 0.05.'],
    ['被拒绝采样剔除的词元比例。', '低于 0.05。'],
  ),
  metric(
    'rollout_corr/rollout_rs_seq_masked_fraction',
    'share',
    ['Share of sequences that lost a token to it.'],
    ['因此失去词元的序列比例。'],
  ),
];
