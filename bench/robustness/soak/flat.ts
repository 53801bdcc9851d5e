/** Whether what was sampled is flat: counts go up and down with the calls under way, so grown is what has a higher peak in the last quarter than in the second. */
import type { Sample } from './processes.ts';

export type Samples = readonly (readonly [hours: number, sample: Sample])[];

const keys = ['memory', 'handles', 'sockets', 'files', 'threads'] as const;

export function flatness(name: string, all: Samples): { readonly line: string; readonly flat: boolean } {
  const quarter = Math.floor(all.length / 4);
  let flat = true;
  const cells = keys.map((key) => {
    const peak = (from: number, to: number): number => Math.max(...all.slice(from, to).map(([, sample]) => sample[key]));
    const [early, late] = [peak(quarter, 2 * quarter), peak(3 * quarter, all.length)];
    const perHour = slope(all.slice(2 * quarter).map(([hours, sample]) => [hours, sample[key]]));
    const grows = !(late <= early + (key === 'memory' ? 20 + early / 10 : 5));
    if (grows) flat = false;
    return `${key} ${early.toFixed(0)} → ${late.toFixed(0)} (${perHour >= 0 ? '+' : ''}${perHour.toFixed(1)}/h)${grows ? ' GROWS' : ''}`;
  });
  return { line: `${name.padEnd(18)} ${all.length} samples, peaks  ${cells.join('  ')}`, flat };
}

/** By least squares, per hour. */
function slope(points: readonly (readonly [hours: number, value: number])[]): number {
  const n = points.length;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / n;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / n;
  const above = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return above / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}
