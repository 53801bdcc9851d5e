/** What the curves of a chart are, beside its title: shown under the pointer or by the keyboard, with the way to the page of all metrics. */
import { metricOf } from '../../../src/dashboard/metrics/registry.ts';
import type { Metric } from '../../../src/dashboard/metrics/metric.ts';
import { unitsInChinese } from '../../../src/dashboard/metrics/units.ts';
import { useLanguage, usePhrases } from '../language.ts';
import { href } from '../route.ts';

export function About({ title, metrics }: { readonly title: string; readonly metrics: readonly string[] }) {
  const t = usePhrases();
  const known = [...new Set(metrics.flatMap((name) => metricOf(name) ?? []))];
  if (known.length === 0) return <span>{title}</span>;
  return (
    <span class="about">
      {title}{' '}
      <a href={href(['metrics'], { name: known[0]?.name })} aria-label={`${t('What is this?')} ${title}`}>
        ?
      </a>
      <span class="about-text" role="note">
        {known.slice(0, 3).map((metric) => (
          <MetricWords key={metric.name} metric={metric} />
        ))}
      </span>
    </span>
  );
}

/** The words of one metric, in the reader's language. */
export function MetricWords({ metric }: { readonly metric: Metric }) {
  const t = usePhrases();
  const language = useLanguage();
  const { what, healthy, remedy } = metric[language];
  return (
    <span class="metric-words">
      <code>{metric.name}</code> <span class="muted">{language === 'zh' ? unitsInChinese[metric.unit] : metric.unit}</span>
      <span>{what}</span>
      {healthy !== undefined && (
        <span>
          <b>{t('Healthy')}:</b> {healthy}
        </span>
      )}
      {remedy !== undefined && (
        <span>
          <b>{t('Otherwise')}:</b> {remedy}
        </span>
      )}
    </span>
  );
}
