/** Metrics of imitation (agoge sft, distillation) and of reward models. */
import { metric, type Metric } from './metric.ts';

export const imitationMetrics: readonly Metric[] = [
  metric(
    'train/loss',
    'nats',
    [
      'Mean loss per token that is learned.',
      'Falls, quickly at first.',
      'Does not fall: check what is learned in the token view, and optimizer.lr.',
    ],
    ['每个被学习的词元的平均损失。', '下降，开头较快。', '不下降：在词元视图里看学的是什么，并检查 optimizer.lr。'],
  ),
  metric(
    'val/loss',
    'nats',
    [
      'The same on conversations that are held out.',
      'Falls with the training loss.',
      'Rises while that falls: it learns by heart; stop earlier, or more data.',
    ],
    ['留出对话上的损失。', '与训练损失一起下降。', '训练损失降而它升：在死记；提前停止或增加数据。'],
  ),
  metric(
    'train/token_accuracy',
    'share',
    ['Share of learned tokens that the policy gave more than half of its probability.', 'Rises.'],
    ['策略给出一半以上概率的被学词元比例。', '上升。'],
  ),
  metric(
    'train/reply_accuracy',
    'share',
    [
      'Share of replies that are right in every token.',
      'Rises; this is what success needs.',
      'Flat for 160 steps: agoge doctor says which kind of turn is the wall.',
    ],
    ['每个词元都对的回复比例。', '上升；成功率取决于它。', '160 步不动：agoge doctor 会指出卡在哪一类轮次。'],
  ),
  metric(
    'train/grad_norm',
    'number',
    ['Norm of the gradient before it is clipped.', 'The same size over the run.', 'Grows tenfold: lower optimizer.lr.'],
    ['裁剪之前的梯度范数。', '整个运行中量级不变。', '增大十倍：调低 optimizer.lr。'],
  ),
  metric('train/lr', 'number', ['Learning rate.'], ['学习率。']),
  metric('train/epoch', 'number', ['Passes over the data.'], ['已遍历数据的遍数。']),
  metric('train/sequences', 'count', ['Conversations learned from since the start.'], ['从开始到现在学过的对话数。']),
  metric('train/total_tokens', 'tokens', ['Tokens read since the start.'], ['从开始到现在读过的词元数。']),
  metric(
    'train/difficulty',
    'number',
    ['Where the curriculum of demonstrations stands, from 0 to 1.', 'Climbs to 1.'],
    ['示范课程的进度，0 到 1。', '升到 1。'],
  ),
  metric(
    'train/difficulty/<line>',
    'number',
    [
      'The same for one line of data.experts, with data.curriculum.each=source.',
      'Climbs; one that stays is too hard for the model.',
    ],
    ['data.experts 中某一行的进度（data.curriculum.each=source）。', '上升；停住的那一行对模型太难。'],
  ),
  metric(
    'train/accuracy',
    'share',
    ['Reward model: pairs that are ranked as they should be; a tie is half right.', 'Rises above 0.5.'],
    ['奖励模型：排序正确的偏好对比例，平局算一半。', '升到 0.5 以上。'],
  ),
  metric(
    'val/accuracy',
    'share',
    ['The same on pairs that are held out.', 'Stays near that of training.', 'Falls behind: more pairs, fewer epochs.'],
    ['留出偏好对上的准确率。', '接近训练准确率。', '落后：增加偏好对，减少轮数。'],
  ),
  metric('val/accuracy/<category>', 'share', ['The same for one category of pairs.'], ['某一类偏好对上的准确率。']),
  metric('rewards/chosen', 'reward', ['Mean score of the better answers.'], ['较优回答的平均得分。']),
  metric('rewards/rejected', 'reward', ['Mean score of the worse answers.'], ['较差回答的平均得分。']),
  metric('rewards/margins', 'reward', ['Mean distance between the two.', 'Grows slowly.'], ['两者的平均差距。', '缓慢增长。']),
  metric(
    'rewards/accuracies',
    'share',
    ['Share of pairs that are ranked right.', 'Rises above 0.5.'],
    ['排序正确的偏好对比例。', '升到 0.5 以上。'],
  ),
];
