import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { address, formula, Grid, isNumeric, match, operators, OutOfGrid, place, shown, type Operator } from './grid.ts';

const grid = (): Grid =>
  new Grid([
    ['Name', 'Mark', 'Class'],
    ['bee', '10', 'x'],
    ['Ant', '9.5', ''],
    ['cow', '', 'y'],
  ]);

describe('values', () => {
  it('reach to the last row and column that hold something', () => {
    const sheet = grid();
    sheet.set(9, 5, { value: 'far' });
    sheet.set(12, 7, { note: 'a note is no value' });
    expect(sheet.values()).toHaveLength(9);
    expect(sheet.values().every((row) => row.length === 5)).toBe(true);
    sheet.set(9, 5, { value: '' });
    expect(sheet.values()).toEqual(grid().values());
    expect(new Grid([]).values()).toEqual([]);
    expect(new Grid([['', ''], ['']]).values()).toEqual([]);
  });
  it('of an area are empty outside the sheet, and none where the area is turned round', () => {
    expect(grid().range(4, 3, 5, 4)).toEqual([
      ['y', ''],
      ['', ''],
    ]);
    expect(grid().range(3, 1, 2, 1)).toEqual([]);
    expect(grid().at(100, 100)).toEqual({ value: '', note: '' });
  });
  it('of a copy are its own', () => {
    const sheet = grid();
    sheet.frozen = 2;
    const copy = sheet.copy();
    copy.set(1, 1, { value: 'changed' });
    copy.deleteColumn(1);
    expect(sheet.values()).toEqual(grid().values());
    expect(copy.frozen).toBe(2);
  });
});

describe('writing', () => {
  it('keeps value and note apart', () => {
    const sheet = grid();
    sheet.set(2, 1, { note: 'small' });
    sheet.set(2, 1, { value: 'fly' });
    expect(sheet.at(2, 1)).toEqual({ value: 'fly', note: 'small' });
  });
  it('cuts texts of any length and refuses places outside of 200 rows and 26 columns', () => {
    const sheet = grid();
    sheet.set(200, 26, { value: 'x'.repeat(10_000), note: 'y'.repeat(10_000) });
    expect([sheet.at(200, 26).value.length, sheet.at(200, 26).note.length]).toEqual([500, 500]);
    for (const [row, column] of [
      [0, 1],
      [1, 0],
      [-1, 1],
      [201, 1],
      [1, 27],
    ] as const)
      expect(() => sheet.set(row, column, { value: '' })).toThrow(OutOfGrid);
  });
});

describe('rows and columns', () => {
  it('are inserted before the one of that number', () => {
    const sheet = grid();
    sheet.insertRows(2, [['new', '1'], ['newer']]);
    expect(sheet.values().map(([name]) => name)).toEqual(['Name', 'new', 'newer', 'bee', 'Ant', 'cow']);
    sheet.insertColumns(1, [['Rank', '1', '2']]);
    expect(sheet.values().slice(0, 3)).toEqual([
      ['Rank', 'Name', 'Mark', 'Class'],
      ['1', 'new', '1', ''],
      ['2', 'newer', '', ''],
    ]);
  });
  it('are inserted beyond the end, with empty ones between', () => {
    const sheet = grid();
    sheet.insertRows(7, [['late']]);
    sheet.insertColumns(5, [['far']]);
    expect(sheet.values()[6]).toEqual(['late', '', '', '', '']);
    expect(sheet.values()[0]).toEqual(['Name', 'Mark', 'Class', '', 'far']);
  });
  it('are refused where the sheet would grow too large, whatever the number, at once', () => {
    for (const at of [0, -1, 201, 1e9, 1e300]) {
      expect(() => grid().insertRows(at, [['x']]), `row ${at}`).toThrow(OutOfGrid);
      expect(() => grid().insertColumns(at, [['x']]), `column ${at}`).toThrow(OutOfGrid);
    }
    expect(() => grid().insertRows(1e9, [])).toThrow(OutOfGrid);
    expect(() =>
      grid().insertRows(
        1,
        Array.from({ length: 197 }, () => ['x']),
      ),
    ).toThrow(OutOfGrid);
  });
  it('are deleted with their notes; one that is not there changes nothing', () => {
    const sheet = grid();
    sheet.set(2, 1, { note: 'gone' });
    sheet.deleteRow(2);
    sheet.deleteRow(50);
    sheet.deleteColumn(3);
    sheet.deleteColumn(9);
    expect(sheet.values()).toEqual([
      ['Name', 'Mark'],
      ['Ant', '9.5'],
      ['cow', ''],
    ]);
    expect(sheet.at(2, 1).note).toBe('');
  });
});

describe('sorting', () => {
  const sorted = (values: readonly string[], descending = false, frozen = 0): string[] => {
    const sheet = new Grid(values.map((value, at) => [value, String(at)]));
    sheet.frozen = frozen;
    sheet.sort(1, descending);
    return sheet.values().map(([value = '', at = '']) => value + (value === '' ? at : ''));
  };
  it.each([
    ['numbers by their value', ['10', '9.5', '-1', '1e1'], ['-1', '9.5', '10', '1e1']],
    ['numbers before texts', ['b', '2', 'a', '1'], ['1', '2', 'a', 'b']],
    ['texts without regard to case', ['b', 'A', 'a', 'B'], ['A', 'a', 'b', 'B']],
    ['empty cells last', ['', 'a', '', '1'], ['1', 'a', '0', '2']],
  ])('%s', (_, values, expected) => expect(sorted(values)).toEqual(expected));
  it('downwards turns all but the empty cells', () => {
    expect(sorted(['', '2', 'a', '10', 'B'], true)).toEqual(['B', 'a', '10', '2', '0']);
  });
  it('leaves frozen rows alone, even more than there are', () => {
    expect(sorted(['z', 'y', 'b', 'a'], false, 2)).toEqual(['z', 'y', 'a', 'b']);
    expect(sorted(['b', 'a'], false, 99)).toEqual(['b', 'a']);
  });
  it('by a column that is not there keeps the order', () => {
    for (const column of [0, -3, 40]) {
      const sheet = grid();
      sheet.sort(column, false);
      expect(sheet.values()).toEqual(grid().values());
    }
  });
  it('keeps rows whole and all of them', () => {
    const cell = fc.oneof(fc.constantFrom('', '1', '2', 'a', 'A'), fc.string({ maxLength: 3 }));
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, fc.string({ minLength: 1, maxLength: 3 }))), fc.boolean(), (rows, down) => {
        const sheet = new Grid(rows);
        sheet.sort(1, down);
        const text = (row: readonly string[]): string => JSON.stringify(row);
        expect(sheet.range(1, 1, rows.length, 2).map(text).sort()).toEqual(rows.map(text).sort());
      }),
      { seed: 1, numRuns: 50 },
    );
  });
});

describe('formulas', () => {
  it.each<[Operator, readonly string[], string]>([
    ['SUM', ['1', 'x', '', '2.5'], '3.5'],
    ['SUM', [], '0'],
    ['SUM', ['0.1', '0.2'], '0.3'],
    ['AVERAGE', ['1', '2', 'x'], '1.5'],
    ['AVERAGE', ['x', ''], '#DIV/0!'],
    ['COUNT', ['1', 'x', '', '-2', '0'], '3'],
    ['MAX', ['-3', '-1', 'x'], '-1'],
    ['MAX', [], '0'],
    ['MIN', ['-3', '-1'], '-3'],
    ['MIN', ['x'], '0'],
    ['MINUS', ['5', '7'], '-2'],
    ['MINUS', ['5'], '#N/A'],
    ['MINUS', ['5', '1', '1'], '#N/A'],
    ['PRODUCT', ['2', '', '3'], '6'],
    ['PRODUCT', ['x'], '0'],
  ])('%s of %j is %s', (operator, values, result) => expect(formula(operator, values)).toBe(result));
  it('do not depend on the order, but for MINUS', () => {
    const cells = fc.array(fc.oneof(fc.integer({ min: -1000, max: 1000 }).map(String), fc.constantFrom('', 'x')));
    fc.assert(
      fc.property(cells, (values) => {
        for (const operator of operators)
          if (operator !== 'MINUS') expect(formula(operator, [...values].reverse())).toBe(formula(operator, values));
      }),
      { seed: 1, numRuns: 50 },
    );
  });
});

describe('numbers', () => {
  it.each(['1', ' 1 ', '-1.5', '+2', '.5', '5.', '1e3', '1E-3'])('%j is one', (text) => expect(isNumeric(text)).toBe(true));
  it.each(['', ' ', 'x', '1x', '1 2', '0x10', '0b1', 'Infinity', 'NaN', '1e999', '1,5', '--1', '.'])('%j is none', (text) =>
    expect(isNumeric(text)).toBe(false),
  );
  it('are shown with ten digits at most', () => {
    expect([shown(1 / 3), shown(0.1 + 0.2), shown(12), shown(-0.5)]).toEqual(['0.3333333333', '0.3', '12', '-0.5']);
  });
});

describe('places', () => {
  it('and addresses are two names of one thing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: 1, max: 26 }), (row, column) => {
        expect(place(address(row, column))).toEqual([row, column]);
      }),
      { seed: 1 },
    );
  });
  it.each(['', 'A', '1', 'A0', 'a1', 'AA1', 'A1B2', 'A01', 'A-1', 'A1:B2', 'A99999', ' A1', 'A1\n'])('%j is none', (text) =>
    expect(place(text)).toBeUndefined(),
  );
});

describe('the share of equal cells', () => {
  it('counts every cell that either sheet has', () => {
    const one = [
      ['a', 'b'],
      ['c', 'd'],
    ];
    expect(match(one, one)).toBe(1);
    expect(match(one, [['a', 'b']])).toBe(0.5);
    expect(match(one, [['a'], ['c']])).toBe(0.5);
    expect(match(one, [])).toBe(0);
    expect(match([], [])).toBe(0);
  });
  it('is the same from both sides and between 0 and 1', () => {
    const table = fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 })).chain(([height, width]) =>
      fc.array(fc.array(fc.constantFrom('', 'a', 'b'), { minLength: width, maxLength: width }), {
        minLength: height,
        maxLength: height,
      }),
    );
    fc.assert(
      fc.property(table, table, (one, two) => {
        const share = match(one, two);
        expect(share).toBe(match(two, one));
        expect(share >= 0 && share <= 1).toBe(true);
        expect(share === 1).toBe(JSON.stringify(one) === JSON.stringify(two));
      }),
      { seed: 1 },
    );
  });
});
