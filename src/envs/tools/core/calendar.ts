/** Dates as `YYYY-MM-DD` and days as numbers since 1970. */
const MS_A_DAY = 86_400_000;

/** The number of a date, or undefined where there is no such day. */
export function dayNumber(date: string): number | undefined {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(date) ?? [];
  // Date.UTC takes the years 0 to 99 for those of the last century.
  const time = new Date(0).setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const impossible = Number(month) < 1 || Number(month) > 12 || new Date(time).getUTCDate() !== Number(day);
  return year === '' || Number(year) < 1 || impossible ? undefined : time / MS_A_DAY;
}

export function dateOf(day: number): string {
  return new Date(day * MS_A_DAY).toISOString().slice(0, 10);
}

/** The date some days later. */
export function later(date: string, days: number): string {
  return dateOf((dayNumber(date) ?? NaN) + days);
}
