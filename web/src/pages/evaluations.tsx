/** The evaluations of a run: every score with its interval and number of tasks, and the episodes behind it. */
import { usePhrases } from '../language.ts';
import { percent, short } from '../parts/numbers.ts';
import { RunFrame } from '../parts/run-frame.tsx';
import { href } from '../route.ts';
import type { Source } from '../source.ts';
import type { Evaluation } from '../../../src/report/model.ts';

export function EvaluationsPage({ source, id }: { readonly source: Source; readonly id: string }) {
  const t = usePhrases();
  return (
    <RunFrame source={source} id={id} section="evaluations">
      {({ evaluations }) =>
        evaluations.length === 0 ? (
          <p class="empty">{t('No evaluation has been written yet.')}</p>
        ) : (
          evaluations.map((evaluation, i) => <EvaluationTable key={i} id={id} evaluation={evaluation} />)
        )
      }
    </RunFrame>
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
              <th scope="col">{t('Environment')}</th>
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
                <td>{row.environment}</td>
                <td>{row.policy}</td>
                <td>
                  <a
                    title={t('Episodes behind this number')}
                    href={href(['run', id, 'episodes'], {
                      policy: row.policy,
                      category: row.category === 'all' ? undefined : row.category,
                    })}
                  >
                    {row.category}
                  </a>
                </td>
                <td class="number">{row.n}</td>
                <td class="number">{percent(row.success)}</td>
                <td class="number muted">
                  {percent(row.successLow)} – {percent(row.successHigh)}
                </td>
                <td class="number">{short(row.reward)}</td>
                <td class="number muted">
                  {short(row.rewardLow)} – {short(row.rewardHigh)}
                </td>
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
