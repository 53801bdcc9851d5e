import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../core/random/any-character.fixture.ts';
import { fromWire, rowKey, toWire, type SqlValue } from '../../sandbox/sqlite/values.ts';
import type { SqlResult } from '../../sandbox/sqlite/sqlite.ts';
import { Judge, resultText, statementOf } from './judge.ts';
import type { Question } from './questions.ts';
import { rowsText, valueText } from './repr.ts';
import { describeSchema, type Schema } from './schema.ts';

const schema: Schema = { db_id: 'zoo', table_names: [], column_names: [], primary_keys: [], foreign_keys: [] };
const question: Question = { database: { key: 'zoo' }, schema, description: '', text: 'How many?', sql: 'gold', category: '' };
const rows = (digest: string, count = 1): SqlResult => ({ kind: 'rows', columns: ['a'], rows: [[1n]], count, digest });

/** An engine that knows its answers, and counts what it was asked. */
function judge(answers: Readonly<Record<string, SqlResult>>): { judge: Judge; asked: string[] } {
  const asked: string[] = [];
  const engine = {
    async query(_: unknown, sql: string): Promise<SqlResult> {
      asked.push(sql);
      return answers[sql] ?? { kind: 'error', message: `near "${sql}": syntax error` };
    },
  };
  return { judge: new Judge(engine), asked };
}

describe('the reward', () => {
  it('is 1 for the gold query’s set of rows and 0 for another', async () => {
    const { judge: one } = judge({ gold: rows('x'), same: rows('x', 7), other: rows('y') });
    const rewards = ['gold', 'same', 'other', 'typo'].map(async (sql) => (await one.judge(question, sql)).reward);
    expect(await Promise.all(rewards)).toEqual([1, 1, 0, 0]);
  });
  it('asks for the gold result once, and only where the statement gave rows', async () => {
    const { judge: one, asked } = judge({ gold: rows('x'), same: rows('x') });
    await one.judge(question, 'typo');
    expect(asked).toEqual(['typo']);
    await one.judge(question, 'same');
    await one.judge(question, 'same');
    expect(asked).toEqual(['typo', 'same', 'gold', 'same']);
  });
  it('keeps the gold results of two databases apart', async () => {
    const { judge: one, asked } = judge({ gold: rows('x'), same: rows('x') });
    await one.judge(question, 'same');
    await one.judge({ ...question, database: { key: 'farm' } }, 'same');
    expect(asked.filter((sql) => sql === 'gold')).toHaveLength(2);
  });
  it('is 0 where the gold query is wrong itself, as in the original', async () => {
    const { judge: one } = judge({ same: rows('x') });
    expect(await one.judge(question, 'same')).toMatchObject({ reward: 0 });
  });
  it('is none, and an error of the harness, where the sandbox had to stop the gold query; it is asked again then', async () => {
    const stopped: SqlResult = { kind: 'error', message: 'interrupted', stopped: 'SANDBOX_TIME' };
    const answers: Record<string, SqlResult> = { gold: stopped, same: rows('x') };
    const { judge: one } = judge(answers);
    await expect(one.judge(question, 'same')).rejects.toMatchObject({
      code: 'SANDBOX_TIME',
      message: /"How many\?" was stopped/,
    });
    answers['gold'] = rows('x');
    expect(await one.judge(question, 'same')).toMatchObject({ reward: 1 });
  });
  it('is 0 where the agent’s own statement was stopped', async () => {
    const { judge: one } = judge({ gold: rows('x'), slow: { kind: 'error', message: 'interrupted', stopped: 'SANDBOX_TIME' } });
    expect(await one.judge(question, 'slow')).toMatchObject({ reward: 0, result: { message: 'interrupted' } });
  });
});

describe('the statement in a reply', () => {
  it.each([
    ['SELECT 1', 'SELECT 1'],
    ['  SELECT 1 \n', 'SELECT 1'],
    ['Thought: x\n```sql\nSELECT 1\n```', 'SELECT 1'],
    ['```sql\nSELECT 1\n``` or ```sql SELECT 2 ``` done', 'SELECT 2'],
    ['```sql\nSELECT 1', 'SELECT 1'],
    ['```\nSELECT 1\n```', ''],
    ['SELECT 1 ``` and more', 'SELECT 1'],
    ['```SQL\nSELECT 1\n```', ''],
    ['', ''],
  ])('%j is %j', (reply, sql) => expect(statementOf(reply)).toBe(sql));
});

describe('the text of a result', () => {
  const texts = (count: number, value: SqlValue): SqlResult => ({
    kind: 'rows',
    columns: ['a'],
    rows: Array.from({ length: Math.min(count, 50) }, () => [value]),
    count,
    digest: '',
  });
  it('is cut after 100 characters, not before', () => {
    const exact = texts(1, 'x'.repeat(100 - "[('',)]".length));
    expect(resultText(exact)).toHaveLength(100);
    expect(resultText(texts(1, 'x'.repeat(94)))).toBe(`[('${'x'.repeat(94)}',)...`);
    expect(resultText({ kind: 'error', message: 'e'.repeat(101) })).toBe(`${'e'.repeat(100)}...`);
  });
  it('counts characters as Python does, not their halves', () => {
    expect(resultText(texts(1, '😀'.repeat(93)))).toBe(`[('${'😀'.repeat(93)}',)]`);
    expect(resultText(texts(1, '😀'.repeat(200)))).toBe(`[('${'😀'.repeat(97)}...`);
  });
  it('does not pass the first rows off as all of them', () => {
    expect(resultText(texts(51, 1n), 1000).endsWith('(1,), ...]')).toBe(true);
    expect(resultText(texts(50, 1n), 1000).endsWith('(1,)]')).toBe(true);
    expect(resultText(texts(51, 1n))).toBe(`${rowsText(Array.from({ length: 50 }, () => [1n])).slice(0, 100)}...`);
  });
});

describe('values', () => {
  const value = fc.oneof(
    fc.constant(null),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.double({ noNaN: true }),
    fc.string({ unit: anyCharacter }),
    fc.uint8Array({ maxLength: 5 }),
  );
  it('pass the border of the sandbox as they are, -0.0 and infinities among them', () => {
    fc.assert(
      fc.property(value, (one) => {
        expect(fromWire(JSON.parse(JSON.stringify(toWire(one))) as string)).toEqual(one);
      }),
      { seed: 1, numRuns: 300 },
    );
    expect([-0, Infinity, -Infinity].map((one) => fromWire(toWire(one)))).toEqual([-0, Infinity, -Infinity]);
    expect(valueText(fromWire(toWire(-0)))).toBe('-0.0');
  });
  it('have equal keys where their texts in Python are, and for 1 and 1.0', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 3 }), fc.array(value, { maxLength: 3 }), (one, two) => {
        if (rowsText([one]) === rowsText([two])) expect(rowKey(one)).toBe(rowKey(two));
        const number = (row: readonly SqlValue[]): boolean =>
          row.some((each) => typeof each === 'number' || typeof each === 'bigint');
        if (!number(one) && !number(two)) expect(rowKey(one) === rowKey(two)).toBe(rowsText([one]) === rowsText([two]));
      }),
      { seed: 1, numRuns: 300 },
    );
  });
  it.each<[SqlValue, SqlValue, boolean]>([
    [1n, 1, true],
    [0n, -0, true],
    [2n ** 53n, 2 ** 53, true],
    [2n ** 53n + 1n, 2 ** 53, false],
    [1n, 1.5, false],
    [1n, '1', false],
    [null, 'n', false],
    ['', null, false],
    ['a', Uint8Array.of(97), false],
    [Uint8Array.of(), '', false],
    [1e300, BigInt(1e300), true],
    [Infinity, 1e308, false],
  ])('%s == %s is %s', (one, two, same) => expect(rowKey([one]) === rowKey([two])).toBe(same));
  it('do not run into each other across columns', () => {
    expect(rowKey(['a', 'b'])).not.toBe(rowKey(['a;t1:b', null]));
    expect(rowKey(['ab', ''])).not.toBe(rowKey(['a', 'b']));
    expect(rowKey([1n, 2n])).not.toBe(rowKey([12n]));
    expect(rowKey([null, null])).not.toBe(rowKey([null]));
  });
  it.each<[SqlValue, string]>([
    [null, 'None'],
    [12345678901234567890n, '12345678901234567890'],
    [1e16, '1e+16'],
    [1e-5, '1e-05'],
    [123456789012345680, '1.2345678901234568e+17'],
    [0.1, '0.1'],
    [5, '5.0'],
    ['\u007f\u0000', "'\\x7f\\x00'"],
    ['a\u2028b', "'a\\u2028b'"],
    ['\u{E0001}', "'\\U000e0001'"],
    [Uint8Array.of(0x27, 0x22), `b'\\'"'`],
    [Uint8Array.of(9, 10, 13, 0x1f, 0x20, 0x7e), `b'\\t\\n\\r\\x1f ~'`],
  ])('%s prints as %s', (one, text) => expect(valueText(one)).toBe(text));
});

describe('the schema in sentences', () => {
  it('has a sentence for each table, with the empty key of one that has none', () => {
    expect(
      describeSchema({
        db_id: 'X',
        table_names: ['A', 'B'],
        column_names: [
          [-1, '*'],
          [0, 'Id'],
        ],
        primary_keys: [1],
        foreign_keys: [],
      }),
    ).toBe(
      'X contains tables such as a, b. Table a has columns such as id. id is the primary key. Table b has columns such as .  is the primary key.',
    );
  });
});
