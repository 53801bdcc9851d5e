/**
 * The small files of a study, from which its table is made: scores by task, curves and what each run cost, no weights. One file for each
 * run, so that seeds are added without touching the others.
 *
 *   studies/<name>/
 *     study.json                          arms, environments, panels
 *     runs/<environment>/<arm>/seed_1.json
 *     policies/<environment>/<policy>.json   starts that no arm has made
 *     choices/<environment>/<arm>.json    what was tried on validation, and what was taken
 *     page.md, curves.svg                 made from the files above
 */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { AgogeError } from '../core/error.ts';
import { makeFolder } from '../core/make-folder.ts';
import { writeWhole } from '../run/files.ts';

/** Of a task: its number, its category, a digit for each episode (1: solved), its mean reward. */
const taskRow = z.tuple([z.number(), z.string(), z.string().regex(/^[01]*$/), z.number().nullable()]);

const scoresSchema = z.object({
  /** Hash of the panel: scores of equal panels answer the same question. */
  panel: z.string(),
  split: z.string(),
  samples: z.number(),
  temperature: z.number(),
  /** Episodes without a result. */
  missing: z.number(),
  tasks: z.array(taskRow),
});

const costSchema = z.object({
  episodes: z.number(),
  tokens: z.number(),
  updates: z.number(),
  /** Processor time of training on cores; on a card, and of runs that do not say theirs, minutes by the clock times threads. */
  core_minutes: z.number(),
  /** Of training, by the clock; absent in results of earlier versions. */
  minutes: z.number().optional(),
  /** Processor time of training, where the run says it. */
  processor_minutes: z.number().optional(),
});

/** The noise scale of a run's first steps in episodes; null: no direction could be told from noise. */
const noiseSchema = z.object({
  episodes: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  /** Steps that it was taken from. */
  steps: z.number(),
});

/** Steps, minutes of training and success. */
const curvePoint = z.tuple([z.number(), z.number(), z.number()]);

const finishedSchema = z.object({
  v: z.literal(1),
  status: z.literal('finished'),
  fingerprint: z.string(),
  /** What was chosen on validation. */
  chosen: z.record(z.string(), z.string()),
  /** Why it ended before its recipe's end, where it did. */
  ended: z.string().optional(),
  step: z.number(),
  checkpoint: z.string(),
  cost: costSchema,
  validation: z.array(curvePoint),
  training: z.array(curvePoint),
  /** Absent where it was not measured, as in imitation. */
  noise: noiseSchema.optional(),
  panels: z.record(z.string(), scoresSchema),
  /** Where it was trained and with what; absent in results of earlier versions. */
  made_on: z.string().optional(),
});

const failedSchema = z.object({ v: z.literal(1), status: z.literal('failed'), fingerprint: z.string(), reason: z.string() });
const resultSchema = z.discriminatedUnion('status', [finishedSchema, failedSchema]);
const policySchema = z.object({
  v: z.literal(1),
  fingerprint: z.string(),
  policy: z.string(),
  panels: z.record(z.string(), scoresSchema),
});

const choiceSchema = z.object({
  v: z.literal(1),
  fingerprint: z.string(),
  chosen: z.record(z.string(), z.string()),
  tried: z.array(
    z.object({
      settings: z.record(z.string(), z.string()),
      success: z.number().nullable(),
      seeds: z.number(),
      steps: z.number().optional(),
    }),
  ),
});

const studySchema = z.object({
  v: z.literal(1),
  study: z.string(),
  question: z.string(),
  plan: z.string(),
  seeds: z.array(z.number()),
  threads: z.number(),
  arms: z.array(
    z.object({
      name: z.string(),
      after: z.string().nullable(),
      recipe: z.string(),
      set: z.array(z.string()),
      checkpoint: z.string(),
    }),
  ),
  environments: z.array(
    z.object({
      name: z.string(),
      panels: z.array(z.string()),
      arms: z.array(z.string()),
      /** The policy that each arm without `after` begins with; absent for a fresh model. */
      starts: z.record(z.string(), z.string()),
      /** Where its runs computed; absent: on the processor. */
      device: z.string().optional(),
    }),
  ),
  compare: z.array(z.tuple([z.string(), z.string()])),
  /** Success in training that was waited for. */
  threshold: z.number().optional(),
});

export type Scores = z.infer<typeof scoresSchema>;
export type Cost = z.infer<typeof costSchema>;
export type RunNoise = z.infer<typeof noiseSchema>;
export type CurvePoint = z.infer<typeof curvePoint>;
export type Finished = z.infer<typeof finishedSchema>;
export type RunResult = z.infer<typeof resultSchema>;
export type PolicyResult = z.infer<typeof policySchema>;
export type Choice = z.infer<typeof choiceSchema>;
export type StudyFacts = z.infer<typeof studySchema>;

export function runFile(environment: string, arm: string, seed: number): string {
  return join('runs', environment, arm, `seed_${seed}.json`);
}

export function policyFile(environment: string, policy: string): string {
  return join('policies', environment, `${policy.replaceAll(/[^A-Za-z0-9._@-]+/g, '_').slice(0, 100)}.json`);
}

export function choiceFile(environment: string, arm: string): string {
  return join('choices', environment, `${arm}.json`);
}

const kinds = { 'study.json': studySchema, runs: resultSchema, policies: policySchema, choices: choiceSchema } as const;
interface Kinds {
  readonly 'study.json': StudyFacts;
  readonly runs: RunResult;
  readonly policies: PolicyResult;
  readonly choices: Choice;
}

/** One small file; undefined where there is none. Throws RUN_STUDY_FILE for one that cannot be read. */
export async function readSmall<K extends keyof Kinds>(folder: string, kind: K, name: string): Promise<Kinds[K] | undefined> {
  const path = join(folder, name);
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return kinds[kind].parse(JSON.parse(text)) as Kinds[K];
  } catch (thrown) {
    const how = 'restore it, or remove it and give the plan to agoge study again';
    throw new AgogeError('RUN_STUDY_FILE', `${path} is no result of a study: ${how}`, { cause: thrown });
  }
}

/** Written whole or not at all; rows of tasks take a line each, so that changes can be read. */
export async function writeSmall<K extends keyof Kinds>(folder: string, _kind: K, name: string, value: Kinds[K]): Promise<void> {
  const path = join(folder, name);
  await makeFolder(dirname(path));
  const text = JSON.stringify(value, null, 1).replaceAll(/\[\n\s+(-?[\d.]+|null),[^[\]{}]*\]/g, (row) =>
    row.replaceAll(/\n\s*/g, ''),
  );
  await writeWhole(path, `${text}\n`);
}

/** The study of a folder; throws RUN_NO_STUDY where there is none. */
export async function readStudy(folder: string): Promise<StudyFacts> {
  const study = await readSmall(folder, 'study.json', 'study.json');
  if (study) return study;
  const inside = await readdir(folder).catch((): string[] => []);
  const hint = inside.includes('plan.yaml')
    ? `it has a plan that was not run yet: agoge study ${join(folder, 'plan.yaml')}`
    : 'name the folder that agoge study wrote';
  throw new AgogeError('RUN_NO_STUDY', `there are no results of a study in ${folder}: ${hint}`);
}
