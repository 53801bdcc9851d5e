/** Several runs beside each other: their curves in colours that stay, how they did, and where their recipes differ. */
import { useMemo, useState } from 'preact/hooks';
import type { RunComparison, RunSummary } from '../../../src/dashboard/model.ts';
import { usePhrases } from '../language.ts';
import { csv, download } from '../charts/chart-file.ts';
import { ChartGrid } from '../charts/chart-grid.tsx';
import { keptMetrics, keepMetrics } from '../components/kept-metrics.ts';
import { colourOf } from '../charts/lines.ts';
import { Show, useLoaded } from '../components/loaded.tsx';
import { Reason } from '../components/reason.tsx';
import { isStart, Status } from '../components/run-frame.tsx';
import { nameOf, RunName, RunTitle } from '../components/run-name.tsx';
import { ShareText } from '../components/share.tsx';
import { percent } from '../components/numbers.ts';
import { href } from '../route.ts';
import type { Source } from '../source.ts';

export function ComparePage({ source, query }: { readonly source: Source; readonly query: URLSearchParams }) {
  const t = usePhrases();
  const ids = query.getAll('run');
  const [chosen, setChosen] = useState(keptMetrics);
  const compared = useLoaded(() => source.compare(ids, chosen), [ids.join('\n'), chosen.join('\n')]);
  return (
    <>
      <h1>{t('Compare')}</h1>
      <Show of={compared}>
        {(comparison) => (
          <Compared
            comparison={comparison}
            chosen={chosen}
            onMetrics={(names) => {
              keepMetrics(names);
              setChosen(names);
            }}
          />
        )}
      </Show>
    </>
  );
}

interface ComparedProps {
  readonly comparison: RunComparison;
  readonly chosen: readonly string[];
  readonly onMetrics: (names: readonly string[]) => void;
}

function Compared({ comparison, chosen, onMetrics }: ComparedProps) {
  const { runs, metrics, names, settings } = comparison;
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const tables = useMemo(
    () =>
      runs.flatMap((run, colour) => {
        const table = metrics[colour];
        return table && !hidden.has(run.id) ? [{ label: run.id, colour, table }] : [];
      }),
    [runs, metrics, hidden],
  );
  const toggle = (id: string): void => {
    const next = new Set(hidden);
    if (!next.delete(id)) next.add(id);
    setHidden(next);
  };
  return (
    <>
      <RunTable runs={runs} hidden={hidden} onToggle={toggle} />
      {tables.some(({ table }) => table.steps.length > 0) && (
        <ChartGrid
          tables={tables}
          names={names}
          chosen={chosen.filter((name) => names.includes(name))}
          onMetrics={onMetrics}
          legend={false}
        />
      )}
      <Settings runs={runs} settings={settings} />
    </>
  );
}

interface RunTableProps {
  readonly runs: readonly RunSummary[];
  readonly hidden: ReadonlySet<string>;
  readonly onToggle: (id: string) => void;
}

/** The legend of all charts, with how each run did. */
function RunTable({ runs, hidden, onToggle }: RunTableProps) {
  const t = usePhrases();
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={t('Runs')}>
      <table class="list cards runs">
        <thead>
          <tr>
            <th scope="col">{t('Run')}</th>
            <th scope="col">{t('Status')}</th>
            <th scope="col">{t('Step')}</th>
            <th scope="col">{t('Before')}</th>
            <th scope="col">{t('Best')}</th>
            <th scope="col">{t('Last')}</th>
            <th scope="col">{t('Recipe')}</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run, i) => {
            const best = run.scores.reduce((one, other) => (other.success > one.success ? other : one), run.scores[0] ?? none);
            const [first] = run.scores;
            const last = run.scores.at(-1);
            return (
              <tr key={run.id}>
                <td class="first">
                  <label class="legend">
                    <input
                      type="checkbox"
                      aria-label={`${t('Show')} ${run.id}`}
                      checked={!hidden.has(run.id)}
                      onChange={() => onToggle(run.id)}
                    />
                    <span class="swatch" style={`background: ${colourOf(i)}`} />
                  </label>
                  <a href={href(['run', run.id])}>
                    <RunName run={run} />
                  </a>
                </td>
                <td>
                  <Status status={run.status} warnings={run.warnings.length + run.diagnosis.length} />
                  <Reason run={run} />
                </td>
                <td class="number" data-label={t('Step')}>
                  {run.step ?? '–'}
                </td>
                <td class="number" data-label={t('Before')}>
                  {run.kind !== 'eval' && isStart(run.scores) && first ? <ShareText share={first} /> : '–'}
                </td>
                <td class="number" data-label={t('Best')}>
                  {best === none ? '–' : <ShareText share={best} />}
                  {best.step !== undefined && (
                    <span class="muted"> {best.step === 0 ? t('before training') : `${t('step')} ${String(best.step)}`}</span>
                  )}
                </td>
                <td class="number" data-label={t('Last')}>
                  {last && run.kind !== 'eval' ? <ShareText share={last} /> : percent(run.success)}
                </td>
                <td class="muted recipe">
                  <RunTitle run={run} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const none = { panel: '', policy: '', n: 0, success: NaN, low: NaN, high: NaN, step: undefined };

function Settings({ runs, settings }: Pick<RunComparison, 'runs' | 'settings'>) {
  const t = usePhrases();
  const save = (): void =>
    download(
      'settings.csv',
      csv([
        ['key', ...runs.map(({ id }) => id)],
        ...settings.map(({ key, values }) => [key, ...values.map((value) => value ?? '')]),
      ]),
      'text/csv',
    );
  if (settings.length === 0) return <p class="muted">{t('The recipes are equal.')}</p>;
  return (
    <section>
      <h2>
        {t('Where the recipes differ')}{' '}
        <button type="button" onClick={save}>
          CSV
        </button>
      </h2>
      <div class="scroll" tabIndex={0} role="region" aria-label={t('Where the recipes differ')}>
        <table class="list settings">
          <thead>
            <tr>
              <th scope="col">{t('Key')}</th>
              {runs.map((run, i) => (
                <th scope="col" key={run.id}>
                  <span class="swatch" style={`background: ${colourOf(i)}`} />
                  {nameOf(run)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {settings.map(({ key, values }) => (
              <tr key={key}>
                <th scope="row">
                  <code>{key}</code>
                </th>
                {values.map((value, i) => (
                  <td key={i}>{value === null ? <span class="muted">–</span> : <code>{value}</code>}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
