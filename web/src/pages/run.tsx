/** A run's overview: its curves, alone or with another run's, its checkpoints and facts. */
import { useMemo, useState } from 'preact/hooks';
import type { MetricTable, RunDetail } from '../../../src/report/model.ts';
import { usePhrases, type Phrase } from '../language.ts';
import { Chart, type Line } from '../parts/chart.tsx';
import { Show, useLoaded } from '../parts/loaded.tsx';
import { when } from '../parts/numbers.ts';
import { RunFrame } from '../parts/run-frame.tsx';
import { go } from '../route.ts';
import type { Source } from '../source.ts';
import { EvaluationTables } from './evaluations.tsx';

/** The charts that are shown first, each with the names its curves have (verl's, and a few of our own). */
const charts: readonly (readonly [Phrase, RegExp])[] = [
  ['Success', /^(train\/success|val-core\/.*\/success\/mean@\d+)$/],
  ['Reward', /^(critic\/score\/mean|val-core\/.*\/reward\/mean@\d+)$/],
  ['Loss', /^(actor\/pg_loss|train\/loss|val\/loss)$/],
  ['Accuracy', /^train\/(token|reply)_accuracy$/],
  ['KL divergence', /^actor\/(ppo_kl|kl_loss)$/],
  ['Entropy', /^actor\/entropy$/],
  ['Gradient norm', /^(actor|train)\/grad_norm$/],
  ['Episode length', /^num_turns\/mean$/],
  ['Throughput', /^perf\/throughput$/],
  ['Staleness', /^train\/staleness$/],
  ['Failures', /^train\/(failures\/.*|lost_groups)$/],
  ['Learning rate', /^(actor|train)\/lr$/],
];

const axes = ['step', 'tokens', 'time'] as const;
type Axis = (typeof axes)[number];

export interface RunPageProps {
  readonly source: Source;
  readonly id: string;
  readonly query: URLSearchParams;
}

export function RunPage({ source, id, query }: RunPageProps) {
  const other = query.get('with') ?? undefined;
  return (
    <RunFrame source={source} id={id}>
      {(run, changes) =>
        run.kind === 'eval' ? (
          <EvaluationTables id={run.id} evaluations={run.evaluations} />
        ) : (
          <Curves source={source} run={run} other={other} changes={changes} />
        )
      }
    </RunFrame>
  );
}

interface CurvesProps {
  readonly source: Source;
  readonly run: RunDetail;
  readonly other: string | undefined;
  readonly changes: number;
}

function Curves({ source, run, other, changes }: CurvesProps) {
  const t = usePhrases();
  const [smoothing, setSmoothing] = useState(0.5);
  const [axis, setAxis] = useState<Axis>('step');
  const tables = useLoaded(
    () =>
      Promise.all([run.id, ...(other === undefined ? [] : [other])].map(async (id) => ({ id, table: await source.metrics(id) }))),
    [run.id, other, changes],
  );
  const runs = useLoaded(() => source.runs(), [run.id]);
  return (
    <>
      <form class="controls" onSubmit={(event) => event.preventDefault()}>
        <label>
          {t('Smoothing')}
          <input
            type="range"
            min="0"
            max="0.95"
            step="0.05"
            value={smoothing}
            onInput={(event) => setSmoothing(Number(event.currentTarget.value))}
          />
        </label>
        <label>
          {t('Horizontal axis')}
          <select value={axis} onChange={(event) => setAxis(axes.find((one) => one === event.currentTarget.value) ?? 'step')}>
            {axes.map((one) => (
              <option key={one} value={one}>
                {t(one)}
              </option>
            ))}
          </select>
        </label>
        {source.live && (
          <label>
            {t('Overlay another run')}
            <select value={other ?? ''} onChange={(event) => go(['run', run.id], { with: event.currentTarget.value })}>
              <option value="">{t('none')}</option>
              {runs !== undefined &&
                'value' in runs &&
                runs.value
                  .filter((one) => one.id !== run.id)
                  .map((one) => (
                    <option key={one.id} value={one.id}>
                      {one.id}
                    </option>
                  ))}
            </select>
          </label>
        )}
        <span class="muted">{t('Drag to zoom, double-click to reset.')}</span>
      </form>
      <Show of={tables}>{(list) => <ChartGrid tables={list} axis={axis} smoothing={smoothing} />}</Show>
      <Facts run={run} />
    </>
  );
}

interface NamedTable {
  readonly id: string;
  readonly table: MetricTable;
}

function ChartGrid({
  tables,
  axis,
  smoothing,
}: {
  readonly tables: readonly NamedTable[];
  readonly axis: Axis;
  readonly smoothing: number;
}) {
  const t = usePhrases();
  const groups = useMemo(() => grouped(tables, axis), [tables, axis]);
  if (tables[0]?.table.steps.length === 0) return <p class="empty">{t('No metrics have been written yet.')}</p>;
  return (
    <>
      <div class="charts">
        {groups.main.map(([title, lines]) => (
          <Chart key={title} title={t(title)} lines={lines} smoothing={smoothing} axis={t(axis)} />
        ))}
      </div>
      <details>
        <summary>
          {t('All metrics')} ({groups.rest.length})
        </summary>
        <div class="charts">
          {groups.rest.map(([title, lines]) => (
            <Chart key={title} title={title} lines={lines} smoothing={smoothing} axis={t(axis)} />
          ))}
        </div>
      </details>
    </>
  );
}

function grouped(tables: readonly NamedTable[], axis: Axis) {
  const used = new Set<string>();
  const linesOf = (name: string): Line[] =>
    tables.flatMap(({ id, table }) => {
      const column = table.columns[name];
      return column ? [lineOf(tables.length > 1 ? `${id} ${name}` : name, table, column, axis, name)] : [];
    });
  const names = [...new Set(tables.flatMap(({ table }) => Object.keys(table.columns)))].sort();
  const main = charts.flatMap(([title, pattern]): [Phrase, Line[]][] => {
    const present = names.filter((name) => pattern.test(name));
    present.forEach((name) => used.add(name));
    const lines = present.flatMap(linesOf);
    return lines.length > 0 ? [[title, lines]] : [];
  });
  const rest = names
    .filter((name) => !used.has(name) && !/\/(low|high)$/.test(name))
    .map((name): [string, Line[]] => [name, linesOf(name)]);
  return { main, rest };
}

/** A column over the chosen axis: tokens and time are running sums of what each step used. */
function lineOf(label: string, table: MetricTable, column: readonly (number | null)[], axis: Axis, name: string): Line {
  const base = axis === 'step' ? table.steps : sums(table, axis === 'tokens' ? 'perf/total_num_tokens' : 'timing_s/step');
  const rows = column.flatMap((value, i) => (value === null ? [] : [i]));
  const pick = (values: readonly (number | null)[] | undefined) => values && rows.map((i) => values[i] ?? null);
  const low = pick(table.columns[`${name}/low`]);
  const high = pick(table.columns[`${name}/high`]);
  return {
    label,
    x: rows.map((i) => base[i] ?? i),
    y: rows.map((i) => column[i] ?? null),
    ...(low && high && { low, high }),
  };
}

function sums(table: MetricTable, name: string): readonly number[] {
  let total = 0;
  return table.steps.map((_, i) => (total += table.columns[name]?.[i] ?? 0));
}

function Facts({ run }: { readonly run: RunDetail }) {
  const t = usePhrases();
  return (
    <section class="facts">
      <h2>{t('Checkpoints')}</h2>
      {run.checkpoints.length === 0 ? (
        <p class="muted">{t('No checkpoint has been written yet.')}</p>
      ) : (
        <ul class="plain">
          {run.checkpoints.map((checkpoint) => (
            <li key={checkpoint.path}>
              <code>{checkpoint.path}</code> <span class="muted">{checkpoint.kept}</span>
            </li>
          ))}
        </ul>
      )}
      <dl>
        <dt>{t('Started')}</dt>
        <dd>{when(run.startedAt)}</dd>
        {Object.entries(run.facts).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
