import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Sqlite, type Database } from './sqlite.ts';

const sqlite = new Sqlite({ limits: { milliseconds: 800, memory: 512 * 2 ** 20, output: 2 ** 20 } });
const zoo: Database = {
  key: 'zoo',
  content: () => ({
    schema: ['CREATE TABLE animal (id INTEGER PRIMARY KEY, name TEXT, weight REAL)'],
    tables: [
      {
        name: 'animal',
        rows: [
          [1, 'ant', 0.5],
          [2, 'bear', 300],
          [3, "cat's", null],
        ],
      },
    ],
  }),
};
const ask = (sql: string) => sqlite.query(zoo, sql);

afterAll(() => sqlite[Symbol.asyncDispose]());

describe('Sqlite', () => {
  it('keeps integers, reals, texts and bytes apart', async () => {
    const result = await ask(`SELECT 1, 1.0, 9223372036854775807, 'ü', x'00ff', NULL, "text in double quotes", 1e999`);
    const bytes = Uint8Array.of(0, 255);
    expect(result).toMatchObject({
      rows: [[1n, 1, 9223372036854775807n, 'ü', bytes, null, 'text in double quotes', Infinity]],
    });
  });

  it('gives equal digests to equal sets of rows as Python has it', async () => {
    const digest = async (sql: string) => ((await ask(sql)) as { digest: string }).digest;
    const one = await digest('SELECT 1, NULL UNION ALL SELECT 2, 3');
    expect(await digest('SELECT 2.0, 3 UNION ALL SELECT 1, NULL UNION ALL SELECT 1.0, NULL')).toBe(one);
    expect(await digest("SELECT '1', NULL UNION ALL SELECT 2, 3")).not.toBe(one);
    expect(await digest('SELECT NULL, 1 UNION ALL SELECT 3, 2')).not.toBe(one);
    expect(await digest('SELECT 9007199254740993')).not.toBe(await digest('SELECT 9007199254740992.0'));
    expect(await digest("SELECT x'61'")).not.toBe(await digest("SELECT 'a'"));
    expect(await digest("SELECT 'a', 'b'")).not.toBe(await digest("SELECT 'a;t1:b', NULL"));
  });

  it.each([
    ['', '[]'],
    ['-- nothing', '[]'],
    ['SELECT 1; -- fine', '[[1]]'],
    ['SELECT 1;;', 'You can only execute one statement at a time.'],
    ['SELECT 1; DROP TABLE animal', 'You can only execute one statement at a time.'],
    ['SELECT ?, :a', 'Incorrect number of bindings supplied. The current statement uses 2, and there are 0 supplied.'],
    ['SELECT 1\0', 'the query contains a null character'],
    ["SELECT '\ud800'", "'utf-8' codec can't encode character '\\ud800' in position 8: surrogates not allowed"],
    ['SELEC 1', 'near "SELEC": syntax error'],
    ['SELECT x FROM animal', 'no such column: x'],
    ["SELECT CAST(x'ff41' AS TEXT) AS nm", "Could not decode to UTF-8 column 'nm' with text '\ufffdA'"],
  ])('answers %j as Python does', async (sql, expected) => {
    const result = await ask(sql);
    const said =
      result.kind === 'error'
        ? result.message
        : JSON.stringify(result.rows, (_, v: unknown) => (typeof v === 'bigint' ? Number(v) : v));
    expect(said).toBe(expected);
  });

  const hostile: [string, RegExp][] = [
    ['WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c', /^interrupted$/],
    ['WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c', /^(interrupted|out of memory)$/],
    [
      `SELECT count(*) FROM ${Array.from({ length: 40 }, (_, i) => `animal a${i}`).join(', ')} WHERE a0.weight + a39.weight = 0.123`,
      /^interrupted$/,
    ],
    ["SELECT load_extension('libc.so.6')", /no such function|not authorized/],
    ["ATTACH 'stolen.db' AS stolen", /^not authorized$/],
    ["VACUUM INTO 'stolen.db'", /authoriz|denied/],
    ['PRAGMA query_only = 0', /^not authorized$/],
    ['PRAGMA hard_heap_limit = 0', /^not authorized$/],
    ['DELETE FROM animal', /^attempt to write a readonly database$/],
    ['CREATE TABLE x AS SELECT 1', /^attempt to write a readonly database$/],
    ['CREATE TEMP TABLE x AS SELECT 1', /^not authorized$/],
    ['SELECT length(hex(zeroblob(900000000)))', /^out of memory$/],
    [
      "SELECT replace(hex(zeroblob(30000000)), '0', hex(zeroblob(1000000)))",
      /^(out of memory|interrupted|string or blob too big)$/,
    ],
    ['SELECT hex(zeroblob(5000000))', /^string or blob too big$/],
    [`SELECT '${'x'.repeat(10 * 2 ** 20)}'`, /^string or blob too big$/],
    [`SELECT ${'('.repeat(100_000)}`, /stack overflow|depth|incomplete|syntax/],
    [
      // Nearly a match at every place: no machine is fast enough.
      "SELECT like('%' || hex(zeroblob(20000)) || '1%', hex(zeroblob(30000000)))",
      /^(interrupted|LIKE or GLOB pattern too complex)$/,
    ],
  ];
  it.each(hostile)('ends %.60s with an error, and goes on', async (sql, error) => {
    expect(await ask(sql)).toMatchObject({ kind: 'error', message: error });
    expect(await ask('SELECT count(*) FROM animal')).toMatchObject({ rows: [[3n]] });
  });

  it('rolls back what a query began', async () => {
    expect(await ask('BEGIN')).toMatchObject({ kind: 'rows', count: 0 });
    expect(await ask('BEGIN')).toMatchObject({ kind: 'rows', count: 0 });
  });

  it('says that a file is not there, or no database', async () => {
    expect(await sqlite.query({ key: 'none', file: '/no/such/file' }, 'SELECT 1')).toMatchObject({ message: /unable to open/ });
    const here = new URL(import.meta.url).pathname;
    expect(await sqlite.query({ key: 'ts', file: here }, 'SELECT * FROM t')).toMatchObject({ message: 'file is not a database' });
  });

  it.skipIf(process.platform === 'win32')('does not wait for a pipe in the place of a database', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'agoge-pipe-'));
    try {
      const pipe = join(folder, 'pipe.sqlite');
      execFileSync('mkfifo', [pipe]);
      expect(await sqlite.query({ key: 'pipe', file: pipe }, 'SELECT 1')).toMatchObject({ message: /unable to open/ });
      expect(await sqlite.query({ key: 'zero', file: '/dev/zero' }, 'SELECT 1')).toMatchObject({ message: /unable to open/ });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('answers thousands of queries without growing', async () => {
    for (let i = 0; i < 2000; i++)
      expect(await ask(`SELECT name FROM animal WHERE id = ${i % 4}`)).toMatchObject({ kind: 'rows' });
  });
});
