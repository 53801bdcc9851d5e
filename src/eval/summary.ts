/**
 * One table over models, checkpoints and seeds, from evaluations and from the evaluations that training runs made on their way:
 * as text, CSV and Markdown. Success and reward are two columns; each carries its interval and its number of episodes.
 */
import { at } from '../core/at.ts';
import type { EvaluationLine } from '../run/layout.ts';
import type { Repeats } from './episodes.ts';
import type { Score } from './score.ts';

export interface SummaryRow {
  readonly env: string;
  readonly split: string;
  readonly model: string;
  /** `step_40`, `epoch_15`; empty for a policy that is no checkpoint. */
  readonly checkpoint: string;
  /** One seed, or `all` of them together. */
  readonly seed: string;
  readonly episodes: number;
  /** Planned episodes without a result. */
  readonly missing: number;
  readonly success: number;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  readonly reward?: number | undefined;
  readonly turns?: number | undefined;
  /** What decides whether two rows may be compared. */
  readonly panel: string;
}

/** The rows of an evaluation: one for each policy and panel, and one for each seed where there were several. */
export function evaluationRows({
  scores,
  repeats,
}: {
  readonly scores: readonly Score[];
  readonly repeats: Repeats;
}): SummaryRow[] {
  return scores.flatMap((score) => {
    const { split, panel, scored, episodes, success, reward, turns, seeds } = score;
    const place = { env: placeName(score.env, score.standIn), split, panel, ...policyParts(score.policy) };
    const whole: SummaryRow = {
      ...place,
      seed: repeats.seeds > 1 ? 'all' : String(repeats.seed),
      episodes: scored,
      missing: episodes - scored,
      success: success.mean,
      low: success.low,
      high: success.high,
      reward: reward.mean,
      turns,
    };
    const each = (seeds?.success ?? []).map((value, at): SummaryRow => {
      const played = score.perTask.flatMap(({ samples }) =>
        samples.filter((sample) => Math.floor(sample / repeats.samples) === at),
      );
      const missing = score.tasks * repeats.samples - played.length;
      return { ...place, seed: String(repeats.seed + at), episodes: played.length, missing, success: value };
    });
    return [whole, ...each];
  });
}

/** The rows of a training run: its evaluations, the newest of each step and panel. */
export function runRows(directory: string, seed: number, lines: readonly EvaluationLine[]): SummaryRow[] {
  const newest = new Map(lines.map((line) => [`${line.panel} ${line.step}`, line]));
  return [...newest.values()].map(({ panel, step, n, success, low, high, reward, turns, failures, standIn }) => {
    const [env = panel, split = ''] = panel.split(/\/(.*)/s);
    const missing = Object.values(failures).reduce((a, b) => a + b, 0);
    const place = {
      env: placeName(env, standIn),
      split,
      model: `run:${directory}`,
      checkpoint: `step_${step}`,
      seed: String(seed),
      panel,
    };
    return { ...place, episodes: n, missing, success, low, high, reward, turns };
  });
}

/** An environment whose tasks stood in for official ones is not taken for it. */
function placeName(env: string, standIn: true | undefined): string {
  return standIn === true ? `${env} (stand-in)` : env;
}

/** `run:outputs/x@step_40` → the run and its checkpoint. */
function policyParts(policy: string): { model: string; checkpoint: string } {
  const match = /^(run:.*)@([^@/]+)$/.exec(policy);
  return { model: match?.[1] ?? policy, checkpoint: match?.[2] ?? '' };
}

const columns: readonly [name: string, of: (row: SummaryRow) => string][] = [
  ['env', ({ env }) => env],
  ['split', ({ split }) => split],
  ['model', ({ model }) => model],
  ['checkpoint', ({ checkpoint }) => checkpoint],
  ['seed', ({ seed }) => seed],
  ['episodes', ({ episodes }) => String(episodes)],
  ['missing', ({ missing }) => String(missing)],
  ['success', ({ success }) => number(success)],
  ['success_low', ({ low }) => number(low)],
  ['success_high', ({ high }) => number(high)],
  ['reward', ({ reward }) => number(reward)],
  ['turns', ({ turns }) => number(turns, 1)],
  ['panel', ({ panel }) => panel],
];

export function summaryCsv(rows: readonly SummaryRow[]): string {
  const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return [columns.map(([name]) => name), ...rows.map((row) => columns.map(([, of]) => cell(of(row))))]
    .map((line) => `${line.join(',')}\n`)
    .join('');
}

const shown = columns.filter(([name]) => !['success_low', 'success_high', 'panel'].includes(name));

/** Success with its interval in one cell, for people. */
function cells(row: SummaryRow): string[] {
  return shown.map(([name, of]) =>
    name === 'success' && row.low !== undefined ? `${of(row)} [${number(row.low)}, ${number(row.high)}]` : of(row),
  );
}

export function summaryMarkdown(rows: readonly SummaryRow[]): string {
  const line = (texts: readonly string[]): string =>
    `| ${texts.map((text) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ')).join(' | ')} |\n`;
  return [line(shown.map(([name]) => name)), line(shown.map(() => '---')), ...rows.map((row) => line(cells(row)))].join('');
}

export function summaryText(rows: readonly SummaryRow[]): string {
  const table = [shown.map(([name]) => name), ...rows.map(cells)];
  const widths = shown.map((_, at) => Math.max(...table.map((line) => (line[at] ?? '').length)));
  return (
    table
      .map((line) =>
        line
          .map((text, i) => text.padEnd(at(widths, i)))
          .join('  ')
          .trimEnd(),
      )
      .join('\n') + '\n'
  );
}

function number(value: number | undefined, digits = 3): string {
  return value === undefined || !Number.isFinite(value) ? '' : value.toFixed(digits);
}
