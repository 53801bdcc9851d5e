/**
 * Are the forecasts of `agoge doctor` right? For every environment the doctor says, on one thread, whether imitation reaches half of the
 * tasks within some minutes; then imitation goes on for those minutes and 60 test tasks are played.
 *   npx tsx bench/learning/forecast.ts cores=14 minutes=6 horizon=1.5 out=/tmp/forecast [only=maze,warehouse] [policy=base]
 * One JSON line per environment in <out>/forecast.jsonl; given again, the command does what is missing and prints the table.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Checkup } from '../../src/train/checkup/checkup.ts';
import { chosen, given, type Place } from './places.ts';
import { agoge, workOff } from './jobs.ts';

interface Result {
  readonly env: string;
  readonly found: Checkup;
  /** Success after `horizon` minutes of imitation. */
  readonly success: number;
  readonly n: number;
}

const out = given['out'] ?? 'outputs/forecast';
const policy = given['policy'] ?? 'reader';
/** Minutes of imitation on one thread. */
const horizon = Number(given['horizon'] ?? 1.5);
const level = Number(given['level'] ?? 0.5);

await mkdir(out, { recursive: true });
const jobs = chosen().map((place) => ({ key: place.name, work: () => measure(place) }));
const results = await workOff(join(out, 'forecast.jsonl'), jobs, {
  cores: Number(given['cores'] ?? 14),
  minutes: Number(given['minutes'] ?? 6),
});
table(Object.values(results) as Result[]);

async function measure(place: Place): Promise<Result> {
  const { name, env, settings = {}, turns, tokens, tasks = 60 } = place;
  const sets = Object.entries(settings).flatMap(([key, value]) => [
    '--set',
    `${env.endsWith('.ts') ? name : env}.${key}=${value}`,
  ]);
  const asked = [
    '--policy',
    policy,
    '--split',
    place.train,
    '--max-turns',
    String(turns),
    '--threads',
    '1',
    '--horizon',
    String(horizon),
  ];
  const found = JSON.parse(await agoge(240, 'doctor', env, ...asked, ...sets, '--level', String(level), '--json')) as Checkup;
  const run = `${name}-imitation`;
  const recipe = {
    run,
    output: out,
    policy,
    engine: { threads: 1 },
    data: {
      source: 'experts',
      experts: [{ env, split: place.train, settings }],
      curriculum: { levels: 1 },
      max_turns: turns,
      max_tokens: 2048,
      too_long: 'skip',
    },
    batch_tokens: 1024,
    optimizer: { lr: 1e-3, warmup: 10 },
    minutes: horizon,
    checkpoint: { every: 0 },
    evaluate: { at_start: false, at_end: false },
  };
  await writeFile(join(out, `${run}.yaml`), stringify(recipe));
  await agoge(60 * horizon + 120, 'sft', join(out, `${run}.yaml`), '--no-view', '--json').catch((thrown: unknown) => {
    if (!String(thrown).includes('holds a run already')) throw thrown;
  });
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
  const judged = join(out, `${run}-eval`);
  await agoge(300, 'eval', env, '--policy', `run:${join(out, run)}`, ...limits, ...sets, '--fresh', '--no-view', '--out', judged);
  const { scores } = JSON.parse(await readFile(join(judged, 'eval.json'), 'utf8')) as {
    scores: { success: { mean: number }; scored: number }[];
  };
  const [score] = scores;
  if (!score) throw new Error(`${judged} has no score`);
  return { env: name, found, success: score.success.mean, n: score.scored };
}

function table(all: readonly Result[]): void {
  let right = 0;
  for (const { env, found, success, n } of all) {
    const { forecast, expected } = found;
    const says = forecast.verdict === 'there' || (forecast.verdict === 'learns' && forecast.minutes <= horizon);
    const hit = says === success >= level;
    if (hit) right++;
    const minutes = 'minutes' in forecast ? `, ${forecast.minutes.toFixed(1)} min` : '';
    process.stdout.write(
      `| ${env} | ${forecast.verdict}${'because' in forecast ? ` (${forecast.because})` : ''}${minutes} | ${expected === null ? '–' : expected.toFixed(2)} | ${success.toFixed(2)} of ${n} | ${hit ? 'right' : 'WRONG'} |\n`,
    );
  }
  process.stdout.write(
    `right: ${right} of ${all.length} (level ${level} within ${horizon} minutes of imitation on one thread)\n`,
  );
}
