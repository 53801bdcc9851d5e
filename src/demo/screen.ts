/**
 * What the demo draws, as plain text of a given width: two curves, and one task played before and after side by side; and how a
 * block of lines is drawn over itself without flicker. Nothing here is wider than it was told.
 */
import { widthOf } from '../core/width.ts';

export interface Curves {
  /** Success per step on the tasks being trained, and now and then on fresh ones: [step, success]. */
  readonly trained: readonly (readonly [number, number])[];
  readonly fresh: readonly (readonly [number, number])[];
}

const rows = 14;

/** A chart of `rows` lines and an axis; dots are training tasks, rings fresh tasks. Step 0 is there when something was measured before training. */
export function drawCurves({ trained, fresh }: Curves, width: number): string[] {
  const columns = Math.max(10, Math.min(width, 120) - 8);
  const last = Math.max(1, ...trained.map(([step]) => step), ...fresh.map(([step]) => step));
  const first = fresh.some(([step]) => step === 0) ? 0 : 1;
  const cells = Array.from({ length: rows }, () => Array.from({ length: columns }, () => ' '));
  const put = ([step, success]: readonly [number, number], sign: string): void => {
    const row = cells[rows - 1 - Math.min(rows - 1, Math.floor(success * rows))];
    if (row) row[Math.min(columns - 1, Math.round(((step - first) / Math.max(1, last - first)) * (columns - 1)))] = sign;
  };
  for (const point of smoothed(trained)) put(point, '•');
  for (const point of fresh) put(point, '○');
  const lines = cells.map((row, i) => `${label(i)} │${row.join('').trimEnd()}`);
  return [
    ...lines,
    `     └${'─'.repeat(columns)}`,
    `      • training tasks (smoothed)   ○ fresh tasks   step ${String(first)}–${String(last)}`,
  ];
}

function label(row: number): string {
  if (row === 0) return '100%';
  if (row === rows / 2) return ' 50%';
  return '    ';
}

/** Mean of up to five neighbours, as many on either side: a step of 128 episodes is noisy, and the first one stays where it was. */
function smoothed(points: Curves['trained']): Curves['trained'] {
  return points.map(([step], i) => {
    const reach = Math.min(2, i, points.length - 1 - i);
    const near = points.slice(i - reach, i + reach + 1);
    return [step, near.reduce((sum, [, value]) => sum + value, 0) / near.length] as const;
  });
}

export interface PlayedTask {
  readonly title: string;
  readonly turns: readonly { readonly action: string; readonly observation: string }[];
  readonly ended: string;
}

/** Two plays of one task next to each other, each half the width; long lines are cut with an ellipsis. */
export function sideBySide(left: PlayedTask, right: PlayedTask, width: number): string[] {
  const half = Math.max(24, Math.floor((Math.min(width, 140) - 3) / 2));
  const column = ({ title, turns, ended }: PlayedTask): string[] => [
    title,
    ...turns.slice(0, 8).flatMap(({ action, observation }) => [`> ${action}`, `  ${observation}`]),
    ...(turns.length > 8 ? [`  … ${String(turns.length - 8)} more turns`] : []),
    ended,
  ];
  const [a, b] = [column(left), column(right)];
  return Array.from(
    { length: Math.max(a.length, b.length) },
    (_, i) => `${fit(a[i] ?? '', half)} │ ${fit(b[i] ?? '', half).trimEnd()}`,
  );
}

function fit(text: string, width: number): string {
  const line = text.replaceAll(/\s+/g, ' ');
  const kept = text.startsWith('  ') ? ` ${line}` : line;
  return kept.length <= width ? kept.padEnd(width) : `${kept.slice(0, width - 1)}…`;
}

/** Text in lines of at most this width, broken between words (Chinese: between its characters); line breaks stay, and an indent is kept. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    if (widthOf(line) <= width) return [line];
    const indent = /^ */.exec(line)?.[0] ?? '';
    const lines: string[] = [];
    let current = '';
    for (const { piece, gap } of piecesOf(line.trim())) {
      const longer = current === '' ? indent + piece : current + gap + piece;
      if (widthOf(longer) > width && current !== '') {
        lines.push(current);
        current = indent + piece;
      } else current = longer;
    }
    return [...lines, current];
  });
}

/** What must not be torn apart: words, and Chinese characters with the marks that belong to them. */
function* piecesOf(line: string): Generator<{ readonly piece: string; readonly gap: string }> {
  for (const word of line.split(/ +/))
    for (const [i, piece] of (word.match(chinesePiece) ?? [word]).entries()) yield { piece, gap: i === 0 ? ' ' : '' };
}

/** No line ends with an opening mark or begins with a closing one. */
const chinesePiece =
  /[（《【「“]*(?:[\u2e80-\u2fff\u3040-\u9fff]|[^\u2e80-\u9fff\uff00-\uffef（《【「“]+|.)[，。、：；！？）》】」”…]*/gu;

const escape = '\u001b[';

/**
 * What a terminal must be sent to show these lines in place of the `before` lines that end above its cursor: shown as one
 * picture where it can (mode 2026), each line written over the old one and erased behind it, so that nothing blinks.
 */
export function redraw(lines: readonly string[], before: number): string {
  const up = before > 0 ? `${escape}${before}A` : '';
  const left = Math.max(0, before - lines.length);
  const rest = left > 0 ? `${`${escape}K\n`.repeat(left)}${escape}${left}A` : '';
  return `${escape}?2026h${up}${lines.map((line) => `${line}${escape}K\n`).join('')}${rest}${escape}?2026l`;
}
