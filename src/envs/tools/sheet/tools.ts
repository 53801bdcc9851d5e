/** The spreadsheet tools: names and answers as in AgentGym, which asks Google Sheets through gspread; here a sheet of our own answers. */
import { Declined, PythonError, tool, type Inputs, type Toolbox, type ToolForm } from '../core/kit.ts';
import { isDict, isList, numberIn, repr, str, type Plain, type Value } from '../../../core/python/values.ts';
import { address, formula, Grid, isNumeric, operators, OutOfGrid, place, shown } from './grid.ts';

const area = { start_position: 'first cell, such as "B2"', end_position: 'last cell, such as "D5"' };
const operator = { operator: 'SUM, AVERAGE, COUNT, MAX, MIN, MINUS or PRODUCT' };
const position = { position: 'cell, such as "B2"' };

export const sheetTools: readonly ToolForm[] = [
  tool('open_sheet', 'Open a sheet by its name.', { name: 'name of the sheet' }),
  tool('del_sheet', 'Delete a sheet.', { name: 'name of the sheet' }),
  tool('freeze_data', 'Freeze rows or columns; sorting leaves frozen rows alone.', {
    dimension: '"rows" or "columns"',
    num: 'how many',
  }),
  tool('get_A1_annotation', 'The name of a cell by row and column.', { row: 'number from 1', col: 'number from 1' }),
  tool('insert_cols', 'Insert columns.', {
    values_list: 'list of columns, each a list of values',
    col_idx: 'number of the first new column',
  }),
  tool('insert_rows', 'Insert rows.', {
    values_list: 'list of rows, each a list of values',
    row_idx: 'number of the first new row',
  }),
  tool('delete_batch_data', 'Delete rows or columns.', {
    dimension: '"row" or "col"',
    index_list: 'list of their numbers from 1',
  }),
  tool('update_cell', 'Give a cell a value.', { ...position, value: 'the value' }),
  tool('update_cell_by_formula', 'Give a cell what a formula makes of an area.', {
    ...area,
    result_position: 'cell of the result',
    ...operator,
  }),
  tool('update_range', 'Give an area values.', { ...area, values_list: 'list of rows, each a list of values' }),
  tool('sort_sheet_by_col', 'Sort the rows by a column.', { col_num: 'number of the column from 1', order: '"asc" or "des"' }),
  tool('merge_cells', 'Merge an area into one cell.', area),
  tool('update_note', 'Write the note of a cell.', { ...position, content: 'the text' }),
  tool('get_all_values', 'All values of the sheet.'),
  tool('get_range_values', 'The values of an area.', area),
  tool('get_cell_value', 'The value of a cell.', position),
  tool('get_value_by_formula', 'What a formula makes of an area.', { ...area, ...operator }),
  tool('filter_cells', 'The cells that contain a text; ^ and $ stand for its borders, | for or.', {
    query: 'the text',
    in_row: 'number of a row to look in, or null',
    in_column: 'number of a column to look in, or null',
  }),
  tool('get_note', 'The note of a cell.', position),
  tool('finish', 'End the task.'),
];

const notOpen = 'Please open a sheet before operating it';
const badPosition =
  'In the sheet formula, you should use A1 notation to display all positions in the sheet and you can use get_A1_annotation(row, col) to get its A1 address.';
/** Errors come back as Python's `repr` of them, and a text as the repr of the text. */
const fail = (text: string): never => {
  throw new Declined(repr(text));
};

export class SheetBox implements Toolbox {
  readonly first: readonly (readonly string[])[];
  private grid: Grid;
  private opened = false;

  constructor(
    private readonly name: string,
    grid: Grid,
  ) {
    this.grid = grid.copy();
    this.first = this.grid.values();
  }

  /** The values, or undefined before the sheet was opened. */
  get seen(): readonly (readonly string[])[] | undefined {
    return this.opened ? this.grid.values() : undefined;
  }

  get values(): readonly (readonly string[])[] {
    return this.grid.values();
  }

  view(): Plain {
    return { name: this.name, opened: this.opened, rows: this.grid.values() };
  }

  call(named: string, input: Inputs): Value {
    if (named === 'open_sheet') return this.open(str(input.get('name')));
    if (!this.opened) throw new Declined(notOpen);
    const before = this.grid;
    // A call that fails half-way changes nothing.
    this.grid = before.copy();
    try {
      return this.act(named, input);
    } catch (error) {
      this.grid = before;
      if (error instanceof OutOfGrid)
        throw new Declined("APIError({'code': 400, 'message': 'Range exceeds grid limits.', 'status': 'INVALID_ARGUMENT'})");
      throw error;
    }
  }

  private open(name: string): Value {
    if (name !== this.name) throw new Declined(`WorksheetNotFound(${repr(name)})`);
    this.opened = true;
    return `<Worksheet ${repr(name)} id:0>`;
  }

  private act(named: string, input: Inputs): Value {
    const { grid } = this;
    switch (named) {
      case 'finish':
      case 'get_all_values':
        return grid.values();
      case 'del_sheet':
        // The original hands the name where gspread wants the sheet.
        throw new Declined(`AttributeError("'str' object has no attribute 'id'")`);
      case 'freeze_data': {
        const [dimension, num] = [str(input.get('dimension')), whole(input.get('num'))];
        if (dimension !== 'rows' && dimension !== 'columns')
          return fail('Error: the dimension should be one of the rows/columns');
        if (dimension === 'rows') grid.frozen = Math.max(0, num);
        return `You have successfully freeze the ${dimension} ${num}`;
      }
      case 'get_A1_annotation': {
        const [row, column] = [whole(input.get('row')), whole(input.get('col'))];
        if (row < 1 || column < 1 || column > 26) throw new OutOfGrid();
        return address(row, column);
      }
      case 'get_value_by_formula':
        return this.formula(input);
      case 'update_note': {
        const [row, column] = cell(input.get('position'));
        grid.set(row, column, { note: str(input.get('content')) });
        return `Updated! the ${str(input.get('position'))}'s note is ${grid.at(row, column).note}`;
      }
      case 'get_range_values': {
        const [[top, left], [bottom, right]] = corners(input);
        return grid.range(top, left, Math.min(bottom, 200), right);
      }
      case 'get_cell_value': {
        const { value } = grid.at(...cell(input.get('position')));
        return value === '' ? null : value;
      }
      case 'get_note':
        return grid.at(...cell(input.get('position'))).note;
      case 'filter_cells':
        return this.filter(input);
      default:
        return this.change(named, input) ? grid.values() : null;
    }
  }

  /** Tools that write and answer with the whole sheet; false where there is no such tool. */
  private change(named: string, input: Inputs): boolean {
    const { grid } = this;
    switch (named) {
      case 'insert_cols':
        grid.insertColumns(whole(input.get('col_idx')), table(input.get('values_list')));
        return true;
      case 'insert_rows':
        grid.insertRows(whole(input.get('row_idx')), table(input.get('values_list')));
        return true;
      case 'delete_batch_data':
        this.remove(str(input.get('dimension')), input.get('index_list'));
        return true;
      case 'update_cell': {
        const [row, column] = cell(input.get('position'));
        grid.set(row, column, { value: written(input.get('value')) });
        return true;
      }
      case 'update_cell_by_formula': {
        const value = this.formula(input);
        const [row, column] = cell(input.get('result_position'));
        grid.set(row, column, { value });
        return true;
      }
      case 'update_range': {
        const [[top, left], [bottom, right]] = corners(input);
        const rows = table(input.get('values_list'));
        const now = grid.values();
        if (top === 1 && left === 1 && bottom === now.length && right === now[0]?.length)
          return fail('Warning: You cannot update whole sheet at once, please try other functions');
        rows.forEach((line, down) =>
          line.forEach((value, across) => {
            if (top + down > bottom || left + across > right) throw new OutOfGrid();
            grid.set(top + down, left + across, { value });
          }),
        );
        return true;
      }
      case 'sort_sheet_by_col': {
        const [column, order] = [whole(input.get('col_num')), str(input.get('order'))];
        if (order !== 'asc' && order !== 'des')
          throw new Declined(`ValueError("Either 'asc' or 'des' should be specified as sort order.")`);
        grid.sort(column, order === 'des');
        return true;
      }
      case 'merge_cells': {
        const [[top, left], [bottom, right]] = corners(input);
        grid.merge(top, left, bottom, right);
        return true;
      }
      default:
        return false;
    }
  }

  private remove(dimension: string, list: Value): void {
    const indexes = isList(list) ? list.map(whole) : fail('index_list should be a list');
    const now = this.grid.values();
    if (dimension !== 'row' && dimension !== 'col') return fail('Wrong dimension, please choose from row/col');
    const most = dimension === 'row' ? now.length - 1 : (now[0]?.length ?? 0);
    if (indexes.length >= most) return fail('Warning: You cannot delete whole sheet at once, please try other functions');
    for (const index of [...indexes].sort((a, b) => b - a)) {
      if (index < 1) throw new OutOfGrid();
      if (dimension === 'row') this.grid.deleteRow(index);
      else this.grid.deleteColumn(index);
    }
  }

  private formula(input: Inputs): string {
    const asked = str(input.get('operator'));
    const known = operators.find((one) => one === asked);
    if (!known) return fail(`the operator should be one of the [${operators.map((one) => `"${one}"`).join(', ')}]`);
    const list = isDict(input.given) ? input.given['position_list'] : undefined;
    if (isList(list))
      return formula(
        known,
        list.map((one) => this.grid.at(...cell(one)).value),
      );
    const [[top, left], [bottom, right]] = corners(input);
    return formula(known, this.grid.range(top, left, Math.min(bottom, 200), right).flat());
  }

  private filter(input: Inputs): Value {
    const given = isDict(input.given) ? input.given : {};
    const fits = pattern(str(given['query'] ?? ''));
    const [row, column] = [given['in_row'] ?? null, given['in_column'] ?? null].map((one) =>
      one === null ? undefined : whole(one),
    );
    return this.grid.values().flatMap((line, down) =>
      line.flatMap((value, across) => {
        const here = (row === undefined || row === down + 1) && (column === undefined || column === across + 1);
        return here && fits(value) ? [address(down + 1, across + 1)] : [];
      }),
    );
  }
}

/** Texts with ^, $ and |; a full pattern could be made to run for ever, so others are refused. */
function pattern(query: string): (text: string) => boolean {
  const inner = /^(\^?)\(([^()]*)\)(\$?)$/.exec(query);
  const parts = inner ? (inner[2] ?? '').split('|').map((part) => `${inner[1] ?? ''}${part}${inner[3] ?? ''}`) : query.split('|');
  const tests = parts.map((part) => {
    const text = part.replace(/^\^/, '').replace(/\$$/, '');
    if (/[\\[\](){}*+?^$]/.test(text)) return fail('error: only texts with ^, $ and | can be searched for');
    const [start, end] = [part.startsWith('^'), part.endsWith('$')];
    return (value: string): boolean =>
      start && end ? value === text : start ? value.startsWith(text) : end ? value.endsWith(text) : value.includes(text);
  });
  return (value) => tests.some((test) => test(value));
}

function cell(value: Value): readonly [number, number] {
  return place(str(value)) ?? fail(badPosition);
}

function corners(input: Inputs): readonly [readonly [number, number], readonly [number, number]] {
  return [cell(input.get('start_position')), cell(input.get('end_position'))];
}

function whole(value: Value): number {
  const number = typeof value === 'string' && isNumeric(value) ? Number(value) : numberIn(value);
  if (number !== undefined && Number.isInteger(number)) return number;
  throw new PythonError('ValueError', `invalid literal for int() with base 10: ${repr(str(value))}`);
}

/** A value as a cell takes it: numbers, and texts that are numbers, in one writing. */
function written(value: Value): string {
  const number = numberIn(value);
  if (number !== undefined) return shown(number);
  const text = value === null ? '' : str(value);
  return isNumeric(text) ? shown(Number(text)) : text;
}

function table(value: Value): string[][] {
  if (isList(value) && value.every(isList)) return value.map((line) => (isList(line) ? line.map(written) : []));
  return fail('The values_list needs to be a 2D list, please check your parameter');
}
