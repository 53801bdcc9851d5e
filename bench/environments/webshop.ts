/**
 * WebShop measured: opening the shop, steps in process and over HTTP, memory, search beside Lucene and pyserini, and a
 * thousand sessions for fifty thousand episodes. Times are CPU times, so that other work on the machine counts for nobody.
 *
 *   npx tsx bench/environments/webshop.ts [open] [steps] [search] [soak] [small]     all parts without arguments; `small` tries them out
 *
 * Lucene comes from Maven Central; pyserini runs where PYSERINI_PYTHON names an interpreter that has it (see
 * tests/peers/lucene/pyserini-bench.py for what to install).
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../../src/core/random/random.ts';
import { generateProducts } from '../../src/envs/webshop/catalogue/generated.ts';
import { searchableText, type Product } from '../../src/envs/webshop/catalogue/product.ts';
import { heldMemory } from '../../src/lint/memory.ts';
import { WebShop } from '../../src/envs/webshop/webshop.ts';
import { startGym } from '../../src/gym/server/server.ts';
import { SearchIndex } from '../../src/retrieval/text/index.ts';
import { ask, base64, lucene } from '../../tests/peers/lucene/lucene.ts';
import { load, serve } from '../servers/gym-server.ts';
import { inProject } from '../root.ts';

const parts = process.argv.slice(2);
const small = parts.includes('small');
const wanted = (part: string): boolean => parts.every((name) => name === 'small') || parts.includes(part);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);

/** CPU seconds of this process that the work took. */
async function cpuSeconds(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

const shopOf = (products: Product[]): WebShop => new WebShop(products, { seed: 0, page: 10, source: 'bench' });

if (wanted('open')) await open();
if (wanted('steps')) await steps();
if (wanted('search')) for (const size of small ? [1000] : [1000, 100_000]) search(size);
if (wanted('soak')) await soak(small ? 50 : 1000, small ? 500 : 50_000);

async function open(): Promise<void> {
  for (const size of small ? [1000] : [1000, 2400, 100_000]) {
    const before = heldMemory();
    let products: Product[] = [];
    let env: WebShop | undefined;
    const made = await cpuSeconds(() => (products = generateProducts({ size, seed: 0 })));
    const documents = products.map((product) => ({ id: product.asin, contents: searchableText(product) }));
    const indexed = await cpuSeconds(() => new SearchIndex(documents));
    const opened = await cpuSeconds(() => (env = shopOf(products)));
    const bytes = (heldMemory() - before) / size;
    say(
      `open ${size}: generated ${made.toFixed(2)} s, indexed ${indexed.toFixed(2)} s, shop with ${env?.shop.goals.size ?? 0} goals ` +
        `${opened.toFixed(2)} s CPU; ${(bytes / 1024).toFixed(1)} KiB per product`,
    );
  }
}

async function steps(): Promise<void> {
  const env = shopOf(generateProducts({ size: 2400, seed: 0 }));
  const plans = Array.from({ length: 200 }, (_, index) => env.plan({ env: 'webshop', split: 'test', index }).actions);
  const total = plans.reduce((sum, actions) => sum + actions.length, 0);
  const play = (): void => {
    plans.forEach((actions, index) => {
      const episode = env.open({ env: 'webshop', split: 'test', index });
      for (const action of actions) episode.step(action);
    });
  };
  play();
  for (let round = 0; round < 3; round++) {
    const seconds = await cpuSeconds(() => {
      for (let i = 0; i < 10; i++) play();
    });
    say(`steps in process: ${Math.round((10 * total) / seconds)} per CPU second`);
  }
  const before = heldMemory();
  const held = Array.from({ length: 20_000 }, (_, i) => {
    const episode = env.openItem(i % env.shop.goals.size);
    episode.step('search[easy clean table lamps]');
    return episode;
  });
  say(`memory per session on a page of results: ${((heldMemory() - before) / held.length / 1024).toFixed(2)} KiB`);
  for (const processes of [1, 2]) {
    using server = await serve(36984, 'webshop', '--generated', '--processes', String(processes));
    const { perSecond, perProcessorSecond } = await load(server, 'play', 64, small ? 2000 : 40_000, 'webshop', 1000);
    say(
      `steps over HTTP, 1000 sessions, ${processes} playing: ${Math.round(perSecond)} per second, ${Math.round(perProcessorSecond)} per second of the server's processor time`,
    );
  }
}

function caller(url: string): (path: string, body: object) => Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  return async (path, body) => {
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return response.json();
  };
}

function search(size: number): void {
  const products = generateProducts({ size, seed: 0 });
  const documents = products.map((product) => ({ id: product.asin, contents: searchableText(product) }));
  const random = Random.of(1, 'queries');
  const queries = Array.from({ length: 500 }, () => random.pick(products).instruction?.text.replace('Find me ', '') ?? '');
  const folder = mkdtempSync(join(tmpdir(), 'webshop-bench-'));
  const file = join(folder, 'documents');
  writeFileSync(file, documents.map(({ id, contents }) => `${id} ${base64(contents)}\n`).join(''));
  const seconds = size > 10_000 ? 2 : 1;
  const warm = size > 10_000 ? 500 : 5000;
  const index = new SearchIndex(documents);
  const rates: Record<string, number[]> = {
    agoge: [],
    Lucene: [],
    'pyserini as WebShop asks it': [],
    'pyserini without reading documents': [],
  };
  const peer = lucene();
  const python = process.env['PYSERINI_PYTHON'];
  if ('missing' in peer) say(`Lucene left out: ${peer.missing}`);
  if (!python) say('pyserini left out: PYSERINI_PYTHON names no interpreter');
  for (let i = 0; i < warm; i++) index.search(queries[i % queries.length] ?? '', 50);
  for (let round = 0; round < 3; round++) {
    const start = process.cpuUsage();
    let count = 0;
    let spent = 0;
    while (spent < seconds) {
      for (let i = 0; i < 20; i++) index.search(queries[count++ % queries.length] ?? '', 50);
      const { user, system } = process.cpuUsage(start);
      spent = (user + system) / 1e6;
    }
    rates['agoge']?.push(count / spent);
    const args = [file, '50', String(seconds), String(warm)];
    if ('classPath' in peer) rates['Lucene']?.push(rate(ask(peer.classPath, ['bench', ...args], queries)[0]));
    if (!python) continue;
    const [reading, bare] = pyserini(python, [file, '50', String(seconds), String(Math.min(warm, 500))], queries);
    rates['pyserini as WebShop asks it']?.push(rate(reading));
    rates['pyserini without reading documents']?.push(rate(bare));
  }
  rmSync(folder, { recursive: true });
  const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1] ?? NaN;
  const ours = median(rates['agoge'] ?? []);
  for (const [name, list] of Object.entries(rates)) {
    if (list.length === 0) continue;
    const ratio = name === 'agoge' ? '' : `, ours is ${(ours / median(list)).toFixed(1)} times that`;
    say(
      `search ${size} products, ${name}: ${Math.round(median(list))} per CPU second (${list.map(Math.round).join(', ')})${ratio}`,
    );
  }
}

function rate(line: string | undefined): number {
  const [count = NaN, seconds = NaN] = (line ?? '').split(' ').map(Number);
  return count / seconds;
}

function pyserini(python: string, args: readonly string[], queries: readonly string[]): string[] {
  const script = inProject('tests/peers/lucene/pyserini-bench.py');
  const input = queries.map((query) => `${base64(query)}\n`).join('');
  const { status, stdout, stderr } = spawnSync(python, [script, ...args], { input });
  if (status !== 0) throw new Error(`pyserini failed: ${stderr.toString().slice(-600)}`);
  return stdout.toString().trim().split('\n').slice(-2);
}

/** Many sessions at once on one server: each client checks that its pages are its own; memory is sampled on the way. */
async function soak(sessions: number, episodes: number): Promise<void> {
  const env = shopOf(generateProducts({ size: 2400, seed: 0 }));
  const plans = Array.from({ length: 1000 }, (_, i) => env.plan({ env: 'webshop', split: 'all', index: i * 17 }));
  await using server = await startGym({ environments: [env] });
  const call = caller(server.url);
  const taken = new Set<number>();
  const samples: string[] = [];
  let next = 0;
  let wrong = 0;
  const client = async (): Promise<void> => {
    const id = (await call('/create', {})) as number;
    if (taken.has(id)) wrong++;
    taken.add(id);
    for (let episode = next++; episode < episodes; episode = next++) {
      const which = episode % plans.length;
      const [first] = (await call('/reset', { env_idx: id, session_id: which * 17 })) as [string];
      if (!first.includes(env.shop.goals.goal(which * 17).instruction)) wrong++;
      let reward = 0;
      for (const action of plans[which]?.actions ?? []) {
        ({ reward } = (await call('/step', { env_idx: id, action })) as { reward: number });
      }
      if (reward !== plans[which]?.best) wrong++;
      if (episode % (episodes / 10) === 0)
        samples.push(`${episode}: ${megabytes(heldMemory())}/${megabytes(process.memoryUsage().rss)}`);
    }
    await call('/close', { env_idx: id });
  };
  const seconds = await cpuSeconds(() => Promise.all(Array.from({ length: sessions }, client)));
  say(`soak: ${sessions} sessions, ${episodes} episodes over HTTP, ${wrong} wrong answers, ${seconds.toFixed(0)} s CPU`);
  say(`  heap/resident MiB at episode ${samples.join(', ')}; after closing ${megabytes(heldMemory())}`);
}
