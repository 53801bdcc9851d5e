/**
 * AgentGym JSON → verl parquet: ours against the pandas way, alternating in one run, the same input and the same columns;
 * then the resident memory of one million rows. Run: npx tsx bench/data/data.ts [rounds]. Both sides run in a process of their
 * own, start-up not counted; the ratio is of the best round of each, and of processor time. Ours is the built package where there is
 * one: its thread does not have to read TypeScript first.
 */
import { spawnSync } from 'node:child_process';
import { createWriteStream, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { plan } from '../../src/envs/textcraft/expert.ts';
import { textCraft } from '../../src/envs/textcraft/textcraft.ts';
import type { transfer as Transfer } from '../../src/data/transfer.ts';
import { inProject } from '../root.ts';

interface Measured {
  readonly rows: number;
  readonly seconds: number;
  readonly cpu: number;
  readonly rss?: number;
}

const env = textCraft();
const [mode, ...args] = process.argv.slice(2);
if (mode === 'ours') await convertHere(args[0]!, args[1]!, args[2]!);
else await main(Number(mode ?? 3));

/** In a child process: one conversion, measured. */
async function convertHere(kind: string, source: string, target: string): Promise<void> {
  const prompt = [
    { role: 'system' as const, content: 'You act in the environment webshop. '.repeat(12) },
    { role: 'user' as const, content: 'Please help me with my shopping task.' },
  ];
  const built = inProject('dist/data/transfer.js');
  const from = existsSync(built) ? built : inProject('src/data/transfer.ts');
  const { transfer } = (await import(pathToFileURL(from).href)) as { transfer: typeof Transfer };
  const cpu = process.cpuUsage();
  const started = performance.now();
  const [report] = await transfer([source], target, {
    force: true,
    to: kind === 'rl' ? 'verl-rl' : 'verl-sft',
    prompt: () => prompt,
  });
  const seconds = (performance.now() - started) / 1000;
  const used = process.cpuUsage(cpu);
  const measured: Measured = {
    rows: report!.written,
    seconds,
    cpu: (used.user + used.system) / 1e6,
    rss: process.resourceUsage().maxRSS / 1024,
  };
  console.log(JSON.stringify(measured));
}

async function main(rounds: number): Promise<void> {
  const python = inProject('tests/peers/.venv/bin/python');
  const peerScript = fileURLToPath(new URL('data-peer.py', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'agoge-bench-data-'));
  try {
    const inputs = { rl: join(folder, 'ids.json'), sft: join(folder, 'trajectories.json') };
    await writeList(inputs.rl, 200_000, (i) => `{"item_id":"webshop_${i}"}`);
    await writeList(inputs.sft, 20_000, trajectory);
    for (const [kind, source] of Object.entries(inputs)) {
      console.log(`${kind}: ${(statSync(source).size / 1e6).toFixed(0)} MB of JSON`);
      const ours: Measured[] = [];
      const theirs: Measured[] = [];
      for (let round = 0; round < rounds; round++) {
        ours.push(
          run(process.execPath, [
            '--import',
            'tsx',
            fileURLToPath(import.meta.url),
            'ours',
            kind,
            source,
            join(folder, 'ours.parquet'),
          ]),
        );
        if (existsSync(python)) theirs.push(run(python, [peerScript, kind, source, join(folder, 'theirs.parquet')]));
      }
      const best = (measured: Measured[], key: 'seconds' | 'cpu') => Math.max(...measured.map((each) => each.rows / each[key]));
      console.log(`  agoge  ${best(ours, 'seconds').toFixed(0)} rows/s, ${best(ours, 'cpu').toFixed(0)} rows per CPU second`);
      if (theirs.length === 0) continue;
      console.log(`  pandas ${best(theirs, 'seconds').toFixed(0)} rows/s, ${best(theirs, 'cpu').toFixed(0)} rows per CPU second`);
      console.log(
        `  ratio  ${(best(ours, 'seconds') / best(theirs, 'seconds')).toFixed(2)}× by the clock, ${(best(ours, 'cpu') / best(theirs, 'cpu')).toFixed(2)}× by processor time`,
      );
    }
    const million = join(folder, 'million.json');
    await writeList(million, 1_000_000, (i) => `{"item_id":"webshop_${i % 6910}"}`);
    const memory = run(process.execPath, [
      '--import',
      'tsx',
      fileURLToPath(import.meta.url),
      'ours',
      'rl',
      million,
      join(folder, 'million.parquet'),
    ]);
    console.log(`1,000,000 rows: ${memory.seconds.toFixed(1)} s, most resident memory ${memory.rss?.toFixed(0) ?? '?'} MB`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(command: string, args: string[]): Measured {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as Measured;
}

async function writeList(path: string, rows: number, row: (index: number) => string): Promise<void> {
  const stream = createWriteStream(path);
  for (let i = 0; i < rows; i++) if (!stream.write(`${i === 0 ? '[' : ',\n'}${row(i)}`)) await once(stream, 'drain');
  stream.end(']\n');
  await once(stream, 'finish');
}

/** A trajectory as AgentTraj-L has them, of a world of its own. */
function trajectory(index: number): string {
  const { world, observation } = env.openWorld({ env: 'textcraft', split: 'generated', index });
  const conversations = [
    { from: 'human', loss: null, value: env.instructions.task },
    { from: 'gpt', loss: false, value: "OK. I'll follow your instructions and try my best to solve the task." },
    { from: 'human', loss: null, value: observation },
  ] as { from: string; loss: boolean | null; value: string }[];
  for (const action of plan(world.book, world.goal)) {
    const thought = `I still need what the recipe of ${world.goal} lists, so the next step of my plan is to ${action}.`;
    conversations.push({ from: 'gpt', loss: true, value: `Thought:\n${thought}\n\nAction:\n${action}` });
    conversations.push({ from: 'human', loss: null, value: world.step(action).observation });
  }
  return JSON.stringify({ conversations: conversations.slice(0, -1), item_id: `textcraft_${index}` });
}
