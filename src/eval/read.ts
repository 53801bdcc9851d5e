/** Reads eval.json back and pairs evaluations for comparison. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Sampling } from '../agent/limits.ts';
import { AgogeError } from '../core/error.ts';
import { evaluationLayout } from '../run/layout.ts';
import { refuseNewer } from '../run/version.ts';
import { compareScores, type Comparison } from './compare.ts';
import type { Evaluation } from './evaluate.ts';
import { panelDifferences, type Panel } from './panel.ts';
import type { Score } from './score.ts';

/** What a comparison needs; the rest of eval.json is for other readers. */
const evaluationSchema = z.looseObject({
  v: z.literal(1),
  sampling: z.looseObject({ temperature: z.number() }),
  panels: z.array(
    z.looseObject({
      env: z.string(),
      version: z.string(),
      split: z.string(),
      tasks: z.array(z.number()),
      format: z.string(),
      limits: z.looseObject({ turns: z.number(), tokensPerTurn: z.number() }),
      hash: z.string(),
    }),
  ),
  scores: z.array(
    z.looseObject({
      panel: z.string(),
      policy: z.string(),
      perTask: z.array(z.looseObject({ index: z.number(), success: z.array(z.number()), reward: z.array(z.number()) })),
    }),
  ),
});

/** True for the folder of an evaluation that runs, or was stopped before its results. */
export async function isUnfinished(folder: string): Promise<boolean> {
  return (await stat(join(folder, evaluationLayout.journal)).catch(() => undefined))?.isFile() === true;
}

/** The evaluation of a folder (or of an eval.json itself); throws EVAL_UNREADABLE. */
export async function readEvaluation(path: string): Promise<Evaluation> {
  const file = (await stat(path).catch(() => undefined))?.isDirectory() === true ? join(path, evaluationLayout.results) : path;
  let json: unknown;
  try {
    json = JSON.parse(await readFile(file, 'utf8'));
  } catch (thrown) {
    if (await isUnfinished(path)) {
      const how = 'run the same agoge eval command again, which goes on with it, or wait for it';
      throw new AgogeError('EVAL_UNREADABLE', `the evaluation in ${path} has not ended: ${how}`, { cause: thrown });
    }
    throw new AgogeError('EVAL_UNREADABLE', `there is no finished evaluation at ${path}: give the folder that agoge eval wrote`, {
      cause: thrown,
    });
  }
  return evaluationOf(json, file);
}

/** What an eval.json holds, checked; throws EVAL_UNREADABLE. */
export function evaluationOf(json: unknown, file: string): Evaluation {
  refuseNewer(json, file);
  const parsed = evaluationSchema.safeParse(json);
  if (!parsed.success) {
    throw new AgogeError(
      'EVAL_UNREADABLE',
      `${file} is not an evaluation of this version (${parsed.error.issues[0]?.path.join('.') ?? ''}): evaluate again`,
    );
  }
  return json as Evaluation;
}

/** Compares what two names stand for (`folder` or `folder#policy`), panel by panel; throws EVAL_PANELS_DIFFER. */
export async function compareFolders(a: string, b: string): Promise<Comparison[]> {
  const [first, second] = [await choose(a), await choose(b)];
  const comparisons = first.flatMap((left) => {
    const same = second.find(
      (right) => right.panel.env === left.panel.env && panelDifferences(left.panel, right.panel).length === 0,
    );
    return same ? [compareScores(left.score, left.panel, same.score, same.panel, { a: left.sampling, b: same.sampling })] : [];
  });
  if (comparisons.length > 0) return comparisons;
  const [left, right] = [first[0], second.find(({ panel }) => panel.env === first[0]?.panel.env) ?? second[0]];
  if (!left || !right)
    throw new AgogeError('EVAL_NOTHING_TO_COMPARE', 'one of the evaluations has no scores: run it to its end first');
  return [compareScores(left.score, left.panel, right.score, right.panel, { a: left.sampling, b: right.sampling })];
}

async function choose(name: string): Promise<{ score: Score; panel: Panel; sampling: Sampling }[]> {
  const hash = name.indexOf('#');
  const folder = hash < 0 ? name : name.slice(0, hash);
  const wanted = hash < 0 ? undefined : name.slice(hash + 1);
  const { scores, panels, sampling } = await readEvaluation(folder);
  const policies = [...new Set(scores.map(({ policy }) => policy))];
  const policy = wanted ?? (policies.length === 1 ? policies[0] : undefined);
  if (policy === undefined || !policies.includes(policy)) {
    throw new AgogeError(
      'EVAL_WHICH_POLICY',
      `${folder} has the policies ${policies.join(', ')}: choose one, for example ${folder}#${policies[0] ?? 'base'}`,
    );
  }
  return scores.flatMap((score) => {
    const panel = panels.find((each) => each.hash === score.panel);
    return score.policy === policy && panel ? [{ score, panel, sampling }] : [];
  });
}
