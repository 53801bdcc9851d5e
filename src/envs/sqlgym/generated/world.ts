/** A database of ours: its tables read from their line, and rows drawn from a seed. The same seed gives the same rows. */
import { AgogeError } from '../../../core/error.ts';
import { Random } from '../../../core/random/random.ts';
import type { Content } from '../../../sandbox/sqlite/requests.ts';
import type { Schema } from '../schema.ts';
import { drawName, type NameKind } from './names.ts';

export type Value = string | number | null;

export interface Column {
  readonly name: string;
  readonly kind: 'id' | 'name' | 'ref' | 'category' | 'number' | 'date';
  readonly type: 'INTEGER' | 'TEXT' | 'REAL';
  /** Where it points, for a `ref`. */
  readonly table?: string;
  draw(random: Random, row: number, rowsOf: (table: string) => number, taken: Set<string>): Value;
}

export interface Table {
  readonly name: string;
  readonly plural: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Value[])[];
}

export interface World {
  readonly name: string;
  readonly tables: readonly Table[];
}

export function makeWorld(name: string, text: string, seed: number): World {
  const lines = text.trim().split('\n').map(readTable);
  const rowsOf = (table: string): number => {
    const line = lines.find((one) => one.name === table);
    if (!line) throw new AgogeError('ENV_BAD_DATABASE', `${name} has no table ${table}: correct its line`);
    return line.size;
  };
  const tables = lines.map(({ name: table, plural, size, columns }): Table => {
    const random = Random.of(seed, 'sqlgym', name, table);
    const taken = columns.map(() => new Set<string>());
    const row = (_: unknown, number: number): Value[] =>
      columns.map((column, i) => column.draw(random, number, rowsOf, taken[i] as Set<string>));
    return { name: table, plural, columns, rows: Array.from({ length: size }, row) };
  });
  return { name, tables };
}

interface Line {
  readonly name: string;
  readonly plural: string;
  readonly size: number;
  readonly columns: readonly Column[];
}

const NUMBERS = /^(\d+)(?:\.(\d+))?\.\.(\d+)(?:\.\d+)?$/;

/** `team 24/teams: name company; stadium_id ref stadium; founded 1890..2015`. */
function readTable(line: string): Line {
  const [, name = '', size = '', plural, columns = ''] = /^(\w+) (\d+)(?:\/([\w ]+))?: (.*)$/.exec(line) ?? [];
  const read = columns.split('; ').map((text): Column => {
    const [, column = '', kind = '', unknown = ''] = /^(\w+) (.*?)(\?)?$/.exec(text) ?? [];
    return unknown === '' ? readColumn(column, kind) : sometimesUnknown(readColumn(column, kind));
  });
  return { name, plural: plural ?? pluralOf(name), size: Number(size), columns: [id, ...read] };
}

const id: Column = { name: 'id', kind: 'id', type: 'INTEGER', draw: (_, row) => row + 1 };

function readColumn(name: string, kind: string): Column {
  const [word = '', rest = ''] = kind.split(/ (.*)/);
  if (word === 'ref') {
    return { name, kind: 'ref', type: 'INTEGER', table: rest, draw: (random, _, rowsOf) => 1 + random.below(rowsOf(rest)) };
  }
  if (word === 'of') {
    const values = rest.split(', ');
    return { name, kind: 'category', type: 'TEXT', draw: (random) => random.pick(values) };
  }
  if (word === 'date') {
    const [first = 0, last = 0] = rest.split('..').map(Number);
    return { name, kind: 'date', type: 'TEXT', draw: (random) => drawDate(random, first, last) };
  }
  const range = NUMBERS.exec(kind);
  if (range) {
    const [, low = '', decimals = '', high = ''] = range;
    const scale = 10 ** decimals.length;
    const from = Math.round(Number(`${low}.${decimals || 0}`) * scale);
    const draw = (random: Random): number => random.between(from, Number(high) * scale) / scale;
    return { name, kind: 'number', type: decimals === '' ? 'INTEGER' : 'REAL', draw };
  }
  return { name, kind: 'name', type: 'TEXT', draw: (random, _row, _rowsOf, taken) => drawName(random, word as NameKind, taken) };
}

function sometimesUnknown(column: Column): Column {
  return { ...column, draw: (random, ...rest) => (random.below(10) === 0 ? null : column.draw(random, ...rest)) };
}

function drawDate(random: Random, first: number, last: number): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${random.between(first, last)}-${two(random.between(1, 12))}-${two(random.between(1, 28))}`;
}

function pluralOf(noun: string): string {
  if (/(s|x|ch|sh)$/.test(noun)) return `${noun}es`;
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

/** The database as it is handed to SQLite. */
export function contentOf({ tables }: World): Content {
  return {
    schema: tables.map(({ name, columns }) => {
      const lines = columns.map((column) => {
        if (column.kind === 'id') return 'id INTEGER PRIMARY KEY';
        return `${column.name} ${column.type}${column.table === undefined ? '' : ` REFERENCES ${column.table} (id)`}`;
      });
      return `CREATE TABLE ${name} (${lines.join(', ')})`;
    }),
    tables: tables.map(({ name, rows }) => ({ name, rows })),
  };
}

/** The schema as BIRD's files have it; with `only`, of these tables. */
export function schemaOf(world: World, only?: ReadonlySet<string>): Schema {
  const tables = world.tables.filter(({ name }) => only === undefined || only.has(name));
  const columns = tables.flatMap((table, number) => table.columns.map((column) => ({ table: number, column })));
  const idOf = (table: string): number =>
    1 + columns.findIndex(({ table: t, column }) => tables[t]?.name === table && column.kind === 'id');
  return {
    db_id: world.name,
    table_names: tables.map(({ name }) => name),
    column_names: [[-1, '*'], ...columns.map(({ table, column }): [number, string] => [table, column.name])],
    primary_keys: columns.flatMap(({ column }, i) => (column.kind === 'id' ? [i + 1] : [])),
    foreign_keys: columns.flatMap(({ column }, i): [number, number][] => {
      const to = column.table === undefined ? 0 : idOf(column.table);
      return to === 0 ? [] : [[i + 1, to]];
    }),
  };
}
