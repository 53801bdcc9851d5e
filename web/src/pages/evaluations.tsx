/** The evaluations of a run: every score with its interval and number of tasks, and the episodes behind it. */
import { usePhrases } from '../language.ts';
import { interval, percent, short } from '../parts/numbers.ts';
import { RunFrame } from '../parts/run-frame.tsx';
import { href } from '../route.ts';
import type { Source } from '../source.ts';
import type { Evaluation } from '../../../src/report/model.ts';

export function EvaluationsPage({ source, id }: { readonly source: Source; readonly id: string }) {
  return (
    <RunFrame source={source} id={id} section="evaluations">
      {({ evaluations }) => <EvaluationTables id={id} evaluations={evaluations} />}
    </RunFrame>
  );
}

export function EvaluationTables({ id, evaluations }: { readonly id: string; readonly evaluations: readonly Evaluation[] }) {
  const t = usePhrases();
  if (evaluations.length === 0) return <p class="empty">{t('No evaluation has been written yet.')}</p>;
  return (
    <>
      {evaluations.map((evaluation, i) => (
        <EvaluationTable key={i} id={id} evaluation={evaluation} />
      ))}
    </>
  );
}

function EvaluationTable({ id, evaluation }: { readonly id: string; readonly evaluation: Evaluation }) {
  const t = usePhrases();
  return (
    <section>
      <h2>
        {evaluation.name} {evaluation.running === true && <span class="muted">({t('so far')})</span>}
      </h2>
      {evaluation.panel !== undefined && <p class="muted">panel {evaluation.panel}</p>}
      <div class="scroll" tabIndex={0} role="region" aria-label={evaluation.name}>
        <table class="list">
          <thead>
            <tr>
              <th scope="col">{t('Policy')}</th>
              <th scope="col">{t('Category')}</th>
              <th scope="col">n</th>
              <th scope="col">{t('Success')}</th>
              <th scope="col">{t('Interval')}</th>
              <th scope="col">{t('Reward')}</th>
              <th scope="col">{t('Interval')}</th>
              <th scope="col">{t('Turns')}</th>
              <th scope="col">{t('Failures')}</th>
            </tr>
          </thead>
          <tbody>
            {evaluation.rows.map((row) => (
              <tr key={`${row.environment} ${row.policy} ${row.category}`}>
                <td>{row.policy}</td>
                <td>
                  <a
                    title={t('Episodes behind this number')}
                    href={href(['run', id, 'episodes'], {
                      ...(row.step === undefined ? { policy: row.policy } : { step: row.step, purpose: 'eval' }),
                      task: evaluation.name,
                      category: row.category === 'all' ? undefined : row.category,
                    })}
                  >
                    {row.category}
                  </a>
                </td>
                <td class="number">{row.n}</td>
                <td class="number">{percent(row.success)}</td>
                <td class="number muted">
                  {interval(row.successLow, row.successHigh, percent)}
                  <IntervalBar low={row.successLow} mean={row.success} high={row.successHigh} />
                </td>
                <td class="number">{short(row.reward)}</td>
                <td class="number muted">{interval(row.rewardLow, row.rewardHigh, short)}</td>
                <td class="number">{short(row.turns)}</td>
                <td class="muted">
                  {Object.entries(row.failures)
                    .map(([type, count]) => `${type} ${count}`)
                    .join(', ') || '0'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul class="plain">
        {evaluation.comparisons.map((comparison) => (
          <li key={`${comparison.first} ${comparison.second}`}>
            {comparison.first} → {comparison.second}: {comparison.sentence}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A share and its interval on a line from 0 to 1. */
function IntervalBar({ low, mean, high }: { readonly low: number; readonly mean: number; readonly high: number }) {
  if (![low, mean, high].every(Number.isFinite)) return null;
  return (
    <svg class="interval" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <line class="scale" x1="0" x2="100" y1="4" y2="4" />
      <line class="range" x1={100 * low} x2={100 * high} y1="4" y2="4" />
      <line class="mean" x1={100 * mean} x2={100 * mean} y1="0" y2="8" />
    </svg>
  );
}
