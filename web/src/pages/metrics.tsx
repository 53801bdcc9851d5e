/** Every metric explained: what it is, its unit, what is healthy, what to do. The same words as on hover. */
import { useEffect } from 'preact/hooks';
import { metricTopics } from '../../../src/dashboard/metrics/registry.ts';
import { MetricWords } from '../charts/about.tsx';
import { useLanguage, usePhrases } from '../language.ts';

export function MetricsPage({ query }: { readonly query: URLSearchParams }) {
  const t = usePhrases();
  const language = useLanguage();
  const wanted = query.get('name');
  useEffect(() => {
    if (wanted !== null) document.getElementById(wanted)?.scrollIntoView({ block: 'center' });
  }, [wanted]);
  return (
    <>
      <h1>{t('What the metrics mean')}</h1>
      {metricTopics.map(({ title, metrics }) => (
        <section key={title.en}>
          <h2>{title[language]}</h2>
          <ul class="metric-list">
            {metrics.map((metric) => (
              <li key={metric.name} id={metric.name} class={metric.name === wanted ? 'wanted' : ''}>
                <MetricWords metric={metric} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
