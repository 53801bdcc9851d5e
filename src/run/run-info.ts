/** run.json, read back. One that a power cut left empty or torn is made up from what lies beside it, so that the run can go on. */
import { basename, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { AgogeError } from '../core/error.ts';
import { Checkpoints } from './checkpoints.ts';
import { readInside } from './inside.ts';
import { layout, type RunInfo } from './layout.ts';
import { folderVersion, refuseNewer } from './version.ts';

/** Bytes of the recipe or of run.json. */
export const mostBytes = 4 << 20;

/** Throws RUN_NOT_FOUND where there is none, RUN_BAD_INFO where it is damaged and nothing tells what it was. */
export async function readRunInfo(path: string): Promise<RunInfo> {
  const text = await readInside(path, layout.info, mostBytes);
  if (text === undefined) {
    throw new AgogeError(
      'RUN_NOT_FOUND',
      `${path} holds no run (no ${layout.info}): give the folder of a run, such as outputs/textcraft-grpo`,
    );
  }
  refuseNewer(parsed(text), path);
  return parseInfo(text) ?? recover(path, (await readInside(path, layout.config, mostBytes)) ?? '');
}

/** Is there something that a new run would overwrite? A run that failed before its first step has nothing to lose. */
export async function holdsRun(path: string): Promise<boolean> {
  const text = await readInside(path, layout.info, mostBytes);
  if (text === undefined) return false;
  const info = parseInfo(text);
  refuseNewer(parsed(text), path);
  if (info) return !(info.status === 'failed' && info.step === 0);
  return (await new Checkpoints(path).latest()) !== undefined;
}

/** What readers of run.json rely on. */
const shape = z.looseObject({
  name: z.string(),
  kind: z.enum(['rl', 'sft', 'reward', 'own']),
  status: z.enum(['running', 'finished', 'stopped', 'interrupted', 'failed']),
  step: z.number(),
  resumes: z.array(z.object({ at: z.string(), fromStep: z.number() })),
});

function parseInfo(text: string): RunInfo | undefined {
  const { success, data } = shape.safeParse(parsed(text));
  return success ? (data as unknown as RunInfo) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function recover(path: string, config: string): RunInfo {
  const recipe = recipeOf(config);
  if (!recipe) {
    throw new AgogeError(
      'RUN_BAD_INFO',
      `${path}/${layout.info} and ${layout.config} cannot be read: start a new run, from its weights with policy=run:${path}`,
    );
  }
  const now = new Date().toISOString();
  return {
    v: folderVersion,
    name: basename(resolve(path)),
    kind: 'algorithm' in recipe ? 'rl' : 'pairs' in recipe ? 'reward' : 'sft',
    status: 'interrupted',
    reason: `${layout.info} was damaged and has been made up from ${layout.config}`,
    title: basename(resolve(path)),
    seed: typeof recipe['seed'] === 'number' ? recipe['seed'] : 0,
    step: 0,
    steps: typeof recipe['steps'] === 'number' ? recipe['steps'] : null,
    startedAt: now,
    updatedAt: now,
    pid: process.pid,
    resumes: [],
    versions: {},
    environments: {},
    episodes: 0,
    tokens: 0,
  };
}

function recipeOf(config: string): Record<string, unknown> | undefined {
  try {
    const recipe: unknown = parse(config);
    return typeof recipe === 'object' && recipe !== null ? (recipe as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
