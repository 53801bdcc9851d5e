/** Metrics of the update: loss, gradients, KL divergences, entropy, the critic. */
import { metric, type Metric } from './metric.ts';

export const learningMetrics: readonly Metric[] = [
  metric(
    'actor/kl_to_start',
    'nats',
    [
      'KL divergence per token from the policy that the run began with (k3).',
      'Grows slowly: hundredths to tenths.',
      'Runs away while success stands: lower optimizer.lr, or add algorithm.kl={}.',
    ],
    [
      '每个词元相对初始策略的 KL 散度（k3）。',
      '缓慢增长：百分之几到十分之几。',
      '猛增而成功率不动：调低 optimizer.lr，或加 algorithm.kl={}。',
    ],
  ),
  metric(
    'actor/kl_to_reference',
    'nats',
    ['The same from the reference that is renewed (algorithm.renew).'],
    ['相对于定期更新的参考策略（algorithm.renew）的 KL 散度。'],
  ),
  metric(
    'actor/kl_of_update',
    'nats',
    [
      'How far one update moves the policy, per token.',
      'Below 0.05; the first steps have up to 0.16.',
      'Above 0.15 for several steps: divide optimizer.lr by three, or set algorithm.target_kl.',
    ],
    [
      '一次更新使策略移动的距离（每词元）。',
      '低于 0.05；最初几步可到 0.16。',
      '连续几步高于 0.15：把 optimizer.lr 除以三，或设置 algorithm.target_kl。',
    ],
  ),
  metric(
    'actor/ppo_kl',
    'nats',
    [
      'Mean of log π_old − log π_new over the tokens that the update scored (verl’s estimate; it can be negative). Replies without advantage are not scored, unless the loss has entropy or KL: verl’s mean has them too.',
      'Around 0, below 0.01.',
      'Far from 0: fewer update.epochs, or a lower optimizer.lr.',
    ],
    [
      '更新中计算过的各词元的 log π_旧 − log π_新 的均值（verl 的估计，可为负）。没有优势的回复不计算，除非损失里有熵或 KL；verl 的均值包括它们。',
      '在 0 附近，小于 0.01。',
      '远离 0：减少 update.epochs，或调低 optimizer.lr。',
    ],
  ),
  metric(
    'actor/kl_loss',
    'nats',
    ['The KL term of the loss, before its coefficient.', 'Like KL to the start.'],
    ['损失中的 KL 项，未乘系数。', '与“与初始策略的 KL”相近。'],
  ),
  metric('actor/kl_coef', 'number', ['The coefficient of the KL in the loss.'], ['损失中 KL 的系数。']),
  metric('actor/reward_kl_penalty', 'nats', ['The mean KL that was taken from the reward.'], ['从奖励中扣除的平均 KL。']),
  metric(
    'actor/reward_kl_penalty_coeff',
    'number',
    ['The coefficient of the KL in the reward; an adaptive one moves.'],
    ['奖励中 KL 的系数；自适应时会变化。'],
  ),
  metric('actor/reference_step', 'steps', ['The step whose policy the reference last followed.'], ['参考策略上一次跟上的步。']),
  metric(
    'actor/entropy',
    'nats',
    [
      'How undecided the policy is: mean entropy of its choice of token.',
      'Falls slowly and stays above 0.05 while tasks are still failed.',
      'Near 0 early: lower optimizer.lr, algorithm.entropy=0.01, or a higher rollout.temperature.',
    ],
    [
      '策略的犹豫程度：选择词元的平均熵。',
      '缓慢下降；任务还没学会时保持在 0.05 以上。',
      '过早接近 0：调低 optimizer.lr，设 algorithm.entropy=0.01，或调高 rollout.temperature。',
    ],
  ),
  metric(
    'actor/pg_loss',
    'number',
    [
      'The policy-gradient loss. Its value says little: advantages have a mean near 0.',
      'Near 0, without leaps.',
      'Leaps: see gradient norm and KL of one update.',
    ],
    ['策略梯度损失。数值本身意义不大：优势的均值接近 0。', '接近 0，没有跳变。', '有跳变：看梯度范数和单次更新的 KL。'],
  ),
  metric(
    'actor/pg_clipfrac',
    'share',
    [
      'Share of all tokens of the batch whose ratio was clipped; replies without advantage count as not clipped.',
      'Below 0.2; 0 where each batch is used once.',
      'Higher: fewer update.epochs or minibatches, or a lower optimizer.lr.',
    ],
    [
      '整批词元中概率比被裁剪的比例；没有优势的回复算作未裁剪。',
      '低于 0.2；每批只用一次时为 0。',
      '更高：减少 update.epochs 或小批次数，或调低 optimizer.lr。',
    ],
  ),
  metric(
    'actor/pg_clipfrac_lower',
    'share',
    ['Share of tokens clipped by dual-clip PPO’s lower bound.', 'Near 0.'],
    ['被 dual-clip PPO 下界裁剪的词元比例。', '接近 0。'],
  ),
  metric(
    'actor/grad_norm',
    'number',
    [
      'Norm of the gradient before it is clipped.',
      'The same size over the run.',
      'Grows tenfold: lower optimizer.lr; optimizer.clip_norm holds single leaps.',
    ],
    ['裁剪之前的梯度范数。', '整个运行中量级不变。', '增大十倍：调低 optimizer.lr；optimizer.clip_norm 可挡住个别跳变。'],
  ),
  metric('actor/lr', 'number', ['Learning rate.'], ['学习率。']),
  metric('actor/optimizer_steps', 'count', ['Optimizer steps made for this step.'], ['本步的优化器更新次数。']),
  metric(
    'actor/advice_loss',
    'number',
    ['Loss of what an expert would have done (algorithm.advice).', 'Falls.'],
    ['专家建议的损失（algorithm.advice）。', '下降。'],
  ),
  metric(
    'train/advice_agreement',
    'share',
    ['How often the policy did what the expert advised, in groups that are left out too.', 'Rises.'],
    ['策略与专家建议一致的比例，被略去的组也算在内。', '上升。'],
  ),
  metric(
    'actor/anchor_loss',
    'number',
    [
      'Loss of the demonstrations that hold the policy (anchor).',
      'Stays flat; a rise means it forgets them.',
      'Rises: more weight for the anchor.',
    ],
    ['用来锚定策略的示范的损失（anchor）。', '保持平稳；上升说明在遗忘。', '上升：加大锚定的权重。'],
  ),
  metric(
    'actor/dpo_pairs',
    'count',
    ['Pairs that the step learned from.', 'Not 0.', '0: all samples of a group had the same reward.'],
    ['本步用来学习的偏好对数。', '不为 0。', '为 0：组内样本奖励全都相同。'],
  ),
  metric(
    'actor/dpo_accuracy',
    'share',
    ['Share of pairs whose better answer the policy prefers by more than the reference does.', 'Rises above 0.5.'],
    ['策略比参考更偏好较优回答的偏好对比例。', '升到 0.5 以上。'],
  ),
  metric(
    'actor/dpo_margin',
    'nats',
    ['Mean margin of those preferences.', 'Grows slowly.'],
    ['上述偏好的平均间隔。', '缓慢增长。'],
  ),
  metric(
    'train/gradient_agreement',
    'number',
    [
      'Cosine between the gradients of the two halves of the batch. Only noise gives 0.',
      'Above 0.02 on the average.',
      'At 0 for long: more episodes a step (rollout.groups), or an easier task.',
    ],
    [
      '批次两半的梯度之间的余弦。只有噪声时为 0。',
      '平均高于 0.02。',
      '长期为 0：增加每步轨迹数（rollout.groups），或换更容易的任务。',
    ],
  ),
  metric(
    'train/gradient_agreement_mean',
    'number',
    ['Its mean over the last twenty steps.', 'Above 0.02.'],
    ['最近二十步的均值。', '高于 0.02。'],
  ),
  metric(
    'train/noise_scale',
    'episodes',
    [
      'Episodes that it takes to see the gradient’s direction through its noise.',
      'Less than the episodes of the whole run.',
      'More: more episodes a step, or credit for single turns (rollout.branch).',
    ],
    ['要在噪声中看清梯度方向所需的轨迹数。', '少于整个运行的轨迹数。', '更多：增加每步轨迹数，或对单轮归因（rollout.branch）。'],
  ),
  metric('train/noise_scale_low', 'episodes', ['The lower bound of the noise scale (95 %).'], ['噪声尺度的下界（95 %）。']),
  metric('train/noise_scale_high', 'episodes', ['The upper bound of the noise scale (95 %).'], ['噪声尺度的上界（95 %）。']),
  metric(
    'train/branched_groups',
    'count',
    ['Groups that were branched at a turn (rollout.branch).'],
    ['在某一轮分支的组数（rollout.branch）。'],
  ),
  metric(
    'train/branches_with_signal',
    'share',
    ['How often a branched turn had actions with different rewards.', 'Above 0.2.'],
    ['分支轮次中动作奖励不同的比例。', '高于 0.2。'],
  ),
  metric(
    'critic/advantages/<of>',
    'number',
    ['Advantages that tokens were learned with.', 'Mean near 0, both signs.', 'All 0: there is no signal.'],
    ['学习词元时用的优势值。', '均值接近 0，有正有负。', '全为 0：没有信号。'],
  ),
  metric('critic/returns/<of>', 'reward', ['Returns that values are compared with.'], ['与价值作比较的回报。']),
  metric(
    'critic/values/<of>',
    'reward',
    ['What the critic expects of the tokens.', 'Follows the returns.'],
    ['价值网络对各词元的预期。', '跟随回报。'],
  ),
  metric(
    'critic/vf_explained_var',
    'number',
    [
      'How much of the returns’ variance the critic explains.',
      'Rises towards 1.',
      'Below 0: warm the critic up, or raise its learning rate.',
    ],
    ['价值网络解释了多少回报的方差。', '向 1 上升。', '低于 0：先预热价值网络，或调高它的学习率。'],
  ),
  metric('critic/vf_loss', 'number', ['Loss of the critic.', 'Falls.'], ['价值网络的损失。', '下降。']),
  metric(
    'critic/vf_clipfrac',
    'share',
    ['Share of values that were clipped.', 'Below 0.2.'],
    ['被裁剪的价值比例。', '低于 0.2。'],
  ),
  metric('critic/vpred_mean', 'reward', ['Mean value during the update.'], ['更新时的平均价值。']),
  metric('critic/grad_norm', 'number', ['Norm of the critic’s gradient before it is clipped.'], ['价值网络裁剪前的梯度范数。']),
  metric('critic/lr', 'number', ['Learning rate of the critic.'], ['价值网络的学习率。']),
  metric('training/global_step', 'steps', ['The step, as verl logs it.'], ['步数（沿用 verl 的名字）。']),
];
