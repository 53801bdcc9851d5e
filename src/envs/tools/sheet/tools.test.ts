import { describe, expect, it } from 'vitest';
import { Declined, Inputs, PythonError } from '../core/kit.ts';
import { parseLiteral, str } from '../../../core/python/values.ts';
import { Grid } from './grid.ts';
import { sheet } from './sheet.ts';
import { SheetBox } from './tools.ts';

const first = [
  ['Name', 'Mark', 'Class'],
  ['bee', '10', 'x'],
  ['ant', '9', 'y'],
  ['cow', '7', 'x'],
];

function open(rows: readonly (readonly string[])[] = first): { box: SheetBox; say: (tool: string, input?: string) => string } {
  const box = new SheetBox('Sheet7', new Grid(rows));
  const say = (tool: string, input = '{}'): string => {
    try {
      return str(box.call(tool, new Inputs(parseLiteral(input) ?? null)));
    } catch (error) {
      if (error instanceof PythonError || error instanceof Declined) return error.message;
      throw error;
    }
  };
  return { box, say };
}

function opened(rows?: readonly (readonly string[])[]): ReturnType<typeof open> {
  const found = open(rows);
  found.say('open_sheet', "{'name': 'Sheet7'}");
  return found;
}

const outside = "APIError({'code': 400, 'message': 'Range exceeds grid limits.', 'status': 'INVALID_ARGUMENT'})";
const notation =
  "'In the sheet formula, you should use A1 notation to display all positions in the sheet and you can use get_A1_annotation(row, col) to get its A1 address.'";

describe('before the sheet is open', () => {
  it('every tool asks for it, and it opens by its name alone', () => {
    const { say, box } = open();
    expect(say('get_all_values')).toBe('Please open a sheet before operating it');
    expect(say('finish')).toBe('Please open a sheet before operating it');
    expect(say('open_sheet', "{'name': 'Sheet8'}")).toBe("WorksheetNotFound('Sheet8')");
    expect(box.seen).toBeUndefined();
    expect(say('open_sheet', "{'name': 'Sheet7'}")).toBe("<Worksheet 'Sheet7' id:0>");
    expect(box.seen).toEqual(first);
  });
});

describe('reading', () => {
  it.each([
    ['get_cell_value', "{'position': 'B2'}", '10'],
    ['get_cell_value', "{'position': 'Z9'}", 'None'],
    ['get_cell_value', "{'position': 'b2'}", notation],
    ['get_range_values', "{'start_position': 'A1', 'end_position': 'B2'}", "[['Name', 'Mark'], ['bee', '10']]"],
    ['get_A1_annotation', "{'row': 3, 'col': 2}", 'B3'],
    ['get_A1_annotation', "{'row': '3', 'col': '2'}", 'B3'],
    ['get_A1_annotation', "{'row': 0, 'col': 2}", outside],
    ['get_A1_annotation', "{'row': 'x', 'col': 2}", "invalid literal for int() with base 10: 'x'"],
    ['get_value_by_formula', "{'start_position': 'B2', 'end_position': 'B4', 'operator': 'MAX'}", '10'],
    ['get_value_by_formula', "{'position_list': ['B2', 'B4'], 'operator': 'MINUS'}", '3'],
    [
      'get_value_by_formula',
      "{'position_list': ['B2'], 'operator': 'MEAN'}",
      `'the operator should be one of the ["SUM", "AVERAGE", "COUNT", "MAX", "MIN", "MINUS", "PRODUCT"]'`,
    ],
    ['get_note', "{'position': 'A2'}", ''],
    ['get_note', '{}', "'position'"],
    ['filter_cells', "{'query': 'x'}", "['C2', 'C4']"],
    ['filter_cells', "{'query': 'x', 'in_row': 2}", "['C2']"],
    ['filter_cells', "{'query': 'a', 'in_row': null, 'in_column': 1}", "['A1', 'A3']"],
    ['filter_cells', "{'query': '^a', 'in_column': 1}", "['A3']"],
    ['filter_cells', "{'query': 'e$'}", "['A1', 'A2']"],
    ['filter_cells', "{'query': '^(bee|cow)$'}", "['A2', 'A4']"],
    ['filter_cells', "{'query': 'bee|cow'}", "['A2', 'A4']"],
    ['filter_cells', "{'query': 10}", "['B2']"],
  ])('%s %s: %s', (tool, input, answer) => expect(opened().say(tool, input)).toBe(answer));
  it('a pattern that could run for ever is refused at once', () => {
    for (const query of ['(a+)+$', '(a|a)*', '.{99999}', '[a-z]', 'a?b', '(?=a)'])
      expect(opened().say('filter_cells', `{'query': '${query}'}`)).toBe(
        "'error: only texts with ^, $ and | can be searched for'",
      );
  });
});

describe('writing', () => {
  it.each([
    ['12', '12'],
    ["'12.50'", '12.5'],
    ['3.0', '3'],
    ['True', '1'],
    ['None', ''],
    ["'twelve'", 'twelve'],
    ["'0x1F'", '0x1F'],
  ])('the value %s shows as %j', (value, shown) => {
    const { say, box } = opened();
    say('update_cell', `{'position': 'B2', 'value': ${value}}`);
    expect(box.values[1]?.[1]).toBe(shown);
  });
  it('an area takes a table that fits, and the whole sheet none', () => {
    const { say, box } = opened();
    say('update_range', "{'start_position': 'A2', 'end_position': 'B3', 'values_list': [['fly', 1], ['elk', '2']]}");
    expect(box.values).toEqual([first[0], ['fly', '1', 'x'], ['elk', '2', 'y'], first[3]]);
    expect(say('update_range', "{'start_position': 'A1', 'end_position': 'C4', 'values_list': [['a']]}")).toBe(
      "'Warning: You cannot update whole sheet at once, please try other functions'",
    );
    expect(say('update_range', "{'start_position': 'A2', 'end_position': 'B3', 'values_list': ['a']}")).toBe(
      "'The values_list needs to be a 2D list, please check your parameter'",
    );
  });
  it('a formula writes its result; places are checked first', () => {
    const { say, box } = opened();
    const area = "'start_position': 'B2', 'end_position': 'B4'";
    say('update_cell_by_formula', `{${area}, 'result_position': 'B5', 'operator': 'SUM'}`);
    expect(box.values[4]).toEqual(['', '26', '']);
    expect(say('update_cell_by_formula', `{${area}, 'result_position': 'BB5', 'operator': 'SUM'}`)).toBe(notation);
  });
  it('merged cells show what the first one holds', () => {
    const { say } = opened();
    expect(say('merge_cells', "{'start_position': 'A2', 'end_position': 'B3'}")).toBe(
      "[['Name', 'Mark', 'Class'], ['bee', 'bee', 'x'], ['bee', 'bee', 'y'], ['cow', '7', 'x']]",
    );
  });
  it('a note is told again', () => {
    const { say, box } = opened();
    expect(say('update_note', "{'position': 'A2', 'content': 'small'}")).toBe("Updated! the A2's note is small");
    expect(say('get_note', "{'position': 'A2'}")).toBe('small');
    expect(box.values).toEqual(first);
  });
  it('sorting knows asc and des, and leaves what is frozen', () => {
    const { say } = opened();
    expect(say('sort_sheet_by_col', "{'col_num': 2, 'order': 'desc'}")).toContain("Either 'asc' or 'des' should be specified");
    expect(say('freeze_data', "{'dimension': 'rows', 'num': 2}")).toBe('You have successfully freeze the rows 2');
    expect(say('freeze_data', "{'dimension': 'cells', 'num': 2}")).toBe(
      "'Error: the dimension should be one of the rows/columns'",
    );
    expect(say('sort_sheet_by_col', "{'col_num': 2, 'order': 'asc'}")).toBe(
      "[['Name', 'Mark', 'Class'], ['bee', '10', 'x'], ['cow', '7', 'x'], ['ant', '9', 'y']]",
    );
  });
});

describe('deleting', () => {
  it.each([
    ['the rows of a list, from the end', "{'dimension': 'row', 'index_list': [2, '4']}", [first[0], first[2]]],
    ['columns', "{'dimension': 'col', 'index_list': [1, 3]}", [['Mark'], ['10'], ['9'], ['7']]],
    ['nothing', "{'dimension': 'row', 'index_list': []}", first],
  ])('%s', (_, input, left) => {
    const { say, box } = opened();
    say('delete_batch_data', input);
    expect(box.values).toEqual(left);
  });
  it.each([
    ['all rows but one', "{'dimension': 'row', 'index_list': [2, 3, 4]}", 'You cannot delete whole sheet at once'],
    ['all columns', "{'dimension': 'col', 'index_list': [1, 2, 3]}", 'You cannot delete whole sheet at once'],
    ['another dimension', "{'dimension': 'cell', 'index_list': [1]}", 'Wrong dimension, please choose from row/col'],
    ['no list', "{'dimension': 'row', 'index_list': 2}", 'should be a list'],
    ['a number below 1, after one that is there', "{'dimension': 'row', 'index_list': [3, 0]}", 'Range exceeds grid limits'],
    ['a sheet', "{'name': 'Sheet7'}", "'dimension'"],
  ])('%s is refused and changes nothing', (_, input, why) => {
    const { say, box } = opened();
    expect(say('delete_batch_data', input)).toContain(why);
    expect(box.values).toEqual(first);
  });
  it('of a sheet fails as in the original', () => {
    expect(opened().say('del_sheet', "{'name': 'Sheet7'}")).toBe(`AttributeError("'str' object has no attribute 'id'")`);
  });
});

describe('a call that leaves the grid', () => {
  it.each([
    ['merge_cells', "{'start_position': 'A2', 'end_position': 'C9999'}"],
    ['update_range', "{'start_position': 'A2', 'end_position': 'B2', 'values_list': [['p', 'q', 'r']]}"],
    ['update_range', "{'start_position': 'A199', 'end_position': 'A999', 'values_list': [['p'], ['q'], ['r']]}"],
    ['insert_rows', `{'row_idx': 2, 'values_list': [[${'1,'.repeat(27)}]]}`],
    ['insert_rows', "{'row_idx': 1000000000, 'values_list': []}"],
    ['insert_cols', `{'col_idx': 2, 'values_list': [[${'1,'.repeat(201)}]]}`],
    ['insert_cols', "{'col_idx': 26, 'values_list': [['a'], ['b']]}"],
    ['update_cell', "{'position': 'A9999', 'value': 1}"],
  ])('%s %.60s is refused as a whole', (tool, input) => {
    const { say, box } = opened();
    expect(say(tool, input)).toBe(outside);
    expect(box.values).toEqual(first);
  });
});

describe('the score', () => {
  const task = { env: 'sheet', split: 'test', index: 0 };
  it('is 0 for the sheet as it was found, 1 for the one that was asked for, less for damage', () => {
    const name = /"(Sheet\d+)"/.exec(sheet().tasks('test').info(0).title ?? '')?.[1] ?? '';
    const opening = `open_sheet with Action Input: {"name": "${name}"}`;
    const episode = sheet().open(task);
    expect(episode.step(opening)).toMatchObject({ reward: 0, done: false });
    expect(episode.step('finish with Action Input: {}')).toMatchObject({ reward: 0, done: true, success: false });
    const expert = sheet().expert(task);
    const good = sheet().open(task);
    let total = 0;
    for (let action = expert.next(''); action !== null; action = expert.next('')) total += good.step(action).reward;
    expect(total).toBeCloseTo(1, 12);
  });
  it('ends at finish in any letters, as the original’s does', () => {
    const episode = sheet().open(task);
    expect(episode.send('Action: open_sheet with Action Input: {"name": "FINISH"}').done).toBe(true);
  });
});
