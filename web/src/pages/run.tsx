/** A run's overview: its curves, its checkpoints and facts. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { BestCheckpoint, MetricTable, RunDetail } from '../../../src/dashboard/model.ts';
import { asPhrase, usePhrases, type Phrase } from '../language.ts';
import { ChartGrid } from '../charts/chart-grid.tsx';
import { keepMetrics, keptMetrics } from '../components/kept-metrics.ts';
import { Show, useLoaded } from '../components/loaded.tsx';
import { percent, short, when } from '../components/numbers.ts';
import { LiveLook } from '../components/live-look.tsx';
import { ProofShown } from '../components/proof.tsx';
import { RunFrame } from '../components/run-frame.tsx';
import { go } from '../route.ts';
import type { Source } from '../source.ts';
import { Evaluations } from './evaluations.tsx';

export interface RunPageProps {
  readonly source: Source;
  readonly id: string;
  /** `metric`: a curve to show first. */
  readonly query: URLSearchParams;
}

export function RunPage({ source, id, query }: RunPageProps) {
  return (
    <RunFrame source={source} id={id}>
      {(run, changes) =>
        run.kind === 'eval' ? (
          <>
            <Live source={source} run={run} />
            <Evaluations source={source} id={run.id} evaluations={run.evaluations} changes={changes} />
          </>
        ) : (
          <Curves source={source} run={run} changes={changes} asked={query.get('metric')} />
        )
      }
    </RunFrame>
  );
}

interface CurvesProps {
  readonly source: Source;
  readonly run: RunDetail;
  readonly changes: number;
  readonly asked: string | null;
}

/** Of a run that is going on and plays: RL always, an evaluation too, imitation while it evaluates. A reward model plays nothing. */
function Live({ source, run: { id, kind, status } }: { readonly source: Source; readonly run: RunDetail }) {
  if (status !== 'running' || !source.playing || kind === 'reward') return null;
  return <LiveLook source={source} id={id} seldom={kind === 'sft'} />;
}

function Curves({ source, run, changes, asked }: CurvesProps) {
  const metrics = useLoaded(() => source.metrics(run.id), [run.id, changes]);
  return (
    <>
      <Live source={source} run={run} />
      {run.proof && <ProofShown proof={run.proof} />}
      {source.live && <CompareWith source={source} id={run.id} />}
      <Show of={metrics}>{(table) => <Charts id={run.id} table={table} asked={asked} />}</Show>
      <Facts run={run} />
    </>
  );
}

interface ChartsProps {
  readonly id: string;
  readonly table: MetricTable;
  readonly asked: string | null;
}

function Charts({ id, table, asked }: ChartsProps) {
  const t = usePhrases();
  const [chosen, setChosen] = useState(keptMetrics);
  const tables = useMemo(() => [{ label: '', colour: 0, table }], [table]);
  const names = useMemo(() => Object.keys(table.columns).sort(), [table]);
  const wanted = useMemo(() => [...new Set([...(asked === null ? [] : [asked]), ...chosen])], [asked, chosen]);
  const shown = useMemo(() => wanted.filter((name) => names.includes(name)), [wanted, names]);
  const first = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (asked !== null) first.current?.scrollIntoView({ block: 'start' });
  }, [asked]);
  if (table.steps.length === 0) return <p class="empty">{t('No metrics have been written yet.')}</p>;
  return (
    <div ref={first}>
      <ChartGrid
        tables={tables}
        names={names}
        chosen={shown}
        onMetrics={(list) => {
          keepMetrics(list);
          setChosen(list);
          if (asked !== null && !list.includes(asked)) go(['run', id]);
        }}
      />
    </div>
  );
}

function CompareWith({ source, id }: { readonly source: Source; readonly id: string }) {
  const t = usePhrases();
  const runs = useLoaded(() => source.runs(), [id]);
  const others = runs !== undefined && 'value' in runs ? runs.value.filter((one) => one.id !== id && one.kind !== 'eval') : [];
  if (others.length === 0) return null;
  return (
    <label class="controls">
      {t('Compare with')}
      <select value="" onChange={(event) => go(['compare'], { run: [id, event.currentTarget.value] })}>
        <option value="">{t('none')}</option>
        {others.map((one) => (
          <option key={one.id} value={one.id}>
            {one.id}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Why a checkpoint is the best one, and whether the policy it started from was as good. */
function bestText({ score, by, before }: BestCheckpoint, t: (phrase: Phrase) => string): string {
  if (by === 'loss') return `${t('lowest validation loss')}: ${short(score)}`;
  const beaten = before !== undefined && before >= score;
  return beaten
    ? `${t('best checkpoint')}: ${percent(score)}; ${t('not better than before training')}: ${percent(before)}`
    : `${t('best')}: ${percent(score)}`;
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
              <code>{checkpoint.path}</code>{' '}
              {checkpoint.step === run.best?.step && <span class="muted">{bestText(run.best, t)}</span>}
            </li>
          ))}
        </ul>
      )}
      <dl>
        <dt>{t('Started')}</dt>
        <dd>{when(run.startedAt)}</dd>
        {Object.entries(run.facts).map(([name, value]) => (
          <div key={name}>
            <dt>{namePhrase(name, t)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** A fact's name; those of packages and environments are names in every language. */
function namePhrase(name: string, t: (phrase: Phrase) => string): string {
  const phrase = asPhrase(name);
  return phrase === undefined ? name : t(phrase);
}
