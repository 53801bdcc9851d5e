/**
 * What a query may do, as SQLite's authorizer is told: read. Writes pass here, because the connection is read-only and says so
 * in the words that everybody knows; what reaches beyond the database or outlives the query is denied ("not authorized").
 */

/** SQLite's action codes (https://sqlite.org/c3ref/c_alter_table.html), those that are denied or looked at. */
const PRAGMA = 19;
const DENIED: ReadonlySet<number> = new Set([
  3,
  4,
  5,
  6, // CREATE TEMP INDEX, TABLE, TRIGGER, VIEW
  12,
  13,
  14,
  15, // DROP TEMP INDEX, TABLE, TRIGGER, VIEW
  24,
  25, // ATTACH, DETACH
]);

/** Pragmas that only tell, with or without an argument. */
const TELLING: ReadonlySet<string> = new Set([
  'table_info',
  'table_xinfo',
  'table_list',
  'index_list',
  'index_info',
  'index_xinfo',
  'foreign_key_list',
  'foreign_key_check',
  'database_list',
  'collation_list',
  'function_list',
  'module_list',
  'pragma_list',
  'compile_options',
  'integrity_check',
  'quick_check',
]);

/** Pragmas that tell when they are given nothing. */
const TELLING_ALONE: ReadonlySet<string> = new Set([
  'user_version',
  'application_id',
  'schema_version',
  'encoding',
  'page_size',
  'page_count',
  'freelist_count',
  'foreign_keys',
  'journal_mode',
  'query_only',
]);

export function mayDo(action: number, first: string | null, second: string | null): boolean {
  if (action !== PRAGMA) return !DENIED.has(action);
  const name = (first ?? '').toLowerCase();
  return TELLING.has(name) || (second === null && TELLING_ALONE.has(name));
}
