/** The page of all metrics, in one language: what each is, in which unit, what is healthy, what to do. */
import type { Unit } from '../../src/dashboard/metrics/metric.ts';
import { metricTopics } from '../../src/dashboard/metrics/registry.ts';
import { unitsInChinese } from '../../src/dashboard/metrics/units.ts';

const words = {
  en: {
    title: 'Metrics',
    intro:
      'Every number that a run logs, under verl’s names where verl has one. The dashboard shows the same words on hover. `<of>` is mean, max or min;\nother names in angle brackets are those of your panels, environments and parts of the reward. Intervals lie beside them as `…/low` and `…/high`.',
    made: 'Made from `src/dashboard/metrics` by `npm run reference`.',
    head: ['metric', 'unit', 'what it is', 'healthy', 'otherwise'],
  },
  zh: {
    title: '指标',
    intro:
      '运行记录的每个数字；verl 有的，沿用 verl 的名字。把鼠标放在看板的图表标题上，会看到同样的说明。`<of>` 是 mean、max 或 min；\n其他尖括号中的名字是评估集、环境和奖励各部分的名字。区间以 `…/low` 和 `…/high` 记在旁边。',
    made: '由 `npm run reference` 从 `src/dashboard/metrics` 生成。',
    head: ['指标', '单位', '含义', '健康的样子', '否则怎么办'],
  },
} as const;

export function metricsPage(language: 'en' | 'zh'): string {
  const { title, intro, made, head } = words[language];
  const unit = (name: Unit): string => (language === 'zh' ? unitsInChinese[name] : name);
  const topics = metricTopics.map(({ title: topic, metrics }) => {
    const rows = metrics.map((metric) => {
      const { what, healthy = '', remedy = '' } = metric[language];
      return `| \`${metric.name}\` | ${unit(metric.unit)} | ${what} | ${healthy} | ${remedy} |`;
    });
    return [`## ${topic[language]}`, '', `| ${head.join(' | ')} |`, '|---|---|---|---|---|', ...rows].join('\n');
  });
  return `# ${title}\n\n${intro}\n\n${made}\n\n${topics.join('\n\n')}\n`;
}
