/** Several runs beside each other: their curves in colours that stay, how they did, evaluations paired by task, and where recipes differ. */
import { useMemo, useState } from 'preact/hooks';
import type { NamedShare, RunSummary } from '../../../src/dashboard/model.ts';
import type { RunComparison } from '../../../src/dashboard/together-model.ts';
import { usePhrases } from '../language.ts';
import { ChartGrid } from '../charts/chart-grid.tsx';
import { Breakable } from '../components/breakable.tsx';
import { ComparedPanels } from '../components/compared-panels.tsx';
import { keptMetrics, keepMetrics } from '../components/kept-metrics.ts';
import { colourOf } from '../charts/lines.ts';
import { Show, useLoaded } from '../components/loaded.tsx';
import { Reason } from '../components/reason.tsx';
import { isStart, Status } from '../components/run-frame.tsx';
import { RunName, RunTitle } from '../components/run-name.tsx';
import { SettingsTable } from '../components/settings-table.tsx';
import { ShareText } from '../components/share.tsx';
import { go, href } from '../route.ts';
import type { Source } from '../source.ts';

export function ComparePage({ source, query }: { readonly source: Source; readonly query: URLSearchParams }) {
  const t = usePhrases();
  const ids = query.getAll('run');
  const baseline = query.get('baseline') ?? undefined;
  const [chosen, setChosen] = useState(keptMetrics);
  const compared = useLoaded(() => source.compare(ids, chosen, baseline), [ids.join('\n'), chosen.join('\n'), baseline]);
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
            onBaseline={(label) => go(['compare'], { run: ids, baseline: label })}
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
  readonly onBaseline: (label: string) => void;
}

function Compared({ comparison, chosen, onMetrics, onBaseline }: ComparedProps) {
  const { runs, metrics, names, panels, unlike } = comparison;
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
      <ComparedPanels panels={panels} unlike={unlike} onBaseline={onBaseline} />
      {tables.some(({ table }) => table.steps.length > 0) && (
        <ChartGrid tables={tables} names={names} chosen={chosen.filter((name) => names.includes(name))} onMetrics={onMetrics} />
      )}
      <SettingsTable {...comparison} />
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
          {runs.map((run, i) => (
            <Row key={run.id} run={run} colour={i} shown={!hidden.has(run.id)} onToggle={() => onToggle(run.id)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly run: RunSummary;
  readonly colour: number;
  readonly shown: boolean;
  readonly onToggle: () => void;
}

function Row({ run, colour, shown, onToggle }: RowProps) {
  const t = usePhrases();
  const training = run.kind !== 'eval';
  const [first] = run.scores;
  const last = run.scores.at(-1);
  return (
    <tr>
      <td class="first">
        <label class="legend">
          <input type="checkbox" aria-label={`${t('Show')} ${run.id}`} checked={shown} onChange={onToggle} />
          <span class="swatch" style={`background: ${colourOf(colour)}`} />
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
        {training && isStart(run.scores) && first ? <ShareText share={first} /> : '–'}
      </td>
      <td class="number" data-label={t('Best')}>
        <Best run={run} />
      </td>
      <td class="number" data-label={t('Last')}>
        {training && last ? <ShareText share={last} /> : '–'}
      </td>
      <td class="muted recipe">
        <RunTitle run={run} />
      </td>
    </tr>
  );
}

/** Of a training its best evaluation; of an evaluation the best policy that was tried, by its name. */
function Best({ run }: { readonly run: RunSummary }) {
  const t = usePhrases();
  const best =
    run.kind === 'eval' ? run.scores.find(({ success }) => success === run.success) : run.scores.reduce(better, run.scores[0]);
  if (!best) return <>–</>;
  const when =
    run.kind === 'eval'
      ? best.policy
      : best.step === undefined
        ? t('after training')
        : best.step === 0
          ? t('before training')
          : `${t('step')} ${String(best.step)}`;
  return (
    <>
      <ShareText share={best} />{' '}
      <span class="muted">
        <Breakable text={when} />
      </span>
    </>
  );
}

function better(one: NamedShare | undefined, other: NamedShare): NamedShare {
  return one === undefined || other.success > one.success ? other : one;
}
