/** All metrics that runs log, by topic, and how one is found by the name that a run has written. */
import { imitationMetrics } from './imitation-metrics.ts';
import { learningMetrics } from './learning-metrics.ts';
import type { Metric } from './metric.ts';
import { outcomeMetrics } from './outcome-metrics.ts';
import { samplingMetrics } from './sampling-metrics.ts';
import { speedMetrics } from './speed-metrics.ts';

export interface MetricTopic {
  readonly title: { readonly en: string; readonly zh: string };
  readonly metrics: readonly Metric[];
}

export const metricTopics: readonly MetricTopic[] = [
  { title: { en: 'How well it does', zh: '效果' }, metrics: outcomeMetrics },
  { title: { en: 'How it learns', zh: '学习过程' }, metrics: learningMetrics },
  { title: { en: 'Imitation and reward models', zh: '模仿学习与奖励模型' }, metrics: imitationMetrics },
  { title: { en: 'Sampler against trainer', zh: '采样器与训练器的差异' }, metrics: samplingMetrics },
  { title: { en: 'Time and room', zh: '时间与资源' }, metrics: speedMetrics },
];

const patterns = metricTopics.flatMap(({ metrics }) => metrics.map((metric) => [patternOf(metric.name), metric] as const));

/** undefined for a metric of the user's own. */
export function metricOf(name: string): Metric | undefined {
  const plain = name.replace(/\/(low|high)$/, '');
  return patterns.find(([pattern]) => pattern.test(plain))?.[1];
}

function patternOf(name: string): RegExp {
  const parts = name.split(/(<[^>]+>)/).map((part) => {
    if (part === '<of>') return '(mean|max|min)';
    return part.startsWith('<') ? '.+' : part.replaceAll(/[.@+]/g, String.raw`\$&`);
  });
  return new RegExp(`^${parts.join('')}$`);
}
