/**
 * Progress bars on stderr, and the terminal they leave behind. A bar is one line that is drawn over itself, cut to the terminal and
 * never remembered by a place on the screen: lines that are printed meanwhile stand above it, and it is the last one until it ends.
 * While one is shown the cursor is hidden; `clearBars` ends them all, however the command ends.
 */
import { printable } from '../../core/printable.ts';
import { cutToWidth, widthOf } from '../../core/width.ts';
import { say } from './language.ts';

const shown = new Set<Bar>();

/** Milliseconds between two drawings. */
const pause = 100;
const erase = '\r\u001b[K';

export interface BarOptions {
  /** What is drawn: {bar}, {value}, {total}, {percentage}, and the names of the payload. */
  readonly format: string;
  /** Leaves no line behind. */
  readonly clear?: boolean;
}

type Payload = Readonly<Record<string, string>>;

/** A bar that ends with the command at the latest. */
export function startBar(options: BarOptions, total: number, value: number, payload: Payload): Bar {
  const bar = new Bar(options, total, value, payload);
  // One line can be drawn over, so there is one bar.
  clearBars();
  shown.add(bar);
  process.stderr.write('\u001b[?25l');
  bar.draw();
  return bar;
}

export function stopBar(bar: Bar | undefined): void {
  if (!bar || !shown.delete(bar)) return;
  bar.end();
  process.stderr.write(`${bar.options.clear === true ? erase : '\n'}\u001b[?25h`);
}

/** Ends every bar: what is written next begins on a line of its own. */
export function clearBars(): void {
  for (const bar of shown) stopBar(bar);
}

/** A line that stays, above a bar that goes on. */
export function printAbove(text: string): void {
  aboveBars(() => process.stderr.write(`${printable(say(text))}\n`));
}

/** Writes whole lines to the terminal with the bar out of the way. */
export function aboveBars(write: () => void): void {
  if (shown.size > 0) process.stderr.write(erase);
  write();
  for (const bar of shown) bar.draw();
}

export class Bar {
  private timer: NodeJS.Timeout | undefined;
  private drawn = 0;

  constructor(
    readonly options: BarOptions,
    private readonly total: number,
    public value: number,
    private payload: Payload,
  ) {}

  update(value: number, payload: Payload = {}): void {
    this.value = value;
    this.payload = { ...this.payload, ...payload };
    const due = this.drawn + pause - performance.now();
    if (due <= 0) this.draw();
    // A process that waits for nothing else may end.
    else this.timer ??= setTimeout(() => this.draw(), due).unref();
  }

  increment(by: number, payload: Payload = {}): void {
    this.update(this.value + by, payload);
  }

  /** The last picture, as it stays. */
  end(): void {
    if (this.options.clear !== true) this.draw();
    clearTimeout(this.timer);
  }

  draw(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.drawn = performance.now();
    // The last column stays free: a cursor behind it may already be on the next line.
    process.stderr.write(`\r${cutToWidth(this.line(columns()), columns() - 1)}\u001b[K`);
  }

  private line(width: number): string {
    const share = this.total > 0 ? Math.min(1, Math.max(0, this.value / this.total)) : 1;
    // What stands beside the bar is worth more than its length.
    const size = Math.max(4, Math.min(40, width - 60));
    const full = Math.round(share * size);
    const parts: Record<string, string> = {
      ...Object.fromEntries(Object.entries(this.payload).map(([name, text]) => [name, say(text)])),
      bar: '='.repeat(full) + '-'.repeat(size - full),
      value: String(this.value),
      total: String(this.total),
      percentage: String(Math.floor(share * 100)),
    };
    const { label = '' } = parts;
    const format = say(this.options.format);
    const filled = (given: Payload): string => format.replace(/\{(\w+)\}/g, (_, name: string) => given[name] ?? '');
    // How far it is must be seen: a long name gives way first, then what stands behind.
    const rest = widthOf(filled({ ...parts, label: '', note: '', left: '' }));
    parts['label'] = cutToWidth(label, Math.max(8, width - 1 - rest));
    return printable(filled(parts)).replaceAll('\n', ' ');
  }
}

function columns(): number {
  return process.stderr.isTTY ? process.stderr.columns : 80;
}
