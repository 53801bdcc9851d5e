/** How `agoge data` talks: progress on a terminal, reports in words. */
import { printable } from '../../../core/printable.ts';
import type { Inspection, Spread } from '../../../data/inspect.ts';
import type { PlayReport } from '../../../data/play/play-to-file.ts';
import type { Transfer } from '../../../data/transfer.ts';
import type { Validation } from '../../../data/validate.ts';
import type { PolicyUsage } from '../../../policy/policy.ts';
import { startBar, stopBar, type Bar } from '../../terminal/bar.ts';

/** A bar on a terminal, nothing without one. Goes to stderr, so that output can be piped. */
export class Progress {
  private bar: Bar | undefined;
  private shown = -1;

  static start(silent: boolean): Progress {
    const progress = new Progress();
    if (silent || !process.stderr.isTTY) return progress;
    progress.bar = startBar({ format: '{bar} {percentage}% {what}', clear: true }, 1000, 0, { what: '' });
    return progress;
  }

  update(share: number, what: string): void {
    const value = Math.floor(share * 1000);
    if (value === this.shown) return;
    this.shown = value;
    this.bar?.update(value, { what: printable(what) });
  }

  stop(): void {
    stopBar(this.bar);
  }
}

/** What an endpoint has been asked for so far, for the end of a line. */
export function spent(usage: PolicyUsage | undefined): string {
  if (!usage) return '';
  const cost = usage.cost === undefined ? '' : `, $${usage.cost.toFixed(4)}`;
  return ` · ${usage.requests} requests, ${usage.inputTokens} tokens in, ${usage.outputTokens} out${cost}`;
}

export function describePlay(report: PlayReport, what: string): string[] {
  const { episodes, solved, failed, reasons, missing, usage } = report;
  const lines = [`played ${episodes} episodes of ${what}: ${solved} solved, ${failed} failed to run`];
  for (const [reason, count] of Object.entries(reasons)) lines.push(`  ${count} × ${reason}`);
  if (missing > 0) lines.push(`  ${missing} episodes were not begun`);
  if (usage && usage.requests > 0) lines.push(`asked ${spent(usage).slice(3)}, ${usage.retries} tried again`);
  if (usage?.leftOut) lines.push(`the endpoint does not take ${usage.leftOut.join(', ')}: left out`);
  lines.push(`wrote ${report.output}: ${report.written} rows of ${report.format}`);
  if (report.summary !== undefined) lines.push(`wrote ${report.summary}`);
  if (report.partial !== undefined) lines.push(`kept ${report.partial} to go on from`);
  return lines;
}

export function describeTransfer({ inputs, output, format, written, filtered }: Transfer): string {
  const lines = inputs.map(({ file, format, rows }) => `read     ${file}: ${rows} rows of ${format ?? 'nothing'}`);
  if (filtered > 0) lines.push(`left out ${filtered} rows by the filters`);
  lines.push(`wrote    ${output}: ${written} rows of ${format}`);
  return lines.join('\n');
}

export function describeInspection(found: Inspection, title: string): string {
  const lines = [found.file, `  format      ${title}`, `  rows        ${found.rows}`];
  if (found.items > 0) lines.push(`  items       ${found.items} different`);
  if (found.duplicates > 0) lines.push(`  duplicates  ${found.duplicates} rows with the same words as an earlier one`);
  lines.push(`  environment ${counts(found.environments)}`);
  if (Object.keys(found.categories).length > 0) lines.push(`  categories  ${counts(found.categories)}`);
  if (Object.keys(found.roles).length > 0) lines.push(`  roles       ${counts(found.roles)}`);
  if (Object.keys(found.models).length > 0) lines.push(`  models      ${counts(found.models)}`);
  for (const [name, spread] of [
    ['messages', found.messages],
    ['characters', found.characters],
    ['tokens', found.tokens],
    ['learned', found.learnedTokens],
  ] as const) {
    if (spread) lines.push(`  ${name.padEnd(11)} ${describeSpread(spread)}`);
  }
  if (found.rewards)
    lines.push(`  reward      ${describeSpread(found.rewards)}, success ${(found.rewards.success * 100).toFixed(1)} %`);
  lines.push(found.problems.length === 0 ? '  problems    none seen' : '  problems');
  for (const { what, rows, first } of found.problems) lines.push(`    ${rows} rows: ${what} (first: row ${first})`);
  for (const { number, row } of found.samples) {
    lines.push(`  --- row ${number}${row.itemId === undefined ? '' : ` (${row.itemId})`}`);
    const messages = row.kind === 'conversation' ? row.messages : (row.prompt ?? []);
    for (const { role, content } of messages.slice(0, 5)) lines.push(`    ${role}: ${shortened(content)}`);
    if (messages.length > 5) lines.push(`    … ${messages.length - 5} more messages`);
    if (row.kind === 'task' && row.extraInfo) lines.push(`    extra_info: ${shortened(JSON.stringify(row.extraInfo, bigints))}`);
  }
  return lines.join('\n');
}

export function describeValidation({ file, format, rows, good, turns, problems, mislabelled }: Validation, most: number): string {
  const lines = [`${file} (${format ?? 'no rows'}): ${good} of ${rows} rows are good, ${turns} turns replayed`];
  for (const { number, itemId, kind, detail } of problems.slice(0, most)) {
    lines.push(`  row ${number}${itemId === undefined ? '' : ` (${itemId})`}: ${kind}: ${shortened(detail, 300)}`);
  }
  if (problems.length > most) lines.push(`  … ${problems.length - most} more; --json lists all`);
  if (mislabelled.length > 0) {
    const [first] = mislabelled;
    lines.push(
      `  ${mislabelled.length} rows are labelled with another task than they show (row ${first?.number ?? 0}: ${first?.itemId ?? 'no id'} shows ${first?.shows ?? ''})`,
    );
  }
  return lines.join('\n');
}

function describeSpread({ least, mean, p50, p95, most }: Spread): string {
  const show = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(Math.abs(value) < 10 ? 3 : 1));
  return `${show(least)} to ${show(most)}, mean ${show(mean)}, half below ${show(p50)}, 95 % below ${show(p95)}`;
}

function counts(tally: Readonly<Record<string, number>>): string {
  const entries = Object.entries(tally).sort((a, b) => b[1] - a[1]);
  const shown = entries.slice(0, 8).map(([key, count]) => `${key} ${count}`);
  return shown.join(', ') + (entries.length > 8 ? `, ${entries.length - 8} more` : '');
}

function shortened(text: string, most = 160): string {
  const line = text.replaceAll('\n', ' ⏎ ');
  return line.length > most ? `${line.slice(0, most)}…` : line;
}

/** For JSON.stringify: 64-bit integers that JSON has no number for. */
export function bigints(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
