/**
 * Runs one statement as the cursor of Python's sqlite3 module does (`execute`, then `fetchall`): the same refusals in the same
 * words before SQLite is asked, SQLite's own words after, rows with integers and reals kept apart. The environments that
 * benchmarks share are judged by that module.
 */
import type { Database as Connection, Sqlite3Static } from '@sqlite.org/sqlite-wasm';
import { createHash } from 'node:crypto';
import type { SqliteAnswer } from './requests.ts';
import { rowKey, toWire, type SqlValue, type WireValue } from './values.ts';

/** Rows are told apart by their keys; of a long key this many bytes of a hash are kept instead. */
const LONG = 64;
const HASH = 16;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function execute(sqlite: Sqlite3Static, db: Connection, sql: string, show: number): SqliteAnswer {
  const refusal = refusedByPython(sql);
  if (refusal !== undefined) return { kind: 'error', message: refusal };
  const { capi, wasm } = sqlite;
  const scope = wasm.scopedAllocPush();
  let statement = 0;
  // A statement as long as the caller likes does not fit the stack that scoped allocation is meant for: it is freed below.
  const bytes = Buffer.from(sql, 'utf8');
  const text = wasm.alloc(bytes.length + 1);
  try {
    wasm.heap8u().set(bytes, text);
    wasm.heap8u()[text + bytes.length] = 0;
    const [pointer = 0, tail = 0] = wasm.scopedAllocPtr(2, true);
    if (capi.sqlite3_prepare_v3(db, text, bytes.length, 0, pointer, tail) !== capi.SQLITE_OK) return failure(sqlite, db);
    statement = wasm.peekPtr(pointer);
    const rest = bytes.subarray(wasm.peekPtr(tail) - text).toString('utf8');
    if (!isBlank(rest)) return { kind: 'error', message: 'You can only execute one statement at a time.' };
    if (statement === 0) return { kind: 'rows', columns: [], rows: [], count: 0, digest: digest(new Set()) };
    const wanted = capi.sqlite3_bind_parameter_count(statement);
    if (wanted > 0) {
      const message = `Incorrect number of bindings supplied. The current statement uses ${wanted}, and there are 0 supplied.`;
      return { kind: 'error', message };
    }
    return fetchAll(sqlite, db, statement, show);
  } finally {
    if (statement !== 0) capi.sqlite3_finalize(statement);
    wasm.dealloc(text);
    wasm.scopedAllocPop(scope);
    if (capi.sqlite3_get_autocommit(db) === 0) capi.sqlite3_exec(db, 'ROLLBACK', 0, 0, 0);
  }
}

function fetchAll(sqlite: Sqlite3Static, db: Connection, statement: number, show: number): SqliteAnswer {
  const { capi } = sqlite;
  const width = capi.sqlite3_column_count(statement);
  const columns = Array.from({ length: width }, (_, i) => capi.sqlite3_column_name(statement, i));
  const shown: WireValue[][] = [];
  const seen = new Set<string>();
  let count = 0;
  for (;;) {
    const code = capi.sqlite3_step(statement);
    if (code === capi.SQLITE_DONE) break;
    if (code !== capi.SQLITE_ROW) return failure(sqlite, db);
    const row: SqlValue[] = [];
    for (let i = 0; i < width; i++) {
      const value = valueOf(sqlite, statement, i);
      if (typeof value === 'object' && value !== null && 'undecoded' in value) {
        return { kind: 'error', message: undecodable(columns[i] ?? '', value.undecoded) };
      }
      row.push(value);
    }
    if (count < show) shown.push(row.map(toWire));
    count++;
    const key = rowKey(row);
    seen.add(key.length < LONG ? key : createHash('sha256').update(key).digest().toString('latin1', 0, HASH));
  }
  return { kind: 'rows', columns, rows: shown, count, digest: digest(seen) };
}

function valueOf({ capi, wasm }: Sqlite3Static, statement: number, column: number): SqlValue | { readonly undecoded: Buffer } {
  switch (capi.sqlite3_column_type(statement, column)) {
    case capi.SQLITE_INTEGER:
      return capi.sqlite3_column_int64(statement, column);
    case capi.SQLITE_FLOAT:
      return capi.sqlite3_column_double(statement, column);
    case capi.SQLITE_NULL:
      return null;
    case capi.SQLITE_BLOB: {
      const start = capi.sqlite3_column_blob(statement, column);
      return wasm.heap8u().slice(start, start + capi.sqlite3_column_bytes(statement, column));
    }
    default: {
      const start = capi.sqlite3_column_blob(statement, column);
      const bytes = wasm.heap8u().subarray(start, start + capi.sqlite3_column_bytes(statement, column));
      try {
        return strict.decode(bytes);
      } catch {
        return { undecoded: Buffer.from(bytes) };
      }
    }
  }
}

function failure({ capi }: Sqlite3Static, db: Connection): SqliteAnswer {
  return { kind: 'error', message: capi.sqlite3_errmsg(db) };
}

/** What Python's module refuses before SQLite sees it. */
function refusedByPython(sql: string): string | undefined {
  const lone = /\p{Surrogate}+/u.exec(sql);
  if (lone) {
    const position = Array.from(sql.slice(0, lone.index)).length;
    const code = `\\u${lone[0].charCodeAt(0).toString(16)}`;
    if (lone[0].length === 1)
      return `'utf-8' codec can't encode character '${code}' in position ${position}: surrogates not allowed`;
    return `'utf-8' codec can't encode characters in position ${position}-${position + lone[0].length - 1}: surrogates not allowed`;
  }
  return sql.includes('\0') ? 'the query contains a null character' : undefined;
}

/** Whether only blanks and comments are left; a comment without its end counts as one. */
function isBlank(rest: string): boolean {
  return /^(?:[ \t\r\n\f\v]|--[^\n]*(?:\n|$)|\/\*[\s\S]*?(?:\*\/|$))*$/.test(rest);
}

/** Python writes this into 200 bytes and reads those as ASCII. */
function undecodable(column: string, text: Buffer): string {
  const upToNull = text.includes(0) ? text.subarray(0, text.indexOf(0)) : text;
  const whole = Buffer.concat([
    Buffer.from(`Could not decode to UTF-8 column '${column}' with text '`),
    upToNull,
    Buffer.from("'"),
  ]);
  return whole
    .subarray(0, 198)
    .toString('latin1')
    .replace(/[\x80-\xff]/g, '\ufffd');
}

function digest(keys: ReadonlySet<string>): string {
  const hash = createHash('sha256');
  for (const one of [...keys].sort()) hash.update(`${one}\n`);
  return hash.digest('hex');
}
