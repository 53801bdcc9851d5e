/**
 * SearchQA's library measured: a generated corpus is indexed, opened again from disk, and searched beside Lucene. Processor time, so that
 * other work on the machine counts less; peak resident memory of the process that indexes and of the one that searches.
 *
 *   npx tsx bench/environments/searchqa.ts [passages]      default 1,000,000; Lucene is left out where Java or Maven is missing
 */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Random } from '../../src/core/random/random.ts';
import { passagesOf } from '../../src/retrieval/corpus-files.ts';
import { openRetriever } from '../../src/retrieval/open.ts';
import { ask, base64, lucene } from '../../tests/peers/lucene/lucene.ts';

const WORDS = 200_000;
const LENGTH = 100;
const QUERIES = 500;
const SECONDS = 5;
/** Lucene indexes anew for each: one round is enough for a large corpus. */
const rounds = (size: number): number => (size > 100_000 ? 1 : 3);

const say = (line: string): void => void process.stdout.write(`${line}\n`);

if (process.argv[2] === 'part') await part(process.argv[3] ?? '', process.argv[4] ?? '', process.argv[5] ?? '');
else await whole(Number(process.argv[2] ?? 1_000_000));

async function whole(size: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'searchqa-bench-'));
  try {
    const corpus = join(folder, 'corpus.jsonl');
    const queries = join(folder, 'queries.json');
    writeFileSync(queries, JSON.stringify(writeCorpus(corpus, size)));
    say(`${size} passages of ${LENGTH} words, ${(statSync(corpus).size / 2 ** 20).toFixed(0)} MiB`);
    say(`index:  ${inOwnProcess('index', corpus, queries)}`);
    const rates: Record<string, number[]> = { agoge: [], Lucene: [] };
    const peer = lucene();
    if ('missing' in peer) say(`Lucene left out: ${peer.missing}`);
    const documents = join(folder, 'documents');
    if ('classPath' in peer) await writeDocuments(corpus, documents);
    for (let round = 0; round < rounds(size); round++) {
      const told = inOwnProcess('search', corpus, queries);
      if (round === 0) say(`search: ${told}`);
      rates['agoge']?.push(Number(/(\d+) per CPU second/.exec(told)?.[1]));
      if (!('classPath' in peer)) continue;
      const lines = JSON.parse(readFileSync(queries, 'utf8')) as string[];
      const [count = NaN, seconds = NaN] = (
        ask(peer.classPath, ['bench', documents, '3', String(SECONDS), '500'], lines, '6g')[0] ?? ''
      )
        .split(' ')
        .map(Number);
      rates['Lucene']?.push(count / seconds);
    }
    const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1] ?? NaN;
    const ours = median(rates['agoge'] ?? []);
    for (const [name, list] of Object.entries(rates)) {
      if (list.length === 0) continue;
      const ratio = name === 'agoge' ? '' : `, ours is ${(ours / median(list)).toFixed(1)} times that`;
      say(`${name}: ${Math.round(median(list))} searches per CPU second (${list.map(Math.round).join(', ')})${ratio}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Words by Zipf's law, as in any language: few are everywhere, most are rare. Queries take words of one passage each. */
function writeCorpus(path: string, size: number): string[] {
  const random = Random.of(1, 'searchqa bench');
  const words = Array.from({ length: WORDS }, (_, i) => word(i));
  const file = openSync(path, 'w');
  const queries: string[] = [];
  for (let i = 0, lines = ''; i < size; i++) {
    const text = Array.from({ length: LENGTH }, () => words[Math.floor(WORDS ** random.float()) - 1] ?? 'a');
    lines += `${JSON.stringify({ id: String(i), contents: `"${text.slice(0, 3).join(' ')}"\n${text.slice(3).join(' ')}` })}\n`;
    if (i % Math.max(1, Math.floor(size / QUERIES)) === 0)
      queries.push(Array.from({ length: random.between(3, 8) }, () => random.pick(text)).join(' '));
    if (lines.length < 1 << 20 && i < size - 1) continue;
    writeSync(file, lines);
    lines = '';
  }
  closeSync(file);
  return queries;
}

function word(number: number): string {
  const syllables = ['ba', 'de', 'fi', 'go', 'ku', 'la', 'me', 'ni', 'po', 'ru', 'sa', 'te', 'vi', 'wo', 'zu', 'ha'];
  let text = '';
  for (let rest = number + 16; rest > 0; rest = Math.floor(rest / 16)) text += syllables[rest % 16] ?? '';
  return text;
}

async function writeDocuments(corpus: string, path: string): Promise<void> {
  const file = openSync(path, 'w');
  let lines = '';
  for await (const { passage } of passagesOf(corpus)) {
    lines += `${passage.id} ${base64(passage.contents)}\n`;
    if (lines.length < 1 << 20) continue;
    writeSync(file, lines);
    lines = '';
  }
  writeSync(file, lines);
  closeSync(file);
}

function inOwnProcess(...args: readonly string[]): string {
  const self = fileURLToPath(import.meta.url);
  const { status, stdout, stderr } = spawnSync(process.execPath, [...process.execArgv, self, 'part', ...args], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

async function part(what: string, corpus: string, queryFile: string): Promise<void> {
  const retriever = await openRetriever({ retriever: 'bm25', corpus });
  const { user, system } = process.cpuUsage();
  const opened = `${((user + system) / 1e6).toFixed(1)} CPU s, peak ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB resident`;
  if (what === 'index') {
    say(opened);
    return;
  }
  const queries = JSON.parse(readFileSync(queryFile, 'utf8')) as string[];
  const search = (i: number) => retriever.search(queries[i % queries.length] ?? '', 3);
  for (let i = 0; i < 500; i++) await search(i);
  const start = process.cpuUsage();
  let [count, spent] = [0, 0];
  while (spent < SECONDS) {
    for (let i = 0; i < 20; i++) await search(count++);
    const now = process.cpuUsage(start);
    spent = (now.user + now.system) / 1e6;
  }
  say(`opened in ${opened}; ${Math.round(count / spent)} per CPU second with their passages`);
}
