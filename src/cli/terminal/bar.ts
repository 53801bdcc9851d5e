/**
 * Progress bars, and the terminal they leave behind: while one is shown the cursor is hidden and long lines are cut, so every bar is
 * known here and `clearBars` ends them all, however the command ends.
 */
import type { Options, SingleBar } from 'cli-progress';
import { createRequire } from 'node:module';
import { printable } from '../../core/printable.ts';

const shown = new Set<SingleBar>();
const require = createRequire(import.meta.url);

/** A bar on stderr that ends with the command at the latest. */
export function startBar(options: Options, total: number, value: number, payload: object): SingleBar {
  // What stands beside the bar is worth more than its length.
  const columns = process.stderr.isTTY ? process.stderr.columns : 80;
  const barsize = Math.max(4, Math.min(40, columns - 60));
  // Loaded by the first bar: most commands, and every one without a terminal, show none.
  const progress = require('cli-progress') as typeof import('cli-progress');
  const bar = new progress.SingleBar({ stream: process.stderr, hideCursor: true, barsize, ...options });
  bar.start(total, value, payload);
  shown.add(bar);
  return bar;
}

export function stopBar(bar: SingleBar | undefined): void {
  if (bar && shown.delete(bar)) bar.stop();
}

/** Ends every bar: the cursor is back and lines wrap again. */
export function clearBars(): void {
  for (const bar of shown) stopBar(bar);
}

/** A line that stays, above a bar that goes on. It wraps, which lines do not while a bar is shown. */
export function printAbove(text: string): void {
  const [wrap, cut] = shown.size > 0 ? ['\u001b[?7h', '\u001b[?7l'] : ['', ''];
  process.stderr.write(`\r\u001b[K${wrap}${printable(text)}${cut}\n`);
}
