/**
 * The program of a SQLite sandbox: keeps databases open, read-only, and runs one statement at a time on them under SQLite's own
 * limits (memory, time, what is authorized). Where those do not reach, the sandbox around it ends the process.
 */
import init, { type Database as Connection, type Sqlite3Static } from '@sqlite.org/sqlite-wasm';
import type { Answerer } from '../protocol.ts';
import { execute } from './cursor.ts';
import { mayDo } from './permissions.ts';
import { installReadOnlyFiles, READ_ONLY_FILES } from './read-only-files.ts';
import type { Content, SqliteAnswer, SqliteRequest } from './requests.ts';

/** Databases that are kept open; the one that was used longest ago is closed for the next. */
const MOST_OPEN = 24;
/** SQLite looks at the clock once in so many steps of its machine. */
const STEPS = 20_000;
/** So long before the sandbox would kill the process, SQLite interrupts the query itself. */
const HEAD_START = 200;

interface Options {
  /** Bytes that SQLite may hold. */
  readonly heap: number;
}

export async function start(options: unknown): Promise<Answerer> {
  const sqlite = await init();
  // Failed queries are answers here, not news for a console.
  sqlite.config.warn = sqlite.config.error = () => undefined;
  installReadOnlyFiles(sqlite);
  const open = new Map<string, Connection>();
  let deadline = Infinity;

  const opened = (key: string, file: string | undefined, content: Content | undefined): SqliteAnswer => {
    const oldest = open.keys().next();
    if (open.size >= MOST_OPEN && oldest.done !== true) {
      open.get(oldest.value)?.close();
      open.delete(oldest.value);
    }
    let db: Connection;
    try {
      db = file === undefined ? new sqlite.oo1.DB(':memory:', 'c') : new sqlite.oo1.DB(file, 'r', READ_ONLY_FILES);
    } catch {
      return { kind: 'error', message: 'unable to open database file' };
    }
    if (content) fill(db, content);
    guard(sqlite, db, options as Options, () => Date.now() > deadline);
    open.set(key, db);
    return { kind: 'opened' };
  };

  return (given, until) => {
    const request = given as SqliteRequest;
    if (request.kind === 'open') return opened(request.key, request.file, request.content);
    const db = open.get(request.key);
    if (!db) return { kind: 'unknown' } satisfies SqliteAnswer;
    open.delete(request.key);
    open.set(request.key, db);
    deadline = until - HEAD_START;
    try {
      return execute(sqlite, db, request.sql, request.show);
    } catch (thrown) {
      // The build's memory cannot grow any more: SQLite could not say so itself.
      if (thrown instanceof sqlite.WasmAllocError) return { kind: 'error', message: 'out of memory' };
      throw thrown;
    }
  };
}

function fill(db: Connection, { schema, tables }: Content): void {
  db.transaction(() => {
    for (const statement of schema) db.exec(statement);
    for (const { name, rows } of tables) {
      const width = rows[0]?.length ?? 0;
      if (width === 0) continue;
      const insert = db.prepare(`INSERT INTO "${name}" VALUES (${Array(width).fill('?').join(', ')})`);
      for (const row of rows) insert.bind([...row]).stepReset();
      insert.finalize();
    }
  });
}

/** From here on the connection can only read, within limits, and texts in double quotes are read as everywhere else. */
function guard({ capi }: Sqlite3Static, db: Connection, { heap }: Options, late: () => boolean): void {
  capi.sqlite3_db_config(db, capi.SQLITE_DBCONFIG_DQS_DML, 1, 0);
  capi.sqlite3_db_config(db, capi.SQLITE_DBCONFIG_DQS_DDL, 1, 0);
  capi.sqlite3_db_config(db, capi.SQLITE_DBCONFIG_DEFENSIVE, 1, 0);
  db.exec(`PRAGMA hard_heap_limit=${heap}; PRAGMA query_only=1; PRAGMA temp_store=MEMORY`);
  capi.sqlite3_limit(db, capi.SQLITE_LIMIT_ATTACHED, 0);
  capi.sqlite3_progress_handler(db, STEPS, () => (late() ? 1 : 0), 0);
  capi.sqlite3_set_authorizer(
    db,
    (_, action, first, second) => (mayDo(action, first || null, second || null) ? capi.SQLITE_OK : capi.SQLITE_DENY),
    0,
  );
}
