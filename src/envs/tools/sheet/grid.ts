/**
 * A sheet of cells with texts and notes. Numbers are kept as Google Sheets shows them. Left out: formulas are worked out when they are written
 * and do not follow later changes; formats are not kept.
 */
export interface Cell {
  readonly value: string;
  readonly note: string;
}

export type Operator = 'SUM' | 'AVERAGE' | 'COUNT' | 'MAX' | 'MIN' | 'MINUS' | 'PRODUCT';
export const operators: readonly Operator[] = ['SUM', 'AVERAGE', 'COUNT', 'MAX', 'MIN', 'MINUS', 'PRODUCT'];

const MOST_ROWS = 200;
const MOST_COLUMNS = 26;
const MOST_TEXT = 500;
const empty: Cell = { value: '', note: '' };

export class OutOfGrid extends Error {}

export class Grid {
  private rows: Cell[][];
  /** Rows at the top that sorting leaves alone. */
  frozen = 1;

  constructor(values: readonly (readonly string[])[]) {
    this.rows = values.map((row) => row.map((value) => ({ value, note: '' })));
  }

  copy(): Grid {
    const other = new Grid([]);
    other.rows = this.rows.map((row) => [...row]);
    other.frozen = this.frozen;
    return other;
  }

  /** All values up to the last row and column that hold something. */
  values(): string[][] {
    const filled = (row: readonly Cell[]): number => row.findLastIndex(({ value }) => value !== '') + 1;
    const height = this.rows.findLastIndex((row) => filled(row) > 0) + 1;
    const width = Math.max(0, ...this.rows.map(filled));
    return this.range(1, 1, height, width);
  }

  range(top: number, left: number, bottom: number, right: number): string[][] {
    return span(top, bottom).map((row) => span(left, right).map((column) => this.at(row, column).value));
  }

  at(row: number, column: number): Cell {
    return this.rows[row - 1]?.[column - 1] ?? empty;
  }

  set(row: number, column: number, change: Partial<Cell>): void {
    if (row < 1 || column < 1 || row > MOST_ROWS || column > MOST_COLUMNS) throw new OutOfGrid();
    while (this.rows.length < row) this.rows.push([]);
    const line = this.rows[row - 1] ?? [];
    while (line.length < column) line.push(empty);
    const cell = { ...this.at(row, column), ...change };
    line[column - 1] = { value: cell.value.slice(0, MOST_TEXT), note: cell.note.slice(0, MOST_TEXT) };
  }

  insertRows(at: number, values: readonly (readonly string[])[]): void {
    if (at < 1 || Math.max(this.rows.length, at - 1) + values.length > MOST_ROWS) throw new OutOfGrid();
    while (this.rows.length < at - 1) this.rows.push([]);
    this.rows.splice(at - 1, 0, ...values.map(() => []));
    values.forEach((row, down) => row.forEach((value, across) => this.set(at + down, across + 1, { value })));
  }

  insertColumns(at: number, values: readonly (readonly string[])[]): void {
    const width = Math.max(0, ...this.rows.map((row) => row.length));
    if (at < 1 || Math.max(width, at - 1) + values.length > MOST_COLUMNS) throw new OutOfGrid();
    for (const row of this.rows) {
      while (row.length < at - 1) row.push(empty);
      row.splice(at - 1, 0, ...values.map(() => empty));
    }
    values.forEach((column, across) => column.forEach((value, down) => this.set(down + 1, at + across, { value })));
  }

  deleteRow(row: number): void {
    this.rows.splice(row - 1, 1);
  }

  deleteColumn(column: number): void {
    for (const row of this.rows) row.splice(column - 1, 1);
  }

  /** Numbers before texts, empty cells last; equal rows keep their order. */
  sort(column: number, descending: boolean): void {
    const key = (row: readonly Cell[]): string => row[column - 1]?.value ?? '';
    const rank = (text: string): number => (text === '' ? 2 : isNumeric(text) ? 0 : 1);
    const way = descending ? -1 : 1;
    const sorted = this.rows.slice(this.frozen).sort((one, two) => {
      const [a, b] = [key(one), key(two)];
      if (rank(a) === 2 || rank(b) === 2) return rank(a) - rank(b);
      if (rank(a) !== rank(b)) return way * (rank(a) - rank(b));
      if (rank(a) === 0) return way * (Number(a) - Number(b));
      return way * (a.toLowerCase() < b.toLowerCase() ? -1 : a.toLowerCase() > b.toLowerCase() ? 1 : 0);
    });
    this.rows = [...this.rows.slice(0, this.frozen), ...sorted];
  }

  /** Every cell shows what the first one holds. */
  merge(top: number, left: number, bottom: number, right: number): void {
    const { value } = this.at(top, left);
    for (const row of span(top, bottom)) for (const column of span(left, right)) this.set(row, column, { value });
  }
}

export function isNumeric(text: string): boolean {
  return /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*$/.test(text) && Number.isFinite(Number(text));
}

/** A number as a cell shows it: at most ten digits. */
export function shown(value: number): string {
  return String(Number(value.toPrecision(10)));
}

/** What a formula over cells shows; texts and empty cells do not count. */
export function formula(operator: Operator, values: readonly string[]): string {
  const numbers = values.filter(isNumeric).map(Number);
  const sum = numbers.reduce((total, value) => total + value, 0);
  switch (operator) {
    case 'SUM':
      return shown(sum);
    case 'AVERAGE':
      return numbers.length === 0 ? '#DIV/0!' : shown(sum / numbers.length);
    case 'COUNT':
      return String(numbers.length);
    case 'MAX':
      return numbers.length === 0 ? '0' : shown(Math.max(...numbers));
    case 'MIN':
      return numbers.length === 0 ? '0' : shown(Math.min(...numbers));
    case 'MINUS': {
      const [first, second] = numbers;
      return first === undefined || second === undefined || numbers.length > 2 ? '#N/A' : shown(first - second);
    }
    case 'PRODUCT':
      return numbers.length === 0 ? '0' : shown(numbers.reduce((product, value) => product * value, 1));
  }
}

/** `C4` as row and column, or undefined. Columns go up to Z, as in the original. */
export function place(position: string): readonly [row: number, column: number] | undefined {
  const [, letter = '', row = ''] = /^([A-Z])([1-9]\d{0,3})$/.exec(position) ?? [];
  return letter === '' ? undefined : [Number(row), letter.charCodeAt(0) - 64];
}

export function address(row: number, column: number): string {
  return `${String.fromCharCode(64 + column)}${row}`;
}

function span(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
}

/**
 * The share of equal cells among all that either sheet has. The original counts only the area that both have, by which a row that is to be
 * added is there before anybody has added it.
 */
export function match(one: readonly (readonly string[])[], two: readonly (readonly string[])[]): number {
  const [height, width] = [Math.max(one.length, two.length), Math.max(one[0]?.length ?? 0, two[0]?.length ?? 0)];
  const cells = span(0, height - 1).flatMap((row) =>
    span(0, width - 1).map((column) => [one[row]?.[column], two[row]?.[column]]),
  );
  return cells.length === 0 ? 0 : cells.filter(([a, b]) => a === b).length / cells.length;
}
