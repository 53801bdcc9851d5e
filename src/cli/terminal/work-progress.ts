/** Long work inside an environment or a library, shown as it goes: a bar on a terminal, a line every ten seconds without one. */
import { printable } from '../../core/printable.ts';
import type { Progress } from '../../core/progress.ts';
import { startBar, stopBar, type Bar } from './bar.ts';
import { tell } from './print.ts';

const EVERY = 10_000;

export function workProgress(): (progress: Progress) => void {
  let bar: Bar | undefined;
  let shown = '';
  let told = Date.now();
  return ({ what, done, total, unit, ended = false }) => {
    if (!process.stderr.isTTY) {
      if (!ended && Date.now() - told < EVERY) return;
      told = Date.now();
      tell(`${what}: ${amount(done, unit)}${total === undefined ? '' : ` of ${amount(total, unit)}`}${ended ? ', done' : ''}`);
      return;
    }
    if (bar === undefined || shown !== what) {
      stopBar(bar);
      shown = what;
      const format = total === undefined ? '{label} {amount}' : '{label} {bar} {percentage}% {amount}';
      bar = startBar({ format }, total ?? 0, done, { label: printable(what), amount: '' });
    }
    bar.update(done, { amount: amount(done, unit) });
    if (!ended) return;
    stopBar(bar);
    bar = undefined;
  };
}

function amount(count: number, unit: string): string {
  return unit === 'bytes' ? `${(count / 2 ** 20).toFixed(0)} MiB` : `${count} ${unit}`;
}
