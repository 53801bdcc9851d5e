/** Numbers and times as people read them. */
export function short(value: number | null | undefined, digits = 3): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  if (value !== 0 && (Math.abs(value) >= 1e5 || Math.abs(value) < 1e-3)) return value.toExponential(Math.max(1, digits - 2));
  return Number(value.toPrecision(Math.max(digits, Math.ceil(Math.log10(Math.abs(value) + 1))))).toString();
}

/** Numbers along an axis: with as many digits as it takes to tell them apart. */
export function apart(values: readonly number[]): string[] {
  for (let digits = 3; digits < 8; digits++) {
    const texts = values.map((value) => short(value, digits));
    if (new Set(texts).size === values.length) return texts;
  }
  return values.map((value) => short(value, 8));
}

export function percent(value: number | null | undefined): string {
  return value === null || value === undefined || !Number.isFinite(value) ? '–' : `${(100 * value).toFixed(1)} %`;
}

/** An interval, or nothing where there is none. */
export function interval(low: number | null, high: number | null, write: (value: number | null) => string): string {
  return Number.isFinite(low) && Number.isFinite(high) ? `${write(low)} – ${write(high)}` : '–';
}

export function when(iso: string | undefined): string {
  return written(iso, { dateStyle: 'medium', timeStyle: 'short' });
}

export function day(iso: string | undefined): string {
  return written(iso, { dateStyle: 'medium' });
}

/** The time of day; nothing where `day` has said all. */
export function clock(iso: string | undefined): string {
  return iso === undefined || Number.isNaN(Date.parse(iso)) ? '' : written(iso, { timeStyle: 'short' });
}

/** By language and style: making one costs more than all the rows of a list that it writes. */
const writers = new Map<string, Intl.DateTimeFormat>();

function written(iso: string | undefined, style: Intl.DateTimeFormatOptions): string {
  if (iso === undefined) return '–';
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const language = document.documentElement.lang || 'en';
  const key = `${language} ${style.dateStyle ?? ''} ${style.timeStyle ?? ''}`;
  const writer = writers.get(key) ?? new Intl.DateTimeFormat(language, style);
  writers.set(key, writer);
  return writer.format(date);
}

/** A count in three digits: `938`, `12.4 k`, `3.1 M`. */
export function count(value: number): string {
  if (value < 1000) return String(Math.round(value));
  const [unit, size] =
    value < 999_500 ? (['k', 1e3] as const) : value < 999_500_000 ? (['M', 1e6] as const) : (['G', 1e9] as const);
  return `${Number((value / size).toPrecision(3)).toString()} ${unit}`;
}

/** A duration in two units at most: `1 h 20 min`, `45 s`. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${String(whole)} s`;
  const minutes = Math.round(whole / 60);
  if (minutes < 60) return `${String(minutes)} min`;
  return `${String(Math.floor(minutes / 60))} h ${String(minutes % 60)} min`;
}
