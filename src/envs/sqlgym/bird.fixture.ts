/** BIRD folders for tests: a tiny one that is written here, and one with the real superhero database where it is at hand. */
import init from '@sqlite.org/sqlite-wasm';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Content } from '../../sandbox/sqlite/requests.ts';
import { Sqlite } from '../../sandbox/sqlite/sqlite.ts';
import type { Schema } from './schema.ts';

const shared = resolve('../shared/data/sqlgym');

/** Why the real database cannot be used here, or undefined. */
export const superheroMissing = existsSync(join(shared, 'superhero.sqlite'))
  ? undefined
  : 'there is no ../shared/data/sqlgym with the superhero database';

export interface Asked {
  readonly db_id: string;
  readonly question: string;
  readonly SQL: string;
  readonly evidence: string;
  readonly difficulty: string;
}

/** Writes a dev half: questions, schemas and an empty folder for each database. */
export function writeDev(folder: string, questions: readonly Asked[], schemas: readonly Schema[]): void {
  const dev = join(folder, 'dev');
  for (const { db_id } of schemas) mkdirSync(join(dev, 'dev_databases', db_id), { recursive: true });
  writeFileSync(join(dev, 'dev.json'), JSON.stringify(questions));
  writeFileSync(join(dev, 'dev_tables.json'), JSON.stringify(schemas));
}

export function databaseFile(folder: string, id: string): string {
  return join(folder, 'dev/dev_databases', id, `${id}.sqlite`);
}

/** A database file with this content. */
export async function writeDatabase(path: string, { schema, tables }: Content): Promise<void> {
  const { oo1, capi } = await init();
  const db = new oo1.DB(':memory:', 'c');
  for (const statement of schema) db.exec(statement);
  for (const { name, rows } of tables) {
    for (const row of rows) db.exec({ sql: `INSERT INTO ${name} VALUES (${row.map(() => '?').join()})`, bind: [...row] });
  }
  writeFileSync(path, capi.sqlite3_js_db_export(db));
  db.close();
}

/** All of BIRD's development questions with the one database that is at hand, described by its own schema. */
export async function superheroFolder(folder: string): Promise<readonly Asked[]> {
  const given = JSON.parse(readFileSync(join(shared, 'bird_dev_questions.json'), 'utf8')) as (Asked & { sql: string })[];
  const questions = given.map(({ sql, ...rest }) => ({ ...rest, evidence: '', difficulty: rest.difficulty, SQL: sql }));
  const file = join(shared, 'superhero.sqlite');
  writeDev(folder, questions, [await schemaOfFile('superhero', file)]);
  copyFileSync(file, databaseFile(folder, 'superhero'));
  return questions;
}

async function schemaOfFile(id: string, file: string): Promise<Schema> {
  await using sqlite = new Sqlite();
  const rows = async (sql: string): Promise<string[][]> => {
    const result = await sqlite.query({ key: id, file }, sql, { show: 10_000 });
    return result.kind === 'rows' ? result.rows.map((row) => row.map(String)) : [];
  };
  const tables = (await rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")).flat();
  const columns: [number, string][] = [[-1, '*']];
  const primary: number[] = [];
  const links: [number, string, string][] = [];
  for (const [number, table] of tables.entries()) {
    for (const [, name = '', , , , key] of await rows(`PRAGMA table_info(${table})`)) {
      if (key === '1') primary.push(columns.length);
      columns.push([number, name]);
    }
    for (const [, , to = '', from = '', column = ''] of await rows(`PRAGMA foreign_key_list(${table})`)) {
      links.push([columns.findIndex(([t, name]) => t === number && name === from), to, column]);
    }
  }
  const foreign = links.map(([from, table, column]): [number, number] => {
    const to = tables.indexOf(table);
    return [from, columns.findIndex(([t, name]) => t === to && name === column)];
  });
  return { db_id: id, table_names: tables, column_names: columns, primary_keys: primary, foreign_keys: foreign };
}
