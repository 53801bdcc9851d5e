/**
 * How good a start a policy is for environments it has never seen: the eight worlds of examples/worlds, each learned by 50 steps of
 * imitation and by 60 steps of GRPO from every start that is named, then judged on its 100 test tasks.
 *   npx tsx bench/worlds.ts starts=base,fresh worlds=warehouse,library ways=imitation,grpo threads=2 out=/tmp/worlds
 * A start is a policy's name (base, hf:folder, run:folder) or `fresh`: a model of preset xs that has learned nothing.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { stringify } from 'yaml';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'examples/worlds');
const given = Object.fromEntries(process.argv.slice(2).map((part) => part.split('=') as [string, string]));
const all = (await readdir(folder)).filter((file) => file.endsWith('.ts')).map((file) => file.replace(/\.ts$/, ''));
const worlds = given['worlds']?.split(',') ?? all;
const starts = (given['starts'] ?? 'base,fresh').split(',');
const ways = (given['ways'] ?? 'imitation,grpo').split(',');
const threads = Number(given['threads'] ?? 1);
const out = given['out'] ?? 'outputs/worlds';
const maxTurns = 8;

await mkdir(out, { recursive: true });
for (const world of worlds) {
  for (const start of starts) {
    for (const way of ways) {
      if (way === 'grpo' && start === 'fresh') continue; // nothing is ever rewarded
      const success = await measure(world, start, way);
      process.stdout.write(`${world.padEnd(14)} ${start.padEnd(24)} ${way.padEnd(10)} ${success}\n`);
    }
  }
}

/** Learns a world and gives the success on its test tasks; `none` judges the start as it is. */
async function measure(world: string, start: string, way: string): Promise<string> {
  const env = join(folder, `${world}.ts`);
  const name = `${world}-${start.replace(/\W+/g, '_')}-${way}`;
  let policy = start;
  if (way !== 'none') {
    const file = join(out, `${name}.yaml`);
    await writeFile(file, stringify(way === 'imitation' ? imitation(name, start, env) : grpo(name, start, env)));
    await agoge(way === 'imitation' ? 'sft' : 'train', file, '--no-view');
    policy = `run:${join(out, name)}`;
  } else if (start === 'fresh') return '0 (has learned nothing)';
  const limits = ['--split', 'test', '--max-turns', String(maxTurns), '--max-tokens', '32'];
  const judged = join(out, `${name}-eval`);
  await agoge('eval', env, '--policy', policy, ...limits, '--fresh', '--no-view', '--out', judged);
  const { scores } = JSON.parse(await readFile(join(judged, 'eval.json'), 'utf8')) as { scores: Score[] };
  const [score] = scores;
  if (!score) throw new Error(`${judged} has no score`);
  const { mean, low, high } = score.success;
  return `${mean.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
}

interface Score {
  readonly success: { readonly mean: number; readonly low: number; readonly high: number };
}

function imitation(name: string, start: string, env: string): object {
  return {
    run: name,
    output: out,
    policy: start === 'fresh' ? { fresh: { preset: 'xs', vocabulary: 512 } } : start,
    engine: { threads },
    data: { source: 'experts', experts: [{ env, split: 'train' }], curriculum: { levels: 1 }, max_turns: maxTurns },
    batch_tokens: 1024,
    optimizer: { lr: 1e-3, warmup: 10 },
    steps: 50,
    checkpoint: { every: 0 },
    evaluate: { at_start: false, at_end: false },
  };
}

function grpo(name: string, start: string, env: string): object {
  return {
    run: name,
    output: out,
    policy: start,
    engine: { threads },
    tasks: [{ env, split: 'train' }],
    agent: { format: 'direct', max_turns: maxTurns, tokens_per_turn: 32 },
    rollout: { groups: 16, samples: 8 },
    algorithm: { name: 'grpo' },
    optimizer: { lr: 1e-4 },
    steps: 60,
    checkpoint: { every: 0 },
    evaluate: { every: 0, at_start: false, at_end: false },
  };
}

async function agoge(...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [join(root, 'dist/cli/main.js'), ...args], { maxBuffer: 1 << 26 });
  return stdout;
}
