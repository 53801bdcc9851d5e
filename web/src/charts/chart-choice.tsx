/** How the charts of a page are drawn: smoothing, the horizontal axis, further metrics, the zoom. */
import { usePhrases } from '../language.ts';
import { href } from '../route.ts';
import { axes, type Axis, type Zoom } from './lines.ts';

export interface ChartChoiceProps {
  readonly smoothing: number;
  readonly onSmoothing: (value: number) => void;
  readonly axis: Axis;
  readonly onAxis: (axis: Axis) => void;
  readonly zoom: Zoom;
  readonly onReset: () => void;
  readonly names: readonly string[];
  readonly onAdd: (name: string) => void;
}

export function ChartChoice({ smoothing, onSmoothing, axis, onAxis, zoom, onReset, names, onAdd }: ChartChoiceProps) {
  const t = usePhrases();
  return (
    <form class="controls" onSubmit={(event) => event.preventDefault()}>
      <label>
        {t('Smoothing')}
        <input
          type="range"
          min="0"
          max="0.95"
          step="0.05"
          value={smoothing}
          onInput={(event) => onSmoothing(Number(event.currentTarget.value))}
        />
      </label>
      <label>
        {t('Horizontal axis')}
        <select value={axis} onChange={(event) => onAxis(axes.find((one) => one === event.currentTarget.value) ?? 'step')}>
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
            onAdd(event.currentTarget.value);
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
        <button type="button" onClick={onReset}>
          {t('Reset zoom')}
        </button>
      ) : (
        <span class="muted">{t('Drag to zoom, double-click to reset.')}</span>
      )}
      <a href={href(['metrics'])}>{t('What the metrics mean')}</a>
    </form>
  );
}
