/**
 * How good a start a policy is for environments it has never seen: the eight worlds of examples/worlds, each learned from every start
 * that is named, then judged on its 100 test tasks. Ways to learn: `imitation` (50 steps), `grpo` (60 steps), `both` (50 steps of
 * imitation, then 60 of GRPO), `none`. GRPO is the recipe of `agoge new env`, judged by its best checkpoint.
 *   npx tsx bench/learning/worlds.ts starts=base,reader worlds=warehouse,library ways=both seeds=1 out=/tmp/worlds [cores=14 minutes=9 learning=5]
 * `cores`: how many at once, one thread each. None is begun after `minutes`, and GRPO ends after `learning` minutes. One JSON line for each
 * in <out>/worlds.jsonl; given again, the command does what is missing and prints the table.
 * A start is a policy's name (base, hf:folder, run:folder) or `fresh`: a model of preset xs that has learned nothing.
 */
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { templates } from '../../src/cli/commands/new/templates/templates.ts';
import { given } from './places.ts';
import { agoge, workOff } from './jobs.ts';
import { inProject } from '../root.ts';

interface Result {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /** Steps of GRPO; null without it. */
  readonly steps: number | null;
  readonly seconds: number;
}

/** A recipe as it is written. */
interface Recipe {
  readonly run: string;
  readonly [key: string]: unknown;
}

const folder = inProject('examples/worlds');
const all = (await readdir(folder)).filter((file) => file.endsWith('.ts')).map((file) => file.replace(/\.ts$/, ''));
const worlds = given['worlds']?.split(',') ?? all;
const starts = (given['starts'] ?? 'base,fresh').split(',');
const ways = (given['ways'] ?? 'imitation,grpo').split(',');
const seeds =
  given['seed'] === undefined ? Array.from({ length: Number(given['seeds'] ?? 1) }, (_, i) => i + 1) : [Number(given['seed'])];
const steps = Number(given['steps'] ?? 60);
const learning = Number(given['learning'] ?? 60);
const out = given['out'] ?? 'outputs/worlds';
const maxTurns = 8;
const engine = { threads: Number(given['threads'] ?? 1) };

const keyOf = (world: string, start: string, way: string, seed: number): string => `${world} ${start} ${way} ${seed}`;
const jobs = seeds.flatMap((seed) =>
  ways.flatMap((way) =>
    starts
      // Nothing that a fresh model does is ever rewarded.
      .filter((start) => start !== 'fresh' || way === 'imitation' || way === 'both')
      .flatMap((start) =>
        worlds.map((world) => ({ key: keyOf(world, start, way, seed), work: () => measure(world, start, way, seed) })),
      ),
  ),
);
await mkdir(out, { recursive: true });
const limits = { cores: Number(given['cores'] ?? 1), minutes: Number(given['minutes'] ?? 600) };
const results = (await workOff(join(out, 'worlds.jsonl'), jobs, limits)) as Record<string, Result | undefined>;
for (const way of ways) {
  process.stdout.write(`\n| ${way} | ${starts.join(' | ')} |\n|---|${'---|'.repeat(starts.length)}\n`);
  for (const world of worlds)
    process.stdout.write(`| ${world} | ${starts.map((start) => cell(world, start, way)).join(' | ')} |\n`);
  const means = starts.map((start) => {
    const known = worlds.map((world) => average(measured(world, start, way)));
    return known.some(Number.isNaN) ? '' : average(known.map((mean) => ({ mean }))).toFixed(2);
  });
  process.stdout.write(`| mean | ${means.join(' | ')} |\n`);
}

function measured(world: string, start: string, way: string): Result[] {
  return seeds.flatMap((seed) => results[keyOf(world, start, way, seed)] ?? []);
}

/** One seed with its interval, several by their mean. */
function cell(world: string, start: string, way: string): string {
  const found = measured(world, start, way);
  const [one] = found;
  if (!one) return 'not measured';
  const after = one.steps === null ? '' : ` (${found.map(({ steps: done }) => String(done)).join(', ')} steps)`;
  if (found.length > 1) return `${average(found).toFixed(2)} of ${found.map(({ mean }) => mean.toFixed(2)).join(', ')}${after}`;
  return `${one.mean.toFixed(2)} [${one.low.toFixed(2)}, ${one.high.toFixed(2)}]${after}`;
}

function average(found: readonly { readonly mean: number }[]): number {
  return found.reduce((sum, { mean }) => sum + mean, 0) / found.length;
}

/** Learns a world and gives the success on its test tasks. */
async function measure(world: string, start: string, way: string, seed: number): Promise<Result> {
  const began = performance.now();
  const env = join(folder, `${world}.ts`);
  const name = `${world}-${start.replace(/\W+/g, '_')}-${way}-${seed}`;
  const learn = async (command: 'sft' | 'train', recipe: Recipe): Promise<string> => {
    const run = join(out, recipe.run);
    await rm(run, { recursive: true, force: true }); // what was left when this was stopped before
    await writeFile(`${run}.yaml`, stringify(recipe));
    await agoge(3600, command, `${run}.yaml`, '--no-view');
    return run;
  };
  let policy = start;
  let done: number | null = null;
  if (way === 'imitation' || way === 'both') policy = `run:${await learn('sft', imitation(`${name}-sft`, start, env, seed))}`;
  if (way === 'grpo' || way === 'both') {
    const run = await learn('train', grpo(`${name}-grpo`, policy, env, seed));
    done = (JSON.parse(await readFile(join(run, 'run.json'), 'utf8')) as { step: number }).step;
    policy = `run:${run}@best`;
  }
  const judged = join(out, `${name}-eval`);
  const limits = ['--split', 'test', '--max-turns', String(maxTurns), '--max-tokens', '32', '--threads', String(engine.threads)];
  await agoge(600, 'eval', env, '--policy', policy, ...limits, '--fresh', '--no-view', '--out', judged);
  const { scores } = JSON.parse(await readFile(join(judged, 'eval.json'), 'utf8')) as { scores: { success: Result }[] };
  const [score] = scores;
  if (!score) throw new Error(`${judged} has no score`);
  const { mean, low, high } = score.success;
  return { mean, low, high, steps: done, seconds: Math.round((performance.now() - began) / 1000) };
}

function imitation(run: string, start: string, env: string, seed: number): Recipe {
  return {
    run,
    output: out,
    seed,
    policy: start === 'fresh' ? { fresh: { preset: 'xs', vocabulary: 512 } } : start,
    engine,
    data: { source: 'experts', experts: [{ env, split: 'train' }], curriculum: { levels: 1 }, max_turns: maxTurns },
    batch_tokens: 1024,
    optimizer: { lr: 1e-3, warmup: 10 },
    steps: Math.min(50, steps),
    checkpoint: { every: 0 },
    evaluate: { at_start: false, at_end: false },
  };
}

function grpo(run: string, policy: string, env: string, seed: number): Recipe {
  const written = parse(templates.env['train.yaml']) as Record<string, object>;
  return {
    ...written,
    run,
    output: out,
    seed,
    policy,
    engine,
    tasks: [{ env, split: 'train' }],
    agent: { format: 'direct', max_turns: maxTurns, tokens_per_turn: 32 },
    steps,
    stop: { ...written['stop'], minutes: learning },
    evaluate: { ...written['evaluate'], panels: [{ env, split: 'validation' }], tasks: 48, max_turns: maxTurns },
    checkpoint: { every: 0 },
    log: { episodes: 0 },
  };
}
