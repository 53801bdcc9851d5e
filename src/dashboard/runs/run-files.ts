/** The small files of a run, each read for what it gives: a missing or broken one is a problem in words, never an exception. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { causeSchema, type Cause } from '../../run/cause.ts';
import { parseDiagnoses } from '../../run/diagnosis/diagnosis.ts';
import { diagnosisText, remedies } from '../../run/diagnosis/words.ts';
import { listing, namesInside, readInside, type Listing } from '../../run/inside.ts';
import { evaluationLayout, layout, stepOf } from '../../run/layout.ts';
import type { BestCheckpoint, Checkpoint, Diagnosed, RunStatus } from '../model.ts';

/** What the list of runs needs of them. */
export interface RunHead {
  readonly kind: 'rl' | 'sft' | 'reward' | 'own' | 'eval';
  readonly status: RunStatus;
  readonly recipe: string;
  readonly startedAt?: string;
  readonly updatedAt?: string;
  /** The last step that was reached, and those that are planned. */
  readonly step?: number;
  readonly steps?: number;
  readonly played?: number;
  readonly tokens?: number;
  /** Why it ended early. */
  readonly reason?: string;
  readonly cause?: Cause;
  /** Why it does not learn. */
  readonly diagnosis: readonly Diagnosed[];
  readonly problems: readonly string[];
}

export interface RunFiles extends RunHead {
  readonly config: string;
  readonly facts: Readonly<Record<string, string | number>>;
  readonly checkpoints: readonly Checkpoint[];
  readonly best?: Omit<BestCheckpoint, 'before'>;
}

/** The head, with the JSON that it was read from. */
interface ReadHead {
  readonly head: RunHead;
  readonly info?: z.infer<typeof infoSchema> | undefined;
  readonly status?: unknown;
}

/** Of each of these files, in bytes; they have a few kilobytes. */
const most = 4 << 20;

/** One of another version is as good as none: the sentence is there. */
const cause = causeSchema.optional().catch(undefined);

const infoSchema = z.looseObject({
  kind: z.enum(['rl', 'sft', 'reward', 'own']).catch('rl'),
  status: z.string().catch('unknown'),
  reason: z.string().optional(),
  cause,
  diagnosis: z.unknown().optional(),
  title: z.string().catch(''),
  seed: z.number().optional(),
  step: z.number().optional().catch(undefined),
  steps: z.number().nullish(),
  startedAt: z.string().optional(),
  updatedAt: z.string().optional(),
  pid: z.number().optional(),
  versions: z.record(z.string(), z.string()).catch({}),
  environments: z.record(z.string(), z.string()).catch({}),
  best: z.object({ step: z.number(), score: z.number(), by: z.enum(['success', 'loss']).catch('success') }).optional(),
  episodes: z.number().optional(),
  tokens: z.number().optional(),
});

/** What an evaluation says of itself, without the rest of a run's: a default for each missing thing is most of the work of a list. */
const statusSchema = z.object({
  status: z.string(),
  title: z.string(),
  reason: z.string().optional(),
  cause,
  startedAt: z.string().optional(),
  updatedAt: z.string().optional(),
  pid: z.number().optional(),
});

export async function readRunFiles(folder: string): Promise<RunFiles> {
  const there = listing(folder);
  const problems: string[] = [];
  const config = await textOf(there, layout.config, problems);
  const { head, info } = await readHead(there);
  return {
    ...head,
    config: config ?? '',
    facts: info ? factsOf(info) : {},
    checkpoints: info ? await checkpointsOf(folder) : [],
    ...(info?.best && { best: info.best }),
    problems: [...problems, ...head.problems],
  };
}

export async function readHead(folder: Listing): Promise<ReadHead> {
  const problems: string[] = [];
  if (!folder.entries.has(layout.info)) {
    const evaluation = evaluationHead(folder, await textOf(folder, evaluationLayout.status, problems), problems);
    if (evaluation) return evaluation;
  }
  const info = await readInfo(folder, problems);
  const updated = info?.updatedAt ?? timeOf(folder.path);
  const head: RunHead = {
    kind: info?.kind ?? 'rl',
    status: info ? asPlanned(statusOf(info.status, info.pid), info.cause) : 'unknown',
    recipe: info?.title ?? '',
    diagnosis: parseDiagnoses(info?.diagnosis).map((found) => ({
      ...found,
      says: diagnosisText(found),
      remedy: remedies[found.kind],
    })),
    problems,
    ...(info?.startedAt !== undefined && { startedAt: info.startedAt }),
    ...(updated !== undefined && { updatedAt: updated }),
    ...(info?.step !== undefined && { step: info.step }),
    ...(typeof info?.steps === 'number' && { steps: info.steps }),
    ...(info?.episodes !== undefined && info.episodes > 0 && { played: info.episodes }),
    ...(info?.tokens !== undefined && info.tokens > 0 && { tokens: info.tokens }),
    ...(info?.reason !== undefined && { reason: info.reason }),
    ...(info?.cause !== undefined && { cause: info.cause }),
  };
  return { head, info };
}

async function textOf(folder: Listing, name: string, problems: string[]): Promise<string | undefined> {
  try {
    return await readInside(folder, name, most);
  } catch (thrown) {
    problems.push(`${name} cannot be read: ${firstLine(thrown)}`);
    return undefined;
  }
}

async function readInfo(folder: Listing, problems: string[]): Promise<ReadHead['info']> {
  try {
    return infoSchema.parse(JSON.parse((await readInside(folder, layout.info, most)) ?? ''));
  } catch (thrown) {
    problems.push(`${layout.info} cannot be read: ${firstLine(thrown)}`);
    return undefined;
  }
}

/** An evaluation of its own: how it stands (status.json), or only that it ended (eval.json) where an older version wrote it. */
function evaluationHead(folder: Listing, text: string | undefined, problems: readonly string[]): ReadHead | undefined {
  const ended = folder.entries.has(evaluationLayout.results);
  if (!ended && text === undefined) return undefined;
  const json = text === undefined ? undefined : parsed(text);
  const read = statusSchema.safeParse(json);
  if (!read.success) {
    const head: RunHead = {
      kind: 'eval',
      status: ended ? 'finished' : 'unknown',
      recipe: 'evaluation',
      diagnosis: [],
      problems: text === undefined ? problems : [...problems, `${evaluationLayout.status} cannot be read`],
    };
    const updatedAt = timeOf(join(folder.path, evaluationLayout.results));
    return { head: { ...head, ...(updatedAt !== undefined && { updatedAt }) } };
  }
  const { title, status, pid, startedAt, updatedAt, reason, cause: why } = read.data;
  const head: RunHead = {
    kind: 'eval',
    status: statusOf(status, pid),
    recipe: title,
    diagnosis: [],
    problems,
    ...(reason !== undefined && { reason }),
    ...(why !== undefined && { cause: why }),
    ...(startedAt !== undefined && { startedAt }),
    ...(updatedAt !== undefined && { updatedAt }),
  };
  return { head, status: json };
}

/** Why something failed, in one line. */
export function firstLine(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.message.split('\n')[0] ?? '') : String(thrown);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A run that says it is running but whose process is gone was killed. */
function statusOf(status: string, pid: number | undefined): RunStatus {
  if (status === 'finished' || status === 'failed') return status;
  if (status === 'stopped' || status === 'interrupted') return 'stopped';
  if (status !== 'running') return 'unknown';
  return pid === undefined || alive(pid) ? 'running' : 'stopped';
}

/** A run that has used the minutes it was given, or reached what it was meant to reach, has ended as its recipe says. */
function asPlanned(status: RunStatus, cause: Cause | undefined): RunStatus {
  return status === 'stopped' && (cause?.kind === 'minutes' || cause?.kind === 'success') ? 'finished' : status;
}

function factsOf(info: z.infer<typeof infoSchema>): Record<string, string | number> {
  const facts: Record<string, string | number | undefined> = {
    seed: info.seed,
    episodes: info.episodes,
    tokens: info.tokens,
    ...info.versions,
    ...info.environments,
  };
  return Object.fromEntries(Object.entries(facts).filter((entry): entry is [string, string | number] => entry[1] !== undefined));
}

async function checkpointsOf(folder: string): Promise<Checkpoint[]> {
  const names = await namesInside(folder, layout.checkpoints);
  return names.flatMap((name): Checkpoint[] => {
    const step = stepOf(name);
    return step === undefined ? [] : [{ step, path: `${layout.checkpoints}/${name}` }];
  });
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** When a file or folder was last written; undefined where there is none. */
function timeOf(path: string): string | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.mtime.toISOString();
  } catch {
    return undefined;
  }
}
