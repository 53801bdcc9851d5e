/**
 * Does GRPO by the recipe of `agoge new env` end below its start? For every environment and seed: a short imitation from the policy that the
 * template starts from is the start, the template's recipe goes on from it, and start and result (@best, @latest) play the same test tasks.
 *   npx tsx bench/learning/defaults.ts cores=14 minutes=9 seeds=3 out=/tmp/defaults [only=maze,warehouse] [seed=2] [policy=base] [lr=1e-4]
 * `seed` takes one seed alone; `imitation` and `learning` are minutes. One JSON line per run in <out>/defaults.jsonl; given again, the command does what is missing and prints the table.
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
  const { name, env, settings = {}, turns, tokens } = place;
  const entry = { env, split: place.train, settings };
  const [taught, learned] = [`${name}-${seed}-sft`, `${name}-${seed}-grpo`];
  const written = (file: 'sft.yaml' | 'train.yaml'): Record<string, unknown> =>
    parse(templates.env[file]) as Record<string, unknown>;
  const sft = {
    ...written('sft.yaml'),
    run: taught,
    output: out,
    seed,
    ...(given['policy'] === undefined ? {} : { policy: given['policy'] }),
    engine: { threads: 1 },
    data: {
      source: 'experts',
      experts: [entry],
      curriculum: { levels: 1 },
      max_turns: turns,
      max_tokens: 2048,
      too_long: 'skip',
    },
    steps: 100_000,
    minutes: imitation,
    evaluate: { at_start: false, at_end: false },
  };
  const grpo = written('train.yaml');
  const { panels: _, ...evaluate } = grpo['evaluate'] as { panels: unknown };
  const train = {
    ...grpo,
    run: learned,
    output: out,
    seed,
    policy: `run:${join(out, taught)}`,
    engine: { threads: 1 },
    tasks: [entry],
    agent: { format: 'direct', max_turns: turns, tokens_per_turn: tokens },
    ...(given['lr'] === undefined ? {} : { optimizer: { ...(grpo['optimizer'] as object), lr: Number(given['lr']) } }),
    stop: { ...(grpo['stop'] as object | undefined), minutes: learning },
    // Chosen by the validation split, or by tasks held out of training: without panels, these are what is played.
    evaluate: { ...evaluate, tasks: 48, max_turns: turns },
    checkpoint: { every: 0 },
    log: { episodes: 0 },
  };
  for (const run of [taught, learned]) await rm(join(out, run), { recursive: true, force: true }); // what was left when this was stopped
  await writeFile(join(out, `${taught}.yaml`), stringify(sft));
  await writeFile(join(out, `${learned}.yaml`), stringify(train));
  await agoge(240, 'sft', join(out, `${taught}.yaml`), '--no-view', '--json');
  await agoge(420, 'train', join(out, `${learned}.yaml`), '--no-view', '--json');
  const at = (run: string): string => `run:${join(out, run)}`;
  const judged = join(out, `${name}-${seed}-eval`);
  const sets = Object.entries(settings).flatMap(([key, value]) => [
    '--set',
    `${env.endsWith('.ts') ? name : env}.${key}=${value}`,
  ]);
  const limits = [
    '--split',
    place.test,
    '--tasks',
    `0-${tasks - 1}`,
    '--max-turns',
    String(turns),
    '--max-tokens',
    String(tokens),
    '--threads',
    '1',
  ];
  const policies = [at(taught), `${at(learned)}@best`, `${at(learned)}@latest`].flatMap((one) => ['--policy', one]);
  await agoge(300, 'eval', env, ...policies, ...limits, ...sets, '--fresh', '--no-view', '--out', judged);
  const { scores } = JSON.parse(await readFile(join(judged, 'eval.json'), 'utf8')) as { scores: Score[] };
  const info = JSON.parse(await readFile(join(out, learned, 'run.json'), 'utf8')) as Info;
  const of = (found: string): number[] =>
    scores.find((one) => one.policy.includes(found))?.perTask.flatMap((one) => one.success) ?? [];
  const best = info.best?.step ?? null;
  const last = of(`${learned}@step_${info.step}`);
  return {
    env: name,
    seed,
    steps: info.step,
    best,
    stopped: info.reason ?? null,
    diagnosis: (info.diagnosis ?? []).map(({ kind }) => kind),
    start: of(taught),
    end: best === null ? last : best === 0 ? of(taught) : of(`${learned}@step_${best}`),
    last,
  };
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
