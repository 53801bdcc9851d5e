/** Metrics as columns, read from the end of where the last look stopped, so that a growing file is parsed once. */
import { GrowingLines } from '../../run/growing-lines.ts';
import { layout } from '../../run/layout.ts';
import type { MetricTable } from '../model.ts';

/** Numbers held at most (a run of 100,000 steps has ten million); what a stranger's file has beyond them is passed over. */
const mostCells = 2 ** 24;

export class MetricColumns {
  private readonly lines = new GrowingLines(() => this.clear());
  private readonly steps: number[] = [];
  private readonly places = new Map<number, number>();
  private readonly columns = new Map<string, (number | null)[]>();

  /** Adds what was appended to the run's metrics since the last call. */
  catchUp(folder: string): Promise<void> {
    return this.lines.catchUp(folder, layout.metrics, (line) => this.addLine(line));
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

  names(): string[] {
    return [...this.columns.keys()];
  }

  table(wanted: (name: string) => boolean = () => true): MetricTable {
    const columns = [...this.columns].filter(([name]) => wanted(name)).map(([name, values]) => [name, [...values]] as const);
    return { steps: [...this.steps], columns: Object.fromEntries(columns) };
  }

  private clear(): void {
    this.steps.length = 0;
    this.places.clear();
    this.columns.clear();
  }

  /** A row is `{step, name: value …}` or verl's file logger's `{step, data: {…}}`; a step written again replaces the old. */
  private add(row: Record<string, unknown>): void {
    const values = (typeof row['data'] === 'object' && row['data'] !== null ? row['data'] : row) as Record<string, unknown>;
    const step = Number(row['step'] ?? values['training/global_step'] ?? this.steps.length);
    if (!Number.isFinite(step)) return;
    let at = this.places.get(step);
    if (at === undefined) {
      if ((this.steps.length + 1) * (this.columns.size + 1) > mostCells) return;
      at = this.steps.push(step) - 1;
      this.places.set(step, at);
      for (const column of this.columns.values()) column.push(null);
    }
    for (const [name, value] of Object.entries(values)) {
      if (name === 'step' || typeof value !== 'number') continue;
      let column = this.columns.get(name);
      if (!column) {
        if (this.steps.length * (this.columns.size + 2) > mostCells) continue;
        column = Array.from<number | null>({ length: this.steps.length }).fill(null);
        this.columns.set(name, column);
      }
      column[at] = value;
    }
  }
}
