/**
 * SQLGym's engine measured: many queries in a row through the sandbox, with the memory of the owner and of its worker on the way, and
 * what a query that never ends costs.
 *
 *   npx tsx bench/environments/sqlgym.ts [queries]      default 100,000
 */
import { sqlGym } from '../../src/envs/sqlgym/sqlgym.ts';
import { heldMemory } from '../../src/lint/memory.ts';
import { Sqlite } from '../../src/sandbox/sqlite/sqlite.ts';
import { readFileSync, readdirSync } from 'node:fs';

const total = Number(process.argv[2] ?? 100_000);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

const environment = await sqlGym({ workers: '1' });
const items = environment.tasks('all').size;
const start = performance.now();
const cpu = process.cpuUsage();
for (let n = 0; n < total; n++) {
  const question = environment.question((n * 7919) % items);
  const sql = n % 5 === 0 ? `SELECT oops FROM nowhere_${n}` : question.sql;
  const { result, reward } = await environment.judgeStatement(question, sql);
  if (reward !== (n % 5 === 0 ? 0 : 1))
    throw new Error(`query ${n} earned ${reward}: ${sql}: ${result.kind === 'error' ? result.message : result.count}`);
  if ((n + 1) % Math.max(1, Math.floor(total / 5)) === 0)
    say(`${n + 1} queries: owner holds ${mebibytes(heldMemory())}, worker ${worker()}`);
}
const { user, system } = process.cpuUsage(cpu);
say(
  `${((performance.now() - start) / total).toFixed(3)} ms a query, of which ${((user + system) / 1000 / total).toFixed(3)} ms processor time of the owner`,
);
await environment.close();

await using sqlite = new Sqlite({ limits: { milliseconds: 2000 } });
const zoo = { key: 'zoo', content: () => ({ schema: ['CREATE TABLE t (a)'], tables: [] }) };
await sqlite.query(zoo, 'SELECT 1');
for (const sql of ['WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c', 'SELECT 1']) {
  const began = performance.now();
  const result = await sqlite.query(zoo, sql);
  say(
    `${sql.slice(0, 30)}…: ${result.kind === 'error' ? result.message : 'rows'} after ${((performance.now() - began) / 1000).toFixed(3)} s (limit 2 s)`,
  );
}

/** Resident memory of our child processes, where the system tells. */
function worker(): string {
  try {
    const children = readdirSync('/proc').filter(
      (name) => /^\d+$/.test(name) && new RegExp(`\\) \\S ${process.pid} `).test(stat(name)),
    );
    const pages = children.map((name) => Number(readFileSync(`/proc/${name}/statm`, 'utf8').split(' ')[1]));
    return pages.map((count) => mebibytes(count * 4096)).join(', ');
  } catch {
    return 'unknown';
  }
}

function stat(name: string): string {
  try {
    return readFileSync(`/proc/${name}/stat`, 'utf8');
  } catch {
    return '';
  }
}
