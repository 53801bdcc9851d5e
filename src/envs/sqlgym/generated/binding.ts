/** How templates find their tables, columns and values in a database, and how those are said in English and in SQL. */
import { at as entry } from '../../../core/at.ts';
import type { Random } from '../../../core/random/random.ts';
import type { Column, Table, Value, World } from './world.ts';

/** Tables with a column of each kind, and those columns. */
export interface Bound {
  readonly table: Table;
  readonly columns: readonly Column[];
}

export type Kind = Column['kind'];

export function bind(world: World, random: Random, ...kinds: readonly Kind[]): Bound | undefined {
  const fitting = world.tables.flatMap((table) => {
    const columns = pickColumns(table, random, kinds);
    return columns ? [{ table, columns }] : [];
  });
  return fitting.length === 0 ? undefined : random.pick(fitting);
}

/** One column for each kind, none twice; a `name` is always the table's first. */
function pickColumns(table: Table, random: Random, kinds: readonly Kind[]): Column[] | undefined {
  const chosen: Column[] = [];
  for (const kind of kinds) {
    const fitting = table.columns.filter((column) => column.kind === kind && !chosen.includes(column));
    const column = kind === 'name' ? fitting[0] : fitting.length > 0 ? random.pick(fitting) : undefined;
    if (!column) return undefined;
    chosen.push(column);
  }
  return chosen;
}

/** A table that points to another, with columns of each. */
export interface Joined {
  readonly child: Bound;
  readonly parent: Bound;
  readonly on: string;
}

export function join(
  world: World,
  random: Random,
  childKinds: readonly Kind[],
  parentKinds: readonly Kind[],
): Joined | undefined {
  const fitting = world.tables.flatMap((table) =>
    table.columns.flatMap((ref): Joined[] => {
      const target = world.tables.find(({ name }) => name === ref.table);
      const columns = target && pickColumns(table, random, childKinds);
      const above = target && pickColumns(target, random, parentKinds);
      if (!columns || !above) return [];
      const on = `${table.name} AS T1 INNER JOIN ${target.name} AS T2 ON T1.${ref.name} = T2.id`;
      return [{ child: { table, columns }, parent: { table: target, columns: above }, on }];
    }),
  );
  return fitting.length === 0 ? undefined : random.pick(fitting);
}

/** A noun with its article. */
export const a = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
export const at = ({ columns }: Bound, i: number): Column => columns[i] as Column;
export const said = ({ name }: { readonly name: string }): string => name.replaceAll('_', ' ');
export const quoted = (value: Value): string => (typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value));

/** The known values of a column in rising order, gathered once. */
export function values({ rows, columns }: Table, column: Column): readonly Exclude<Value, null>[] {
  const known = gathered.get(rows)?.get(column);
  if (known) return known;
  const position = columns.indexOf(column);
  const found = rows.flatMap((row) => (row[position] === null || row[position] === undefined ? [] : [row[position]]));
  found.sort((x, y) => (x < y ? -1 : x > y ? 1 : 0));
  const ofTable = gathered.get(rows) ?? new Map<Column, readonly Exclude<Value, null>[]>();
  gathered.set(rows, ofTable.set(column, found));
  return found;
}

const gathered = new WeakMap<Table['rows'], Map<Column, readonly Exclude<Value, null>[]>>();

/** A value of a row. */
export function some(random: Random, table: Table, column: Column): Exclude<Value, null> {
  return random.pick(values(table, column));
}

/** A value from the middle half, so that there are some on both sides. */
export function middle(random: Random, table: Table, column: Column): Exclude<Value, null> {
  const sorted = values(table, column);
  const quarter = Math.floor(sorted.length / 4);
  return entry(sorted, random.between(quarter, Math.max(quarter, sorted.length - 1 - quarter)));
}

/** A row's values of two columns, both known. */
export function pair(random: Random, { table, columns }: Bound, i: number, j: number): readonly [Value, Value] | undefined {
  const [a, b] = [table.columns.indexOf(columns[i] as Column), table.columns.indexOf(columns[j] as Column)];
  const rows = table.rows.filter((row) => row[a] !== null && row[b] !== null);
  const row = rows.length > 0 ? random.pick(rows) : undefined;
  return row && [row[a] ?? null, row[b] ?? null];
}

/** A value of a row of `parent` that a row of `child` points to. */
export function pointedTo(random: Random, child: Table, parent: Table, column: Column): string {
  const ref = child.columns.findIndex(({ table }) => table === parent.name);
  const id = Number(random.pick(child.rows)[ref]);
  return quoted(parent.rows[id - 1]?.[parent.columns.indexOf(column)] ?? null);
}

export function countsOf(items: readonly Value[]): number[] {
  const counts = new Map<Value, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts.values()];
}
