/** Errands in a sheet of products or of marks, from two calls to a dozen. */
import type { Random } from '../../../core/random/random.ts';
import type { Question, Side, Use } from '../core/kit.ts';
import { isList, str, type Value } from '../../../core/python/values.ts';
import { address, Grid } from './grid.ts';
import { SheetBox } from './tools.ts';

interface Draft {
  readonly category: string;
  readonly goal: string;
  readonly solve: (use: Use) => boolean;
}

interface Drawn {
  readonly random: Random;
  readonly rows: readonly (readonly string[])[];
  readonly title: readonly string[];
  readonly grid: Grid;
}

const things: Readonly<Record<Side, readonly string[]>> = {
  train: [
    'apple',
    'bread',
    'carrot',
    'duck',
    'egg',
    'fig',
    'grape',
    'honey',
    'juice',
    'kale',
    'lemon',
    'mango',
    'nut',
    'olive',
    'pear',
    'rice',
  ],
  validation: ['almond', 'butter', 'cocoa', 'date', 'endive', 'fennel', 'ginger', 'hazelnut'],
  test: ['apricot', 'barley', 'cherry', 'dill', 'elderberry', 'flour', 'garlic', 'hops', 'iris root', 'jam'],
};
const firstSheet: Readonly<Record<Side, number>> = { train: 1, validation: 31, test: 61 };
const shelves = ['Fruit', 'Bakery', 'Store', 'Cooler'];
const columns = ['Product', 'Shelf', 'Price', 'Quantity', 'Rating'];

export function askSheet(_seed: number, side: Side, random: Random): Question {
  const names = random.shuffle(things[side]).slice(0, random.between(5, 8));
  const cents = (): string => String(random.between(10, 400) / 10);
  const rows = names.map((name) => [
    name,
    random.pick(shelves),
    cents(),
    String(random.between(1, 300)),
    String(random.between(10, 50) / 10),
  ]);
  const grid = new Grid([columns, ...rows]);
  const name = `Sheet${firstSheet[side] + random.below(30)}`;
  const draft = random.pick(drafts)({ random, rows, title: columns, grid });
  return {
    category: draft.category,
    goal: draft.goal.replaceAll('SHEET', `"${name}"`),
    open: () => new SheetBox(name, grid),
    solve(use) {
      use('open_sheet', { name });
      return draft.solve(use) ? true : undefined;
    },
  };
}

/** A column of numbers in which no two rows are equal. */
function ranked({ random, rows, title }: Drawn): { at: number; name: string; clear: boolean } {
  const at = random.between(2, 4);
  return { at, name: title[at] ?? '', clear: new Set(rows.map((row) => row[at])).size === rows.length };
}

const drafts: readonly ((drawn: Drawn) => Draft)[] = [
  (drawn) => {
    const { at, name, clear } = ranked(drawn);
    const order = drawn.random.pick(['asc', 'des']);
    return {
      category: 'sort',
      goal: `In SHEET, sort the products in ${order === 'asc' ? 'ascending' : 'descending'} order by ${name}.`,
      solve: (use) => clear && did(use('sort_sheet_by_col', { col_num: at + 1, order })),
    };
  },
  ({ random, rows }) => {
    const shelf = random.pick(rows)[1] ?? '';
    return {
      category: 'delete rows',
      goal: `In SHEET, delete the rows of all products whose shelf is ${shelf}.`,
      solve(use) {
        const found = texts(use('filter_cells', { query: shelf, in_row: null, in_column: 2 })).map(rowOf);
        return found.length < rows.length - 1 && did(use('delete_batch_data', { dimension: 'row', index_list: found }));
      },
    };
  },
  ({ random, rows }) => {
    const product = random.pick(rows)[0] ?? '';
    const [at, name] = random.pick([
      [3, 'price'],
      [4, 'quantity'],
    ] as const);
    const value = random.between(1, 500);
    return {
      category: 'update cell',
      goal: `In SHEET, set the ${name} of ${product} to ${value}.`,
      solve: (use) => did(use('update_cell', { position: address(find(use, product), at), value })),
    };
  },
  ({ random, title }) => {
    const at = random.between(1, 4);
    return {
      category: 'delete column',
      goal: `In SHEET, delete the column "${title[at] ?? ''}".`,
      solve: (use) => did(use('delete_batch_data', { dimension: 'col', index_list: [at + 1] })),
    };
  },
  ({ random, rows }) => {
    const row = ['new stock', random.pick(shelves), random.between(1, 30), random.between(1, 300), random.between(1, 5)];
    return {
      category: 'add row',
      goal: `In SHEET, add a row below the last one with these values: ${row.join(', ')}.`,
      solve(use) {
        const height = table(use('get_all_values')).length;
        return height === rows.length + 1 && did(use('insert_rows', { values_list: [row], row_idx: height + 1 }));
      },
    };
  },
  (drawn) => {
    const { at, name } = ranked(drawn);
    const operator = drawn.random.pick(['SUM', 'AVERAGE', 'MAX', 'MIN']);
    const word = { SUM: 'sum', AVERAGE: 'average', MAX: 'maximum', MIN: 'minimum' }[operator] ?? '';
    return {
      category: 'formula',
      goal: `In SHEET, write the ${word} of the column "${name}" into the cell below its last value.`,
      solve(use) {
        const height = table(use('get_all_values')).length;
        const [first, last, result] = [2, height, height + 1].map((row) => address(row, at + 1));
        return did(
          use('update_cell_by_formula', {
            start_position: first ?? '',
            end_position: last ?? '',
            result_position: result ?? '',
            operator,
          }),
        );
      },
    };
  },
  ({ rows }) => ({
    category: 'value column',
    goal: 'In SHEET, add a column "Value" after the last one, with price times quantity of each product.',
    solve(use) {
      use('update_cell', { position: 'F1', value: 'Value' });
      for (const row of rows.keys())
        use('update_cell_by_formula', {
          start_position: address(row + 2, 3),
          end_position: address(row + 2, 4),
          result_position: address(row + 2, 6),
          operator: 'PRODUCT',
        });
      return true;
    },
  }),
  ({ random, rows }) => {
    const sold = random
      .shuffle(rows)
      .slice(0, 3)
      .map((row) => [row[0] ?? '', random.between(1, Number(row[3]))] as const);
    return {
      category: 'sales',
      goal: `In SHEET, take what was sold today off the quantities: ${sold.map(([name, count]) => `${count} ${name}`).join(', ')}.`,
      solve(use) {
        const now = table(use('get_all_values'));
        for (const [name, count] of sold) {
          const row = now.findIndex(([first]) => first === name);
          use('update_cell', { position: address(row + 1, 4), value: Number(now[row]?.[3]) - count });
        }
        return true;
      },
    };
  },
  ({ random, rows, grid }) => {
    const at = random.below(rows.length);
    const price = random.between(1, 90);
    grid.set(at + 2, 1, { note: `The new price is ${price}.` });
    return {
      category: 'note',
      goal: `In SHEET, change the price of ${rows[at]?.[0] ?? ''} as the note on the cell with its name says.`,
      solve(use) {
        const row = find(use, rows[at]?.[0] ?? '');
        const told = str(use('get_note', { position: address(row, 1) }));
        return did(use('update_cell', { position: address(row, 3), value: Number(/\d+/.exec(told)?.[0]) }));
      },
    };
  },
  (drawn) => {
    const { at, name, clear } = ranked(drawn);
    return {
      category: 'rank',
      goal: `In SHEET, sort the products in descending order by ${name} and add a column "Rank" after the last one that counts them from 1.`,
      solve(use) {
        use('sort_sheet_by_col', { col_num: at + 1, order: 'des' });
        return (
          clear && did(use('insert_cols', { values_list: [['Rank', ...drawn.rows.map((_, rank) => rank + 1)]], col_idx: 6 }))
        );
      },
    };
  },
];

function did(_answer: Value): boolean {
  return true;
}

function texts(value: Value): readonly string[] {
  return isList(value) ? value.map(String) : [];
}

function table(value: Value): readonly (readonly string[])[] {
  return isList(value) ? value.map(texts) : [];
}

function rowOf(position: string): number {
  return Number(position.slice(1));
}

function find(use: Use, product: string): number {
  return rowOf(texts(use('filter_cells', { query: `^${product}$`, in_row: null, in_column: 1 }))[0] ?? '');
}
