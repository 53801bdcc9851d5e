/**
 * Does GRPO by the recipe of `agoge new env` end below its start? For every environment and seed: a short imitation from the policy that the
 * template starts from is the start, the template's recipe goes on from it, and start and result (@best, @latest) play the same test tasks.
 *   npx tsx bench/learning/defaults.ts cores=14 minutes=9 seeds=3 out=/tmp/defaults [only=maze,warehouse] [seed=2] [policy=base] [lr=1e-4] [steps=40]
 * `seed` takes one seed alone; `imitation` and `learning` are minutes of steps, evaluations not counted; `panel`: tasks that the best step is
 * chosen by (half of them watch the imitation), `tasks`: test tasks. `device=cuda memory=6`: all processes share the card, with so many GiB each. One JSON line per run in
 * <out>/defaults.jsonl; given again, the command does what is missing and prints the table.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { templates } from '../../src/cli/commands/new/templates/templates.ts';
import { Random } from '../../src/core/random/random.ts';
import { chosen, given, type Place } from './places.ts';
import { agoge, workOff } from './jobs.ts';

interface Result {
  readonly env: string;
  readonly seed: number;
  readonly steps: number;
  readonly best: number | null;
  readonly stopped: string | null;
  readonly diagnosis: readonly string[];
  /** Success by test task. */
  readonly start: readonly number[];
  readonly end: readonly number[];
  readonly last: readonly number[];
}

const out = given['out'] ?? 'outputs/defaults';
const seeds =
  given['seed'] === undefined ? Array.from({ length: Number(given['seeds'] ?? 3) }, (_, i) => i + 1) : [Number(given['seed'])];
const tasks = Number(given['tasks'] ?? 48);
/** Minutes of imitation and of GRPO. */
const imitation = Number(given['imitation'] ?? 0.35);
const learning = Number(given['learning'] ?? 0.7);
/** As many as the validation split of a new environment has. */
const panel = Number(given['panel'] ?? 60);
const { device, memory } = given;
const engine = {
  threads: 1,
  ...(device === undefined ? {} : { device }),
  ...(memory === undefined ? {} : { card_memory: Number(memory) }),
};
if (device === 'cuda') process.env['AGOGE_SHARE_CARD'] = '1';
/** Seconds after which a command is given up: evaluations of long episodes take minutes. */
const patience = 60 * Math.max(imitation, learning) + 900;

const jobs = seeds.flatMap((seed) =>
  chosen().map((place) => ({ key: `${place.name}-${seed}`, work: () => measure(place, seed) })),
);
await mkdir(out, { recursive: true });
const results = await workOff(join(out, 'defaults.jsonl'), jobs, {
  cores: Number(given['cores'] ?? 14),
  minutes: Number(given['minutes'] ?? 9),
});
table(Object.values(results) as Result[]);

async function measure(place: Place, seed: number): Promise<Result> {
  const { name } = place;
  const [taught, learned] = [`${name}-${seed}-sft`, `${name}-${seed}-grpo`];
  await learn('sft', taught, imitationOf(place, seed));
  // Where imitation made the policy worse, its start is handed on, as by the template.
  const start = `run:${join(out, taught)}${(await infoOf(taught)).best ? '@best' : ''}`;
  await learn('train', learned, grpoOf(place, seed, start));
  const { step, best, reason, diagnosis = [] } = await infoOf(learned);
  const steps = [step, best?.step ?? step].filter((one) => one > 0);
  const played = [...new Set(steps)].map((one) => `run:${join(out, learned)}@step_${one}`);
  const scores = await judge(place, seed, [start, ...played]);
  const of = (found: string): readonly number[] =>
    scores.find(({ policy }) => policy.includes(found))?.perTask.flatMap(({ success }) => success) ?? [];
  return {
    env: name,
    seed,
    steps: step,
    best: best?.step ?? null,
    stopped: reason ?? null,
    diagnosis: diagnosis.map(({ kind }) => kind),
    start: of(taught),
    end: of(best?.step === 0 ? taught : `${learned}@step_${best?.step ?? step}`),
    last: of(`${learned}@step_${step}`),
  };
}

function imitationOf(place: Place, seed: number): object {
  const { turns } = place;
  return {
    ...written('sft.yaml'),
    seed,
    ...(given['policy'] === undefined ? {} : { policy: given['policy'] }),
    engine,
    data: {
      source: 'experts',
      experts: [entryOf(place)],
      curriculum: { levels: 1 },
      max_turns: turns,
      max_tokens: 2048,
      too_long: 'skip',
    },
    agent: { max_turns: turns, tokens_per_turn: place.tokens },
    steps: 100_000,
    minutes: imitation,
    // Enough to see that something was unlearned.
    evaluate: { at_start: true, tasks: Math.ceil(panel / 2), max_turns: turns },
    checkpoint: { every: 0 },
  };
}

function grpoOf(place: Place, seed: number, policy: string): object {
  const { turns } = place;
  const grpo = written('train.yaml');
  const { panels: _, ...evaluate } = grpo['evaluate'] as { panels: unknown };
  return {
    ...grpo,
    seed,
    policy,
    engine,
    tasks: [entryOf(place)],
    agent: { format: 'direct', max_turns: turns, tokens_per_turn: place.tokens },
    ...(given['lr'] === undefined ? {} : { optimizer: { ...(grpo['optimizer'] as object), lr: Number(given['lr']) } }),
    ...(given['steps'] === undefined ? {} : { steps: Number(given['steps']) }),
    stop: { ...(grpo['stop'] as object | undefined), minutes: learning },
    // Chosen by the validation split, or by tasks held out of training: without panels, these are what is played.
    evaluate: { ...evaluate, tasks: panel, max_turns: turns },
    checkpoint: { every: 0 },
    log: { episodes: 0 },
  };
}

function entryOf({ env, train, settings = {} }: Place): object {
  return { env, split: train, settings };
}

function written(file: 'sft.yaml' | 'train.yaml'): Record<string, unknown> {
  return parse(templates.env[file]) as Record<string, unknown>;
}

async function learn(command: 'sft' | 'train', run: string, recipe: object): Promise<void> {
  await rm(join(out, run), { recursive: true, force: true }); // what was left when this was stopped
  await writeFile(join(out, `${run}.yaml`), stringify({ ...recipe, run, output: out }));
  await agoge(patience, command, join(out, `${run}.yaml`), '--no-view', '--json');
}

/** Test tasks, each played once by every policy. */
async function judge(place: Place, seed: number, policies: readonly string[]): Promise<readonly Score[]> {
  const { name, env, settings = {}, turns, tokens } = place;
  const known = env.endsWith('.ts') ? name : env;
  const sets = Object.entries(settings).flatMap(([key, value]) => ['--set', `${known}.${key}=${value}`]);
  const limits = [
    '--split',
    place.test,
    '--tasks',
    `0-${tasks - 1}`,
    '--max-turns',
    String(turns),
    '--max-tokens',
    String(tokens),
  ];
  const where = ['--threads', '1'];
  if (device !== undefined) where.push('--device', device);
  if (memory !== undefined) where.push('--card-memory', memory);
  const judged = join(out, `${name}-${seed}-eval`);
  const players = policies.flatMap((one) => ['--policy', one]);
  await agoge(patience, 'eval', env, ...players, ...limits, ...where, ...sets, '--fresh', '--no-view', '--out', judged);
  return (JSON.parse(await readFile(join(judged, 'eval.json'), 'utf8')) as { scores: Score[] }).scores;
}

async function infoOf(run: string): Promise<Info> {
  return JSON.parse(await readFile(join(out, run, 'run.json'), 'utf8')) as Info;
}

interface Score {
  readonly policy: string;
  readonly perTask: readonly { readonly success: readonly number[] }[];
}

interface Info {
  readonly step: number;
  readonly reason?: string;
  readonly best?: { readonly step: number };
  readonly diagnosis?: readonly { readonly kind: string }[];
}

/** Start and end of each environment, with an interval over seeds and tasks. */
function table(all: readonly Result[]): void {
  const names = [...new Set(all.map(({ env }) => env))];
  const random = Random.of(1);
  let [worse, better, room, signal] = [0, 0, 0, 0];
  for (const name of names) {
    const own = all.filter(({ env }) => env === name);
    const mean = (each: (one: Result) => readonly number[]): number => average(own.map((one) => average(each(one))));
    const draws = Array.from({ length: 2000 }, () =>
      average(
        own.map(() => {
          const { start, end } = own[random.below(own.length)] as Result;
          return average(start.map(() => random.below(start.length)).map((i) => (end[i] ?? NaN) - (start[i] ?? NaN)));
        }),
      ),
    ).sort((a, b) => a - b);
    const [low, high] = [draws[50] ?? NaN, draws[1949] ?? NaN];
    const start = mean((one) => one.start);
    if (high < 0) worse++;
    if (start < 0.9) room++;
    if (start < 0.9 && start > 0) signal++;
    if (low > 0) better++;
    const change = `${signed(mean((one) => one.end) - start)} [${signed(low)}, ${signed(high)}]`;
    process.stdout.write(
      `| ${name} | ${start.toFixed(2)} | ${mean((one) => one.end).toFixed(2)} | ${mean((one) => one.last).toFixed(2)} | ${change} | ${own.map(({ steps }) => steps).join(', ')} | ${own.map(({ best }) => best ?? '–').join(', ')} |\n`,
    );
  }
  process.stdout.write(
    `below its start: ${worse}; above it: ${better} of ${room} with room (start below 0.9; ${signal} of them solve some task at their start); ${names.length} environments\n`,
  );
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;
}
