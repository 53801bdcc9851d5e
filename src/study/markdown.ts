/** Numbers and tables as a study's page writes them. */

export function share(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? '–' : value.toFixed(3);
}

export function signed(value: number): string {
  return Number.isFinite(value) ? `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}` : '–';
}

export function count(value: number | undefined): string {
  if (value === undefined) return '–';
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)}M`;
  return value >= 1e4 ? `${(value / 1e3).toFixed(0)}k` : value.toFixed(0);
}

export function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}
