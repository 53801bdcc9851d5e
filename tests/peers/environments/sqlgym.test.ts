/**
 * SQLGym against its original (the PyPI package under AgentGym's server, on Python's sqlite3) over the real superhero database: the
 * gold queries and more than a thousand mutated or broken ones, text by text and reward by reward.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Random } from '../../../src/core/random/random.ts';
import { superheroFolder, superheroMissing } from '../../../src/envs/sqlgym/bird.fixture.ts';
import { resultText } from '../../../src/envs/sqlgym/judge.ts';
import { sqlGym } from '../../../src/envs/sqlgym/sqlgym.ts';
import { peersMissing, python } from '../python.ts';

const missing = peersMissing() ?? superheroMissing;
if (missing !== undefined) console.log(`skipped: ${missing}`);

const DEV = 9428;
const MUTATED = 1400;

interface Peer {
  readonly version: string;
  readonly observations: Readonly<Record<string, string>>;
  readonly answers: readonly (readonly [string, number])[];
}

describe.skipIf(missing !== undefined)('SQLGym beside its original', () => {
  it('gives the same texts and rewards', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'agoge-sqlgym-peer-'));
    try {
      const questions = await superheroFolder(folder);
      const rows = questions.flatMap(({ db_id }, row) => (db_id === 'superhero' ? [row] : []));
      const gold = (row: number): string => questions[row]!.SQL;
      const random = Random.of(1, 'sqlgym peer');
      const mutated = Array.from({ length: MUTATED }, (): [number, string] => {
        const row = random.pick(rows);
        return [row, mutate(gold(random.below(3) === 0 ? random.pick(rows) : row), random)];
      });
      const asked = [
        ...rows.map((row): [number, string] => [row, gold(row)]),
        ...broken.map((sql): [number, string] => [rows[0]!, sql]),
        ...mutated,
      ];
      const peer = await original(folder, asked);
      const environment = await sqlGym({ bird: folder, databases: 'superhero' });
      const differing: string[] = [];
      let solved = 0;
      let compared = 0;
      for (const [i, [row, sql]] of asked.entries()) {
        const question = environment.question(DEV + row);
        const [said, earned] = peer.answers[i]!;
        if (said === 'interrupted') continue;
        const { result, reward } = await environment.judgeStatement(question, sql);
        compared++;
        solved += earned;
        expect(`${question.description}\n\n${question.text}`).toBe(peer.observations[row]);
        expect([sql, reward]).toEqual([sql, earned]);
        const ours = resultText(result);
        if (ours !== said && !known.some(([theirs, our]) => theirs.test(said) && our.test(ours)))
          differing.push(`${sql}\n  original: ${said}\n  ours:     ${ours}`);
      }
      await environment.close();
      console.log(
        `SQLGym: ${compared} of ${asked.length} statements (${rows.length} gold), ${solved} earned 1; original on SQLite ${peer.version}; differing: ${differing.length}`,
      );
      expect(differing).toEqual([]);
      expect(compared).toBeGreaterThan(1129);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** Pairs of texts that differ between SQLite's versions or builds; docs/sqlgym.md lists them. */
const known: readonly (readonly [RegExp, RegExp])[] = [
  [/^no such column: /, /^no such column: .* - should this be a string literal in single-quotes\?$/],
  [/^not authorized$/, /^no such function: load_extension$/],
];

const broken = [
  '',
  ' ',
  ';',
  '-- only a comment',
  '/* open',
  'SELECT',
  'SELECT 1;;',
  'SELECT 1; SELECT 2',
  'SELECT ?',
  'SELECT :name',
  "SELECT 'unfinished",
  'SELECT "double quoted"',
  'SELECT 1 / 0, 1.0 / 3, 5 / 2, 1e308 * 10, -1e308 * 10, 9223372036854775807 + 1',
  "SELECT x'00ff4127', CAST(x'c3a9' AS TEXT), CAST(x'610062' AS TEXT), 'tab\tline\nend', '\u{1f600}\u200b'",
  "SELECT CAST(x'ff41' AS TEXT) AS bad",
  'SELECT abs(-9223372036854775808)',
  "INSERT INTO superhero VALUES (1, 'x')",
  "INSERT INTO colour VALUES (999, 'x')",
  'DELETE FROM superhero',
  'UPDATE colour SET colour = 1',
  'DROP TABLE superhero',
  'CREATE TABLE x (a)',
  'PRAGMA table_info(superhero)',
  'EXPLAIN QUERY PLAN SELECT 1',
  'BEGIN',
  'COMMIT',
  'SELECT * FROM superhero LIMIT -1',
  'SELECT * FROM superhero LIMIT 0',
  'VALUES (1), (2.0), (NULL)',
  'SELECT height_cm / 7.0, weight_kg * 1.1 FROM superhero LIMIT 5',
  'SELECT group_concat(superhero_name) FROM superhero',
  'SELECT (SELECT id, colour FROM colour)',
  'SELECT sum(superhero_name), max(superhero_name), min(height_cm), total(id) FROM superhero',
  'SELECT count(*) FROM superhero GROUP BY',
  'SELECT no_such_function(1)',
  'SELECT printf("%.20f", 0.1), round(2.5), round(-0.4), 1e15, 1e16, 1e-5, 0.0001',
];

/** One or two random changes to a statement. */
function mutate(sql: string, random: Random): string {
  let words: string[] = sql.match(/'[^']*'|\w+(?:\.\w+)?|[^\s\w]|\s+/g) ?? [];
  for (let n = random.between(1, 2); n > 0; n--) {
    const at = random.below(words.length);
    const other = random.pick(words);
    words = random.pick([
      () => words.toSpliced(at, 1),
      () => words.toSpliced(at, 1, other),
      () => words.toSpliced(at, 0, other),
      () => words.slice(0, at + 1),
      () =>
        words.toSpliced(
          at,
          1,
          random.pick(['NULL', '1', '0.5', "'x'", 'id', '*', '(', ')', ',', 'DISTINCT', 'NOT', '=', '<', 'LIMIT']),
        ),
      () => words.map((word) => (/^\d+$/.test(word) ? String(Number(word) + random.between(-5, 5)) : word)),
      () =>
        words.map(
          (word) => ({ MAX: 'MIN', COUNT: 'SUM', INNER: 'LEFT', DESC: 'ASC', AND: 'OR', SUM: 'AVG', AVG: 'COUNT' })[word] ?? word,
        ),
    ])();
    if (words.length === 0) words = ['SELECT'];
  }
  return words.join('');
}

async function original(folder: string, asked: readonly (readonly [number, string])[]): Promise<Peer> {
  const script = fileURLToPath(new URL('sqlgym_peer.py', import.meta.url));
  const child = spawn(python, [script, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(asked));
  return JSON.parse(await text(child.stdout)) as Peer;
}
