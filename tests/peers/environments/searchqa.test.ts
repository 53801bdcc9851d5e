/**
 * SearchQA and SQLGym against AgentGym's own files, where a checkout is at hand (AGENTGYM names it; the package is on no registry):
 * exact match on thousands of answer pairs, and the Python clients as they are against our server.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Random } from '../../../src/core/random/random.ts';
import { normalizeAnswer, scoreReply } from '../../../src/envs/searchqa/scoring.ts';
import { searchQA } from '../../../src/envs/searchqa/opened.fixture.ts';
import { sqlGym } from '../../../src/envs/sqlgym/sqlgym.ts';
import { startGym } from '../../../src/gym/server/server.ts';
import { peersMissing, python } from '../python.ts';

const checkout = process.env['AGENTGYM'] ?? '';
const wanted = join(checkout, 'agentenv-searchqa/agentenv_searchqa');
const missing = peersMissing() ?? (checkout !== '' && existsSync(wanted) ? undefined : 'AGENTGYM names no checkout of AgentGym');
if (missing !== undefined) console.log(`skipped: ${missing}`);
const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const PAIRS = 4000;

describe.skipIf(missing !== undefined)("AgentGym's scoring", () => {
  it('agrees on thousands of answer pairs', async () => {
    const random = Random.of(1, 'searchqa peer');
    const pairs = Array.from({ length: PAIRS }, () => pair(random));
    const child = spawn(python, [script('searchqa_peer.py'), wanted], { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.end(JSON.stringify(pairs));
    const theirs = JSON.parse(await text(child.stdout)) as [number, string][];
    pairs.forEach(([reply, golden], i) => {
      expect([reply, golden, scoreReply(reply, golden), normalizeAnswer(golden.at(-1)!)]).toEqual([reply, golden, ...theirs[i]!]);
    });
    const right = theirs.filter(([score]) => score === 1).length;
    console.log(`SearchQA: ${PAIRS} pairs, ${right} of them right, all scored as the original scores them`);
    expect(right).toBeGreaterThan(500);
  });
});

describe.skipIf(missing !== undefined)("AgentGym's Python clients", () => {
  it('play SQLGym and SearchQA on our server, unchanged', async () => {
    const environments = [await sqlGym({ generated: true }), await searchQA({ generated: true })];
    await using server = await startGym({ environments });
    const [sql, search] = environments as [Awaited<ReturnType<typeof sqlGym>>, Awaited<ReturnType<typeof searchQA>>];
    const args = [script('agentgym_clients.py'), checkout, `${server.url}/sqlgym`, `${server.url}/searchqa`];
    const { stdout } = await promisify(execFile)(python, args, { maxBuffer: 2 ** 24 });
    const asked = sql.open({ env: 'sqlgym', split: 'all', index: 0 }).observation;
    const question = search.openItem(5).observation;
    expect(JSON.parse(stdout)).toMatchObject({
      sql_reset: [asked, null],
      sql_observe: asked,
      sql_wrong: ['no such table: nowhere', 0, true],
      sql_right: ['[(60,)]', 1, true],
      search_reset: question,
      search_observe: question,
      search_nothing: [expect.stringMatching(/^Your previous action is invalid/), 0, false],
      search_found: [expect.stringMatching(/^<information>Doc 1\(Title: "Ardenia"\) Ardenia is a country/), 0, false],
      search_wrong: ['Sorry, your answer is incorrect. Please try again.', 0, false],
      search_close: true,
    });
    await sql.close();
  });
});

/** A reply and golden answers that are often equal after normalising, and otherwise nearly so; with every kind of character. */
function pair(random: Random): [string, string[]] {
  const words = [
    'The',
    'a',
    'an',
    'the',
    'Moon',
    'moon',
    'été',
    'the_end',
    'A-1',
    '1,000',
    "O'Neil",
    '"quoted"',
    'Ünïcode',
    'ﬁne',
    'İstanbul',
    'ΣΑΣ',
    '東京',
    'über',
    'x\u00a0y',
    'a\u0301',
    'the\u200b',
    '½',
    '₂',
    '…',
    '—',
    'an!',
    'theater',
    'banana',
    '\u0085',
    '\x1c',
    '\ufeff',
  ];
  const some = (): string =>
    Array.from({ length: random.between(0, 4) }, () => random.pick(words)).join(random.pick([' ', '  ', '\n', '\t', '-', '']));
  const said = some();
  const dressed = random.pick([
    (s: string) => s,
    (s: string) => `the ${s}.`,
    (s: string) => s.toUpperCase(),
    (s: string) => ` ${s}! `,
    (s: string) => s.replaceAll(' ', ' a '),
  ])(said);
  const golden = [...Array.from({ length: random.below(3) }, some), random.below(2) === 0 ? dressed : some()];
  const reply = random.pick([
    `<answer>${said}</answer>`,
    `<think>x</think> <answer> ${said} </answer>`,
    `<answer>other</answer><answer>${said}</answer>`,
    `<answer>${said}`,
    said,
  ]);
  return [reply, random.shuffle(golden)];
}
