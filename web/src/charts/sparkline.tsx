/** A curve the size of a word. */
export function Sparkline({ values, label }: { readonly values: readonly number[]; readonly label: string }) {
  if (values.length < 2) return <span class="muted">–</span>;
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  // A flat curve lies in the middle.
  const height = (value: number): number => (span === 0 ? 12 : 22 - (20 * (value - low)) / span);
  const points = values.map((value, i) => `${((100 * i) / (values.length - 1)).toFixed(1)},${height(value).toFixed(1)}`);
  return (
    <svg class="sparkline" viewBox="0 0 100 24" preserveAspectRatio="none" role="img" aria-label={label}>
      <polyline points={points.join(' ')} />
    </svg>
  );
}
