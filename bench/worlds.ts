/**
 * How good a start a policy is for environments it has never seen: the eight worlds of examples/worlds, each learned by 50 steps of
 * imitation and by 60 steps of GRPO from every start that is named, then judged on its 100 test tasks.
 *   npx tsx bench/worlds.ts starts=base,fresh worlds=warehouse,library ways=imitation,grpo threads=2 out=/tmp/worlds [cores=14 minutes=9]
 * `cores`: how many of them at once. None is begun after `minutes`. Given again, the command does what is missing and prints the table.
 * A start is a policy's name (base, hf:folder, run:folder) or `fresh`: a model of preset xs that has learned nothing.
 */
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { given, root } from './environments.ts';
import { agoge, workOff } from './jobs.ts';

const folder = join(root, 'examples/worlds');
const all = (await readdir(folder)).filter((file) => file.endsWith('.ts')).map((file) => file.replace(/\.ts$/, ''));
const worlds = given['worlds']?.split(',') ?? all;
const starts = (given['starts'] ?? 'base,fresh').split(',');
const ways = (given['ways'] ?? 'imitation,grpo').split(',');
const threads = Number(given['threads'] ?? 1);
const out = given['out'] ?? 'outputs/worlds';
const maxTurns = 8;

const jobs = ways.flatMap((way) =>
  // Nothing that a fresh model does is ever rewarded.
  starts
    .filter((start) => way !== 'grpo' || start !== 'fresh')
    .flatMap((start) => worlds.map((world) => ({ key: `${world} ${start} ${way}`, work: () => measure(world, start, way) }))),
);
await mkdir(out, { recursive: true });
const limits = { cores: Number(given['cores'] ?? 1), minutes: Number(given['minutes'] ?? 600) };
const results = (await workOff(join(out, 'worlds.json'), jobs, limits)) as Record<string, string | undefined>;
for (const way of ways) {
  process.stdout.write(`\n| ${way} | ${starts.join(' | ')} |\n|---|${'---|'.repeat(starts.length)}\n`);
  for (const world of worlds) {
    const cells = starts.map((start) => results[`${world} ${start} ${way}`] ?? 'not measured');
    process.stdout.write(`| ${world} | ${cells.join(' | ')} |\n`);
  }
}

/** Learns a world and gives the success on its test tasks; `none` judges the start as it is. */
async function measure(world: string, start: string, way: string): Promise<string> {
  const env = join(folder, `${world}.ts`);
  const name = `${world}-${start.replace(/\W+/g, '_')}-${way}`;
  let policy = start;
  if (way !== 'none') {
    const file = join(out, `${name}.yaml`);
    await rm(join(out, name), { recursive: true, force: true }); // what was left when this was stopped before
    await writeFile(file, stringify(way === 'imitation' ? imitation(name, start, env) : grpo(name, start, env)));
    await agoge(3600, way === 'imitation' ? 'sft' : 'train', file, '--no-view');
    policy = `run:${join(out, name)}`;
  } else if (start === 'fresh') return '0 (has learned nothing)';
  const limits = ['--split', 'test', '--max-turns', String(maxTurns), '--max-tokens', '32'];
  const judged = join(out, `${name}-eval`);
  await agoge(600, 'eval', env, '--policy', policy, ...limits, '--fresh', '--no-view', '--out', judged);
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
