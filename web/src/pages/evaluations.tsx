/** The evaluations of a run: policies against categories with intervals, what else is known of each policy, and which tasks were solved. */
import { useState } from 'preact/hooks';
import type { Evaluation, EvaluationRow, PolicyFacts } from '../../../src/dashboard/model.ts';
import { asPhrase, usePhrases, type Phrase } from '../language.ts';
import { download } from '../charts/chart-file.ts';
import { HeatMap } from '../charts/heat-map.tsx';
import { interval, percent, short } from '../components/numbers.ts';
import { ComparisonText } from '../components/reason.tsx';
import { RunFrame } from '../components/run-frame.tsx';
import { tableFormats, type TextTable } from '../components/table-file.ts';
import { href } from '../route.ts';
import type { Source } from '../source.ts';

export function EvaluationsPage({ source, id }: { readonly source: Source; readonly id: string }) {
  return (
    <RunFrame source={source} id={id} section="evaluations">
      {({ evaluations }, changes) => <Evaluations source={source} id={id} evaluations={evaluations} changes={changes} />}
    </RunFrame>
  );
}

export interface EvaluationsProps {
  readonly source: Source;
  readonly id: string;
  readonly evaluations: readonly Evaluation[];
  readonly changes: number;
}

export function Evaluations({ source, id, evaluations, changes }: EvaluationsProps) {
  const t = usePhrases();
  if (evaluations.length === 0) return <p class="empty">{t('No evaluation has been written yet.')}</p>;
  return (
    <>
      {evaluations.map((evaluation, i) => (
        <OneEvaluation key={i} source={source} id={id} evaluation={evaluation} changes={changes} />
      ))}
    </>
  );
}

interface OneProps {
  readonly source: Source;
  readonly id: string;
  readonly evaluation: Evaluation;
  readonly changes: number;
}

function OneEvaluation({ source, id, evaluation, changes }: OneProps) {
  const t = usePhrases();
  const [open, setOpen] = useState(false);
  const { name, panel, running, comparisons } = evaluation;
  return (
    <section>
      <h2>
        {name}{' '}
        {panel !== undefined && (
          <code class="muted" title={t('Equal where the same tasks were played')}>
            {panel}
          </code>
        )}
      </h2>
      {running === true && <p class="why">{t('so far: short episodes end first, so these shares lean towards them')}</p>}
      <Matrix id={id} evaluation={evaluation} />
      <Facts evaluation={evaluation} />
      {comparisons.length > 0 && (
        <ul class="plain">
          {comparisons.map((comparison) => (
            <li key={`${comparison.first} ${comparison.second}`}>
              <ComparisonText comparison={comparison} />
            </li>
          ))}
        </ul>
      )}
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{t('Tasks')}</summary>
        {open && <HeatMap source={source} id={id} panel={playedOf(name)} changes={changes} />}
      </details>
    </section>
  );
}

/** One row per policy, one column per category; `all` comes first. */
function Matrix({ id, evaluation }: { readonly id: string; readonly evaluation: Evaluation }) {
  const t = usePhrases();
  const { name, rows } = evaluation;
  const every = unique(rows.map(({ category }) => category));
  // One category beside all of them is all of them again.
  const categories = every.length === 2 && every.includes('all') ? ['all'] : every;
  const policies = unique(rows.map(({ policy }) => policy));
  const at = (policy: string, category: string): EvaluationRow | undefined =>
    rows.find((row) => row.policy === policy && row.category === category);
  const label = (policy: string): string => policyText(at(policy, 'all'), policy, t);
  const text: TextTable = [
    [t('Policy'), 'n', ...categories],
    ...policies.map((policy) => [
      label(policy),
      String(at(policy, 'all')?.n ?? ''),
      ...categories.map((category) => shareText(at(policy, category))),
    ]),
  ];
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label={name}>
        <table class="list cards narrow matrix">
          <thead>
            <tr>
              <th scope="col">{t('Policy')}</th>
              <th scope="col">n</th>
              {categories.map((category) => (
                <th scope="col" key={category}>
                  {category === 'all' ? t('all') : category}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {policies.map((policy) => (
              <tr key={policy}>
                <th scope="row" class="first">
                  {label(policy)}
                </th>
                <td class="number n" data-label="n">
                  {at(policy, 'all')?.n}
                </td>
                {categories.map((category) => (
                  <td key={category} class="number" data-label={category === 'all' ? t('all') : category}>
                    <Cell id={id} panel={playedOf(name)} row={at(policy, category)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="controls">
        {Object.entries(tableFormats).map(([format, { ending, write }]) => (
          <button type="button" key={format} onClick={() => download(`${name}.${ending}`, write(text))}>
            {format}
          </button>
        ))}
      </p>
    </>
  );
}

/** What was evaluated: a policy by its name, a run by its step. */
function policyText(row: EvaluationRow | undefined, policy: string, t: (phrase: Phrase) => string): string {
  return row?.step === undefined ? policy : `${t('step')} ${String(row.step)}`;
}

/** The split whose tasks a panel has: a part that is held out, and stand-ins for official ones, say so behind it. */
function playedOf(name: string): string {
  return name.replace(/:held-out$| \(stand-in\)$/, '');
}

function Cell({ id, panel, row }: { readonly id: string; readonly panel: string; readonly row: EvaluationRow | undefined }) {
  const t = usePhrases();
  if (!row) return <span class="muted">–</span>;
  return (
    <>
      <a
        title={`${t('Episodes behind this number')}: ${String(row.n)}`}
        href={href(['run', id, 'episodes'], {
          ...(row.step === undefined ? { policy: row.policy } : { step: row.step, purpose: 'eval' }),
          task: panel,
          category: row.category === 'all' ? undefined : row.category,
        })}
      >
        {percent(row.success)}
      </a>{' '}
      {/* Of nothing that was played every share is possible, which says nothing. */}
      {row.n > 0 && (
        <span class="muted">{interval(row.successLow, row.successHigh, (value) => short(100 * (value ?? NaN)))}</span>
      )}
      <IntervalBar low={row.successLow} mean={row.success} high={row.successHigh} />
    </>
  );
}

function shareText(row: EvaluationRow | undefined): string {
  if (!row) return '';
  const range = interval(row.successLow, row.successHigh, (value) => short(100 * (value ?? NaN)));
  return `${(100 * row.success).toFixed(1)}${range === '–' ? '' : ` [${range.replace(' – ', ', ')}]`}`;
}

/** What belongs to a policy as a whole. A column is there when some policy has something to put into it. */
function Facts({ evaluation }: { readonly evaluation: Evaluation }) {
  const t = usePhrases();
  const none: PolicyFacts = { policy: '', passAt: {}, passHat: {}, seeds: [], parts: {}, unreadable: 0, truncated: {} };
  const whole = evaluation.rows.filter(({ category }) => category === 'all');
  const of = (row: EvaluationRow): PolicyFacts => evaluation.policies.find(({ policy }) => policy === row.policy) ?? none;
  const columns: readonly (readonly [string, (row: EvaluationRow) => string])[] = [
    [t('Reward'), (row) => `${short(row.reward)} ${bracketed(row.rewardLow, row.rewardHigh)}`],
    [t('Turns'), (row) => short(row.turns)],
    ['pass@k', (row) => list(of(row).passAt, percent)],
    ['pass^k', (row) => list(of(row).passHat, percent)],
    [t('Seeds'), (row) => of(row).seeds.map(percent).join(', ')],
    [t('Parts of the reward'), (row) => list(of(row).parts, short)],
    [t('Unreadable replies'), (row) => (of(row).unreadable > 0 ? percent(of(row).unreadable) : '')],
    [t('Truncated'), (row) => list(named(of(row).truncated, t), String)],
    [t('Failures'), (row) => list(row.failures, String)],
  ];
  const shown = columns.filter(([, text]) => whole.some((row) => text(row).trim() !== ''));
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={`${evaluation.name}: ${t('Policy')}`}>
      <table class="list cards narrow">
        <thead>
          <tr>
            <th scope="col">{t('Policy')}</th>
            {shown.map(([title]) => (
              <th scope="col" key={title}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {whole.map((row) => (
            <tr key={row.policy}>
              <th scope="row" class="first">
                {policyText(row, row.policy, t)}
              </th>
              {shown.map(([title, text]) => (
                <td key={title} data-label={title}>
                  {text(row) || '–'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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

function bracketed(low: number, high: number): string {
  return Number.isFinite(low) && Number.isFinite(high) ? `[${short(low)}, ${short(high)}]` : '';
}

function list(values: Readonly<Record<string, number>>, write: (value: number) => string): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}: ${write(value)}`.replaceAll(' ', '\u00a0'))
    .join(', ');
}

/** By the limit that was reached, in words. */
function named(limits: Readonly<Record<string, number>>, t: (phrase: Phrase) => string): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(limits).map(([limit, count]) => {
      const phrase = asPhrase(`by ${limit}`);
      return [phrase ? t(phrase) : limit, count];
    }),
  );
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
