/** The charts of one or several runs: the main ones, those that were asked for by name, and the rest behind a click. */
import { useMemo, useState } from 'preact/hooks';
import { mainCharts, type MainChart } from '../../../src/dashboard/runs/main-charts.ts';
import type { MetricTable } from '../../../src/dashboard/model.ts';
import { usePhrases } from '../language.ts';
import { Chart } from './chart.tsx';
import { axes, lineOf, type Axis, type Line, type Zoom } from './lines.ts';

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
  const [open, setOpen] = useState(false);
  const main = useMemo(() => mainOf(tables, axis), [tables, axis]);
  const picked = useMemo(
    () => chosen.map((name) => [name, linesOf(tables, (one) => one === name, axis)] as const),
    [tables, axis, chosen],
  );
  const rest = useMemo(() => restOf(tables, names), [tables, names]);
  const common = { smoothing, axis: t(axis), zoom, onZoom: setZoom, legend };
  const add = (name: string): void => {
    if (names.includes(name) && !chosen.includes(name)) onMetrics([...chosen, name]);
  };
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
          <select
            value={axis}
            onChange={(event) => {
              setZoom(undefined);
              setAxis(axes.find((one) => one === event.currentTarget.value) ?? 'step');
            }}
          >
            {axes.map((one) => (
              <option key={one} value={one}>
                {t(one)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t('Add a metric')}
          <input
            list="metric-names"
            value=""
            placeholder="actor/pg_clipfrac"
            onChange={(event) => {
              add(event.currentTarget.value);
              event.currentTarget.value = '';
            }}
          />
          <datalist id="metric-names">
            {names.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </label>
        {zoom ? (
          <button type="button" onClick={() => setZoom(undefined)}>
            {t('Reset zoom')}
          </button>
        ) : (
          <span class="muted">{t('Drag to zoom, double-click to reset.')}</span>
        )}
      </form>
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
        {main.map(({ chart, lines }) => (
          <Chart key={chart.title} title={t(chart.title)} lines={lines} unit={chart.unit} {...common} />
        ))}
      </div>
      {rest.length > 0 && (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>
            {t('All metrics')} ({rest.length})
          </summary>
          <div class="charts">
            {open &&
              rest.map((name) => (
                <Chart key={name} title={name} lines={linesOf(tables, (one) => one === name, axis)} {...common} />
              ))}
          </div>
        </details>
      )}
    </>
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

function mainOf(tables: readonly NamedTable[], axis: Axis): MainLines[] {
  return mainCharts.flatMap((chart) => {
    const lines = linesOf(tables, (name) => chart.metrics.test(name), axis);
    return lines.length > 0 ? [{ chart, lines }] : [];
  });
}

function restOf(tables: readonly NamedTable[], names: readonly string[]): string[] {
  const there = new Set(tables.flatMap(({ table }) => Object.keys(table.columns)));
  return names.filter(
    (name) => there.has(name) && !/\/(low|high)$/.test(name) && !mainCharts.some(({ metrics }) => metrics.test(name)),
  );
}
