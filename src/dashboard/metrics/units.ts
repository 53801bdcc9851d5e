/** Units of metrics, in Chinese; in English a unit is its own word. */
import type { Unit } from './metric.ts';

export const unitsInChinese: Readonly<Record<Unit, string>> = {
  share: '比例',
  count: '个数',
  reward: '奖励',
  nats: '奈特',
  tokens: '词元',
  turns: '轮',
  episodes: '条轨迹',
  steps: '步',
  seconds: '秒',
  minutes: '分钟',
  milliseconds: '毫秒',
  'tokens/s': '词元/秒',
  'episodes/s': '轨迹/秒',
  GiB: 'GiB',
  number: '数值',
};
