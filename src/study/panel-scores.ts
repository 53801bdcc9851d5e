/** A policy's evaluation on a panel of a study: how it is asked for, and what it scored. */
import { AgogeError } from '../core/error.ts';
import { readEvaluation } from '../eval/read.ts';
import { parseEnvironmentSpec } from '../gym/client/connect.ts';
import { mean } from '../learn/rows.ts';
import type { ArmRuns } from './arm-runs.ts';
import type { PanelPlan } from './plan.ts';
import type { Scores } from './results.ts';

/** Arguments of `agoge eval`. */
export function evaluationArgs(
  { environment, played, device }: ArmRuns,
  panel: PanelPlan,
  policy: string,
  out: string,
  threads: number,
): string[] {
  const env = played.env ?? environment;
  const { name } = parseEnvironmentSpec(env);
  const option = (key: string, value: string | number | null): string[] => (value === null ? [] : [key, String(value)]);
  return [
    'eval',
    env,
    ...option('--policy', policy),
    ...option('--split', panel.split),
    ...option('--tasks', panel.tasks),
    ...option('--samples', panel.samples),
    ...option('--temperature', panel.temperature),
    ...option('--max-turns', panel.max_turns),
    ...option('--max-tokens', panel.max_tokens),
    ...Object.entries(panel.settings).flatMap(([key, value]) => ['--set', `${name}.${key}=${value}`]),
    ...option('--threads', threads),
    ...(device === 'host' ? [] : [...option('--device', device), ...option('--card-memory', played.card_memory ?? null)]),
    ...option('--out', out),
    '--no-view',
  ];
}

/** What an evaluation's folder says; throws RUN_STUDY_FAILED. */
export async function scoresOf(folder: string, { samples, temperature }: PanelPlan): Promise<Scores> {
  const { scores } = await readEvaluation(folder).catch((thrown: unknown) => {
    throw new AgogeError('RUN_STUDY_FAILED', `its evaluation did not end: read ${folder}.log`, { cause: thrown });
  });
  const [score] = scores;
  if (!score || score.scored === 0)
    throw new AgogeError('RUN_STUDY_FAILED', `no episode of its evaluation has a result: read ${folder}.log`);
  return {
    panel: score.panel,
    split: score.split,
    samples,
    temperature,
    missing: score.episodes - score.scored,
    tasks: score.perTask.map(({ index, category, success, reward }) => [
      index,
      category,
      success.join(''),
      reward.length === 0 ? null : Math.round(mean(reward) * 1e4) / 1e4,
    ]),
  };
}

/** Success on each panel, in words. */
export function successText(panels: Readonly<Record<string, Scores>>): string {
  return Object.entries(panels)
    .map(([name, { tasks }]) => `${name} ${mean(tasks.flatMap(([, , all]) => [...all].map(Number))).toFixed(3)}`)
    .join(', ');
}
