/**
 * What a person sees: a small terminal that reads what a command wrote and gives back its lines, those that scrolled away included.
 * It knows what our commands and their libraries send: moves, erasing, saved cursors, wrapping on and off, wide characters.
 */

interface Cell {
  row: number;
  column: number;
}

/** The lines of a terminal of this size after `output`, from the first that was written to the last, without trailing blanks. */
export function screenOf(output: string, columns = 80, rows = 24): string[] {
  const screen = new Screen(columns, rows);
  screen.write(output);
  return screen.text();
}

class Screen {
  private readonly lines: string[][] = [[]];
  /** How many lines have scrolled away. */
  private top = 0;
  private at: Cell = { row: 0, column: 0 };
  private saved: Cell = { row: 0, column: 0 };
  private wraps = true;

  constructor(
    private readonly columns: number,
    private readonly rows: number,
  ) {}

  text(): string[] {
    const lines = this.lines.map((cells) =>
      Array.from(cells, (cell: string | undefined) => cell ?? ' ')
        .join('')
        .trimEnd(),
    );
    while (lines.at(-1) === '') lines.pop();
    return lines;
  }

  write(output: string): void {
    // eslint-disable-next-line no-control-regex -- a terminal's commands begin with one
    for (const [part] of output.matchAll(/\u001b\[[\d;?]*[ -/]*[@-~]|\u001b[78=>]|\u001b\][^\u0007]*\u0007|[^]/gu)) {
      if (part.startsWith('\u001b[')) this.command(part.slice(2, -1), part.at(-1) ?? '');
      else if (part === '\u001b7') this.saved = { row: this.at.row - this.top, column: this.at.column };
      else if (part === '\u001b8') this.at = { row: this.saved.row + this.top, column: this.saved.column };
      else if (!part.startsWith('\u001b')) this.character(part);
    }
  }

  private character(sign: string): void {
    if (sign === '\r') this.at.column = 0;
    else if (sign === '\n') this.down();
    else if (sign === '\b') this.at.column = Math.max(0, this.at.column - 1);
    else if (sign >= ' ' && sign !== '\u007f') this.put(sign);
  }

  private put(sign: string): void {
    const width = /\p{Script=Han}|[\u3000-\u303f\uff00-\uff60]/u.test(sign) ? 2 : 1;
    if (this.at.column + width > this.columns) {
      if (this.wraps) {
        this.down();
        this.at.column = 0;
      } else this.at.column = this.columns - width;
    }
    const line = this.line();
    line[this.at.column] = sign;
    if (width === 2) line[this.at.column + 1] = '';
    this.at.column += width;
  }

  private down(): void {
    this.at.row++;
    if (this.at.row - this.top >= this.rows) this.top++;
    this.line();
  }

  private line(): string[] {
    while (this.lines.length <= this.at.row) this.lines.push([]);
    return this.lines[this.at.row] ?? [];
  }

  private command(argument: string, letter: string): void {
    const count = Math.max(1, Number.parseInt(argument, 10) || 1);
    const { at, top } = this;
    if (letter === 'A') at.row = Math.max(top, at.row - count);
    else if (letter === 'B') at.row = Math.min(top + this.rows - 1, at.row + count);
    else if (letter === 'C') at.column = Math.min(this.columns - 1, at.column + count);
    else if (letter === 'D') at.column = Math.max(0, at.column - count);
    else if (letter === 'G') at.column = count - 1;
    else if (letter === 'H') {
      const [row = '1', column = '1'] = argument.split(';');
      this.at = { row: top + (Number(row) || 1) - 1, column: (Number(column) || 1) - 1 };
    } else if (letter === 'K') this.eraseLine(argument);
    else if (letter === 'J') {
      this.eraseLine('0');
      this.lines.length = Math.min(this.lines.length, at.row + 1);
    } else if (argument === '?7') this.wraps = letter === 'h';
    this.line();
  }

  private eraseLine(how: string): void {
    const line = this.line();
    // A cursor behind the last column stands on it.
    const column = Math.min(this.at.column, this.columns - 1);
    if (how === '2') line.length = 0;
    else if (how === '1') line.fill(' ', 0, column + 1);
    else line.length = Math.min(line.length, column);
  }
}
