/** Weather as a strip of days: bars between lowest and highest temperature, or up to the amount of rain, snow or the index of air. */
import { visible } from '../components/visible.ts';
import { Facts, isFields, isList, ToolFrame, type Drawn, type Fields } from './tool-frame.tsx';

export function WeatherPicture({ state }: Drawn) {
  return <ToolFrame state={state} draw={({ found }) => found && (daysOf(found.result) ?? <Facts value={found.result} />)} />;
}

const height = 64;
const names: Readonly<Record<string, string>> = { rain: '🌧', snow: '❄', temp: '🌡', euro: '🌫' };

function daysOf(result: unknown) {
  const { daily, hourly, daily_units: units, hourly_units: others } = result as Fields;
  const table = isFields(daily) ? daily : hourly;
  const unit = isFields(units) ? units : others;
  const times = isFields(table) ? table['time'] : undefined;
  if (!isFields(table) || !isList(times)) return undefined;
  const series = Object.entries(table).filter(([name]) => name !== 'time');
  const [[key, first] = ['', undefined]] = series;
  if (!isList(first)) return undefined;
  const values = series.flatMap(([, list]) => (isList(list) ? list.map(Number) : []));
  const top = Math.max(1, ...values);
  const bottom = Math.min(0, ...values);
  const place = (value: number): number => ((value - bottom) / (top - bottom)) * height;
  return (
    <div class="days">
      {times.slice(0, 31).map((time, at) => {
        const ofDay = series.map(([, list]) => (isList(list) ? Number(list[at]) : NaN)).filter(Number.isFinite);
        const high = Math.max(...ofDay);
        const low = ofDay.length > 1 ? Math.min(...ofDay) : Math.min(0, high);
        return (
          <div class="day" key={at}>
            <span>{ofDay.length === 0 ? '–' : String(high)}</span>
            <div class="column" style={{ height: `${String(height)}px` }}>
              <i
                class={key.slice(0, 4)}
                style={{
                  bottom: `${String(place(low))}px`,
                  height: `${String(Math.max(2, place(high) - place(low)))}px`,
                }}
              />
            </div>
            {ofDay.length > 1 && <span>{low}</span>}
            <small>{visible(textOf(time).slice(5, 10))}</small>
          </div>
        );
      })}
      <small class="unit">
        {names[key.slice(0, 4)] ?? ''} {isFields(unit) && visible(textOf(unit[key]))}
      </small>
    </div>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
