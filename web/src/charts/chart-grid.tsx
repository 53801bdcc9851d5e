/** The charts of one or several runs: the main ones, those that were asked for by name, and the rest behind a click. */
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { mainCharts, type MainChart } from '../../../src/dashboard/runs/main-charts.ts';
import type { MetricTable } from '../../../src/dashboard/model.ts';
import { usePhrases } from '../language.ts';
import { Chart } from './chart.tsx';
import { ChartChoice } from './chart-choice.tsx';
import { lineOf, type Axis, type Line, type Zoom } from './lines.ts';

export interface NamedTable {
  readonly label: string;
  readonly colour: number;
  readonly table: MetricTable;
}

export interface ChartGridProps {
  readonly tables: readonly NamedTable[];
  /** Every metric there is; those without a column yet are asked for by `onMetric`. */
  readonly names: readonly string[];
  readonly chosen: readonly string[];
  readonly onMetrics: (names: readonly string[]) => void;
  /** False where one legend serves all. */
  readonly legend?: boolean;
}

export function ChartGrid({ tables, names, chosen, onMetrics, legend = true }: ChartGridProps) {
  const t = usePhrases();
  const [smoothing, setSmoothing] = useState(0.5);
  const [axis, setAxis] = useState<Axis>('step');
  const [zoom, setZoom] = useState<Zoom>();
  const { shown, folded } = useMemo(() => mainOf(tables, axis), [tables, axis]);
  const picked = useMemo(
    () => chosen.map((name) => [name, linesOf(tables, (one) => one === name, axis)] as const),
    [tables, axis, chosen],
  );
  const rest = useMemo(() => restOf(tables, names), [tables, names]);
  const common = { smoothing, axis: t(axis), zoom, onZoom: setZoom, legend };
  const main = ({ chart, lines }: MainLines) => (
    <Chart key={chart.title} title={t(chart.title)} lines={lines} unit={chart.unit} {...common} />
  );
  return (
    <>
      <ChartChoice
        smoothing={smoothing}
        onSmoothing={setSmoothing}
        axis={axis}
        onAxis={(one) => {
          setZoom(undefined);
          setAxis(one);
        }}
        zoom={zoom}
        onReset={() => setZoom(undefined)}
        names={names}
        onAdd={(name) => names.includes(name) && !chosen.includes(name) && onMetrics([...chosen, name])}
      />
      <div class="charts">
        {picked.map(([name, lines]) => (
          <Chart
            key={name}
            title={name}
            lines={lines}
            {...common}
            onRemove={() => onMetrics(chosen.filter((one) => one !== name))}
          />
        ))}
        {shown.map(main)}
      </div>
      <Folded title={`${t('More charts')}: ${folded.map(({ chart }) => t(chart.title)).join(', ')}`} size={folded.length}>
        {() => folded.map(main)}
      </Folded>
      <Folded title={`${t('All metrics')} (${String(rest.length)})`} size={rest.length}>
        {() =>
          rest.map((name) => <Chart key={name} title={name} lines={linesOf(tables, (one) => one === name, axis)} {...common} />)
        }
      </Folded>
    </>
  );
}

interface FoldedProps {
  readonly title: string;
  readonly size: number;
  readonly children: () => ComponentChildren;
}

/** Charts behind a click; they are drawn when they are asked for. */
function Folded({ title, size, children }: FoldedProps) {
  const [open, setOpen] = useState(false);
  if (size === 0) return null;
  return (
    <details class="folded" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      <div class="charts">{open && children()}</div>
    </details>
  );
}

function linesOf(tables: readonly NamedTable[], fits: (name: string) => boolean, axis: Axis): Line[] {
  const several = tables.length > 1;
  return tables.flatMap(({ label, colour, table }) => {
    const fitting = Object.keys(table.columns).filter(fits).sort();
    const names = several ? preferred(fitting) : fitting;
    return names.flatMap((name, i) => {
      const text = !several ? name : names.length > 1 ? `${label} ${name}` : label;
      return lineOf(text, several ? colour : colour + i, table, name, axis) ?? [];
    });
  });
}

/** Of several runs one curve each is enough: evaluated where there is an evaluation, else trained. */
function preferred(names: readonly string[]): readonly string[] {
  const evaluated = names.filter((name) => name.startsWith('val-core/'));
  return evaluated.length > 0 ? evaluated : names.slice(0, 1);
}

interface MainLines {
  readonly chart: MainChart;
  readonly lines: readonly Line[];
}

/** The charts that have curves: those to look at first, and those that show nothing but zeros or what another shows more plainly. */
function mainOf(tables: readonly NamedTable[], axis: Axis): { readonly shown: MainLines[]; readonly folded: MainLines[] } {
  const shown: MainLines[] = [];
  const folded: MainLines[] = [];
  for (const chart of mainCharts) {
    const lines = linesOf(tables, (name) => chart.metrics.test(name), axis);
    if (lines.length === 0) continue;
    const again = chart.family !== undefined && shown.some((one) => one.chart.family === chart.family);
    (again || lines.every(isZero) ? folded : shown).push({ chart, lines });
  }
  return { shown, folded };
}

/** Success that is still zero is worth seeing; a count of nothing is not. */
function isZero({ metric, y }: Line): boolean {
  return !metric.includes('success') && y.every((value) => value === null || value === 0);
}

function restOf(tables: readonly NamedTable[], names: readonly string[]): string[] {
  const there = new Set(tables.flatMap(({ table }) => Object.keys(table.columns)));
  return names.filter(
    (name) => there.has(name) && !/\/(low|high)$/.test(name) && !mainCharts.some(({ metrics }) => metrics.test(name)),
  );
}
