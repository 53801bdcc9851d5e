/** Metrics of what came out: success, reward, episodes and what went wrong in them. */
import { metric, type Metric } from './metric.ts';

export const outcomeMetrics: readonly Metric[] = [
  metric(
    'train/success',
    'share',
    [
      'Share of the step’s training episodes that solved their task.',
      'Rises over tens of steps; single steps jump.',
      'Flat for 60 steps: see whether groups have signal, then more episodes a step.',
    ],
    [
      '本步训练轨迹中解决任务的比例。',
      '在几十步的尺度上上升；单步会跳动。',
      '60 步不动：先看各组有没有信号，再增加每步的轨迹数。',
    ],
  ),
  metric(
    'train/success/<environment>',
    'share',
    ['The same for one environment, where several are trained at once.'],
    ['同时训练多个环境时，其中一个环境的成功率。'],
  ),
  metric(
    'val-core/<panel>/success/mean@<samples>',
    'share',
    [
      'Success on the evaluation’s fixed tasks, with its interval as a band. This is the number to report.',
      'Above the value at step 0 by more than the band.',
      'Rises in training only: the tasks are memorised, or the evaluation has other limits.',
    ],
    [
      '固定评估任务上的成功率，色带是置信区间。报告结果时用这个数。',
      '高于第 0 步，且差距大于色带。',
      '只有训练成功率上升：任务被背下来了，或者评估的限制不同。',
    ],
  ),
  metric(
    'val-core/<panel>/reward/mean@<samples>',
    'reward',
    [
      'Mean reward on the evaluation’s fixed tasks.',
      'Moves with success.',
      'Rises while success does not: the reward pays for something else.',
    ],
    ['固定评估任务上的平均奖励。', '与成功率同向变化。', '奖励升而成功率不升：奖励付给了别的东西。'],
  ),
  metric('val-aux/<panel>/num_turns/mean', 'turns', ['Turns per episode of the evaluation.'], ['评估中每条轨迹的轮数。']),
  metric(
    'val-aux/<panel>/<category>/success',
    'share',
    [
      'Success of the evaluation on one category of tasks.',
      undefined,
      'One category at zero: train on more of it, or on easier ones of its kind.',
    ],
    ['评估中某一类任务的成功率。', undefined, '某一类始终为零：多训练这一类，或先训练同类中更容易的任务。'],
  ),
  metric(
    'critic/score/<of>',
    'reward',
    [
      'What episodes earned, before any KL penalty (verl’s name; there need not be a critic).',
      'The mean rises together with success.',
      'Rises while success falls: pay for success alone (reward: env).',
    ],
    [
      '轨迹得到的奖励，尚未扣除 KL 惩罚（沿用 verl 的名字，不一定有价值网络）。',
      '均值与成功率一起上升。',
      '奖励升而成功率降：只为成功付奖励（reward: env）。',
    ],
  ),
  metric(
    'train/score/<environment>',
    'reward',
    ['Mean reward in one environment, where several are trained at once.'],
    ['同时训练多个环境时，其中一个环境的平均奖励。'],
  ),
  metric(
    'reward/<part>/<of>',
    'reward',
    [
      'One part of a composed reward, on the last turn.',
      'No part other than success grows without it.',
      'A part that grows alone is being gamed: make it smaller.',
    ],
    ['组合奖励中的一项，取最后一轮。', '除成功外，没有哪一项单独增长。', '单独增长的一项正在被钻空子：把它调小。'],
  ),
  metric(
    'critic/rewards/<of>',
    'reward',
    ['What the step learns from: the score after the KL penalty where one is in the reward.'],
    ['本步用来学习的奖励：得分减去奖励中的 KL 惩罚（如果有）。'],
  ),
  metric(
    'train/groups_with_signal',
    'share',
    [
      'Share of groups whose samples got different rewards. Only these teach a group-based estimator anything.',
      'Between 0.2 and 0.9.',
      'Near 0: easier tasks or more imitation where none is solved, harder ones where all are; or more rollout.samples.',
    ],
    [
      '组内样本奖励不同的组所占比例。基于分组的估计只能从这些组学到东西。',
      '0.2 到 0.9 之间。',
      '接近 0：全败则换更容易的任务或多做模仿，全胜则换更难的；或调高 rollout.samples。',
    ],
  ),
  metric(
    'train/groups_with_signal/<environment>',
    'share',
    ['Groups with signal in one environment, where several are trained at once.'],
    ['同时训练多个环境时，其中一个环境的有信号组比例。'],
  ),
  metric(
    'train/filtered_groups',
    'count',
    [
      'Groups that were played and left out because they had no signal.',
      'Few against those that are kept.',
      'Many: choose tasks that are solved sometimes (rollout.prefer={}).',
    ],
    ['因没有信号而被丢弃的组数。', '远少于保留的组。', '太多：选有时能解决的任务（rollout.prefer={}）。'],
  ),
  metric(
    'train/num_gen_batches',
    'number',
    ['Groups played for the step, as a multiple of rollout.groups.', '1, or little more where groups are filtered.'],
    ['本步实际采样的组数与 rollout.groups 之比。', '为 1；过滤分组时略大。'],
  ),
  metric(
    'train/lost_groups',
    'count',
    [
      'Groups that could not be completed because their episodes failed, and were replaced.',
      '0',
      'Read the log: an environment or a server fails.',
    ],
    ['因轨迹失败而无法凑齐、被替换的组数。', '0', '看日志：环境或服务器在出错。'],
  ),
  metric(
    'train/failures/<what>',
    'count',
    [
      'Episodes that failed in the harness, by what failed. They have no reward and are never counted as zeros.',
      '0',
      'Read the log and the episodes with the outcome "failed".',
    ],
    ['因系统出错而失败的轨迹数，按原因分。它们没有奖励，也绝不按零分计。', '0', '看日志和结果为“失败”的轨迹。'],
  ),
  metric(
    'train/truncated',
    'share',
    [
      'Share of episodes that ended at a limit (turns, tokens, context, loops) and not by themselves.',
      'Falls as the policy learns to finish.',
      'Stays high: raise agent.max_turns, or see in the episodes what they do in circles.',
    ],
    [
      '因达到上限（轮数、词元、上下文、循环）而结束的轨迹比例。',
      '随着策略学会收尾而下降。',
      '一直很高：调高 agent.max_turns，或看看轨迹在原地打转做什么。',
    ],
  ),
  metric(
    'train/truncated/<environment>',
    'share',
    ['The same in one environment, where several are trained at once.'],
    ['同时训练多个环境时，其中一个环境的截断比例。'],
  ),
  metric(
    'train/context_limit',
    'share',
    [
      'Share of episodes that filled the context.',
      'Below 0.05.',
      'Lower agent.max_turns, shorten what the environment says, or take a longer context.',
    ],
    ['把上下文填满的轨迹比例。', '低于 0.05。', '调低 agent.max_turns，缩短环境的文本，或换更长的上下文。'],
  ),
  metric(
    'train/unreadable_replies',
    'share',
    [
      'Share of an episode’s replies that no action could be read from.',
      'Below 0.05 after the first steps.',
      'Teach the format first (agoge sft), or choose the one it was taught (agent.format).',
    ],
    [
      '一条轨迹中无法解析出动作的回复比例。',
      '最初几步之后低于 0.05。',
      '先让策略学会格式（agoge sft），或选它学过的格式（agent.format）。',
    ],
  ),
  metric(
    'train/cut_replies',
    'share',
    ['Share of replies that were cut off at agent.tokens_per_turn.', 'Below 0.1.', 'Raise agent.tokens_per_turn.'],
    ['在 agent.tokens_per_turn 处被截断的回复比例。', '低于 0.1。', '调高 agent.tokens_per_turn。'],
  ),
  metric('train/episodes', 'episodes', ['Episodes played for the step.'], ['本步采样的轨迹数。']),
  metric('train/episodes_so_far', 'episodes', ['Episodes played for training since the start.'], ['从开始到现在的训练轨迹数。']),
  metric(
    'num_turns/<of>',
    'turns',
    [
      'Turns per episode.',
      'Falls where the policy learns the shorter way.',
      'Falls to one while success goes to zero: the reward pays for giving up.',
    ],
    ['每条轨迹的轮数。', '策略学会更短的路时下降。', '降到一轮而成功率归零：奖励在鼓励放弃。'],
  ),
  metric('max_rounds', 'turns', ['The limit of turns in this step; a schedule changes it.'], ['本步的轮数上限；按计划会变化。']),
  metric(
    'train/level',
    'number',
    ['The level of the curriculum that tasks come from.', 'Climbs; success falls at each climb and recovers.'],
    ['课程当前的难度等级。', '逐级上升；每升一级成功率先降后升。'],
  ),
  metric(
    'train/level_success',
    'share',
    ['Success on the tasks of the present level; it decides the climb.'],
    ['当前等级任务上的成功率，决定是否升级。'],
  ),
  metric(
    'train/tasks_known',
    'count',
    ['Tasks whose success is known well enough to choose by (rollout.prefer).'],
    ['成功率已有估计、可据以选择的任务数（rollout.prefer）。'],
  ),
  metric(
    'train/tasks_mastered',
    'share',
    ['Share of known tasks that are solved nearly always.', undefined, 'Near 1: harder tasks.'],
    ['已知任务中几乎总能解决的比例。', undefined, '接近 1：换更难的任务。'],
  ),
  metric(
    'train/tasks_out_of_reach',
    'share',
    ['Share of known tasks that are solved hardly ever.', undefined, 'Near 1: easier tasks, or more imitation first.'],
    ['已知任务中几乎从不解决的比例。', undefined, '接近 1：换更容易的任务，或先多做模仿。'],
  ),
  metric(
    'train/tasks_passed_over',
    'count',
    ['Tasks that were passed over in this step because they would teach little.'],
    ['本步因学不到什么而跳过的任务数。'],
  ),
];
