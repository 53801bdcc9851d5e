import { describe, expect, it } from 'vitest';
import { mayDo } from './permissions.ts';

/** Action codes as sqlite3.h has them (https://sqlite.org/c3ref/c_alter_table.html). */
const actions = {
  CREATE_INDEX: 1,
  CREATE_TABLE: 2,
  CREATE_TEMP_INDEX: 3,
  CREATE_TEMP_TABLE: 4,
  CREATE_TEMP_TRIGGER: 5,
  CREATE_TEMP_VIEW: 6,
  CREATE_TRIGGER: 7,
  CREATE_VIEW: 8,
  DELETE: 9,
  DROP_INDEX: 10,
  DROP_TABLE: 11,
  DROP_TEMP_INDEX: 12,
  DROP_TEMP_TABLE: 13,
  DROP_TEMP_TRIGGER: 14,
  DROP_TEMP_VIEW: 15,
  DROP_TRIGGER: 16,
  DROP_VIEW: 17,
  INSERT: 18,
  READ: 20,
  SELECT: 21,
  TRANSACTION: 22,
  UPDATE: 23,
  ATTACH: 24,
  DETACH: 25,
  ALTER_TABLE: 26,
  REINDEX: 27,
  ANALYZE: 28,
  FUNCTION: 31,
  SAVEPOINT: 32,
  RECURSIVE: 33,
} as const;
const PRAGMA = 19;

describe('mayDo', () => {
  it('denies what reaches beyond the database or outlives the query, and nothing else', () => {
    const denied = Object.entries(actions).flatMap(([name, code]) => (mayDo(code, 'x', null) ? [] : [name]));
    const temporary = ['INDEX', 'TABLE', 'TRIGGER', 'VIEW'];
    expect(denied.sort()).toEqual(
      [...temporary.flatMap((of) => [`CREATE_TEMP_${of}`, `DROP_TEMP_${of}`]), 'ATTACH', 'DETACH'].sort(),
    );
  });

  it.each<[string, string | null, boolean]>([
    ['table_info', 'animal', true],
    ['TABLE_INFO', 'animal', true],
    ['table_list', null, true],
    ['foreign_key_check', 'animal', true],
    ['integrity_check', '10', true],
    ['user_version', null, true],
    ['user_version', '7', false],
    ['journal_mode', null, true],
    ['journal_mode', 'WAL', false],
    ['query_only', '0', false],
    ['foreign_keys', 'ON', false],
    ['hard_heap_limit', null, false],
    ['hard_heap_limit', '0', false],
    ['soft_heap_limit', '0', false],
    ['temp_store_directory', "'/tmp'", false],
    ['data_store_directory', "'/tmp'", false],
    ['wal_checkpoint', null, false],
    ['writable_schema', '1', false],
    ['trusted_schema', '1', false],
    ['mmap_size', '1000', false],
    ['cache_size', '1', false],
    ['', null, false],
  ])('PRAGMA %s = %s: %s', (name, value, may) => expect(mayDo(PRAGMA, name, value)).toBe(may));

  it('takes a pragma without a name for none', () => expect(mayDo(PRAGMA, null, null)).toBe(false));
});
