/** Metrics as columns, read from the end of where the last look stopped, so that a growing file is parsed once. */
import { open } from 'node:fs/promises';
import { GrowingLines } from '../run/growing-lines.ts';
import type { MetricTable } from './model.ts';

export class MetricColumns {
  private readonly lines = new GrowingLines(() => this.clear());
  private readonly steps: number[] = [];
  private readonly columns = new Map<string, (number | null)[]>();

  /** Adds what was appended to the file since the last call. */
  catchUp(file: string): Promise<void> {
    return this.lines.catchUp(file, (line) => this.addLine(line));
  }

  /** Adds a line; one that is not JSON is passed over. */
  addLine(line: string): void {
    try {
      const row: unknown = JSON.parse(line);
      if (typeof row === 'object' && row !== null) this.add(row as Record<string, unknown>);
    } catch {
      return;
    }
  }

  table(): MetricTable {
    return {
      steps: [...this.steps],
      columns: Object.fromEntries([...this.columns].map(([name, values]) => [name, [...values]])),
    };
  }

  private clear(): void {
    this.steps.length = 0;
    this.columns.clear();
  }

  /** A row is `{step, name: value …}` or verl's file logger's `{step, data: {…}}`; a step written again replaces the old. */
  private add(row: Record<string, unknown>): void {
    const values = (typeof row['data'] === 'object' && row['data'] !== null ? row['data'] : row) as Record<string, unknown>;
    const step = Number(row['step'] ?? values['training/global_step'] ?? this.steps.length);
    if (!Number.isFinite(step)) return;
    let at = this.steps.lastIndexOf(step);
    if (at < 0) {
      at = this.steps.push(step) - 1;
      for (const column of this.columns.values()) column.push(null);
    }
    for (const [name, value] of Object.entries(values)) {
      if (name === 'step' || typeof value !== 'number') continue;
      let column = this.columns.get(name);
      if (!column) {
        column = Array.from<number | null>({ length: this.steps.length }).fill(null);
        this.columns.set(name, column);
      }
      column[at] = value;
    }
  }
}

/** The last bytes of a file as text, from a line's start; '' where there is no file. */
export async function tailOf(file: string, bytes: number): Promise<string> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (!handle) return '';
  try {
    const { size } = await handle.stat();
    const start = Math.max(0, size - bytes);
    const buffer = Buffer.alloc(size - start);
    await handle.read(buffer, 0, buffer.length, start);
    const text = buffer.toString('utf8');
    return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await handle.close();
  }
}
