/**
 * The checkpoints of a folder by name, ours and those of other systems: `step_000040` of our runs, `global_step_40` of verl,
 * `epoch_15` and `checkpoint-500` of trainers built on it.
 */
import { join } from 'node:path';
import { AgogeError } from '../core/error.ts';
import { Checkpoints } from './checkpoints.ts';
import { namesIn } from './files.ts';
import { layout, stepOf } from './layout.ts';

export interface CheckpointFolder {
  /** As in a policy's name: `step_40`, `epoch_15`, `global_step_40`. */
  readonly name: string;
  readonly number: number;
  /** The folder of the checkpoint, which holds the model or a folder with it. */
  readonly path: string;
  /** Written by us: the model lies in it. */
  readonly own: boolean;
}

const foreign = /^(epoch|global_step|step|checkpoint)[_-](\d+)$/;

/** Ours where there are some, else those of other systems in the folder or in its `checkpoints`; by number. */
export async function checkpointFolders(directory: string): Promise<CheckpointFolder[]> {
  const own = new Checkpoints(directory);
  const steps = await own.steps();
  if (steps.length > 0) return steps.map((step) => ({ name: `step_${step}`, number: step, path: own.path(step), own: true }));
  for (const folder of [join(directory, layout.checkpoints), directory]) {
    const found = (await namesIn(folder)).flatMap((name): CheckpointFolder[] => {
      const match = foreign.exec(name);
      return match && stepOf(name) === undefined
        ? [{ name, number: Number(match[2]), path: join(folder, name), own: false }]
        : [];
    });
    if (found.length > 0) return found.sort((a, b) => a.number - b.number || a.name.localeCompare(b.name));
  }
  return [];
}

/** One checkpoint by what stands behind the @; throws POLICY_NO_CHECKPOINT with those there are. */
export async function checkpointNamed(directory: string, wanted: number | string): Promise<CheckpointFolder> {
  const all = await checkpointFolders(directory);
  const best = wanted === 'best' ? (await new Checkpoints(directory).best())?.step : undefined;
  const start = (best ?? wanted) === 0 ? await startFolder(directory) : undefined;
  if (start) return start;
  if (all.length === 0) throw noCheckpoints(directory);
  const found =
    wanted === 'latest'
      ? all.at(-1)
      : (all.find(({ name }) => name === wanted) ?? all.find(({ number }) => number === (best ?? numberOf(wanted))));
  if (found) return found;
  const names = all.map(({ name }) => name).join(', ');
  throw new AgogeError('POLICY_NO_CHECKPOINT', `${directory} has no checkpoint @${best ?? wanted}: it has ${names}`);
}

/** Step 0: the weights of the start, where a run has kept them. */
async function startFolder(directory: string): Promise<CheckpointFolder | undefined> {
  const path = join(directory, layout.start);
  const kept = await namesIn(path).catch((): string[] => []);
  return kept.length > 0 ? { name: 'step_0', number: 0, path, own: true } : undefined;
}

/** What `run:x` without a checkpoint takes, and what it could: undefined where there is nothing to choose. */
export async function whichCheckpoint(directory: string): Promise<string | undefined> {
  const latest = (await checkpointFolders(directory)).at(-1);
  if (!latest) return undefined;
  const best = await new Checkpoints(directory).best();
  const takes = `run:${directory} takes its latest checkpoint, ${latest.name}`;
  if (!best) return takes;
  if (best.step === latest.number) return `${takes}, which is its best`;
  const what = best.by === 'success' ? `success ${best.score.toFixed(3)}` : `validation loss ${best.score.toFixed(4)}`;
  const where = best.step === 0 ? 'the start' : `step_${best.step}`;
  return `${takes}; its best is ${where} (${what}): run:${directory}@best`;
}

export function noCheckpoints(directory: string): AgogeError {
  return new AgogeError(
    'POLICY_NO_CHECKPOINT',
    `there are no checkpoints in ${directory}: name the folder of a run, such as outputs/<run>, or make that run first`,
  );
}

/** verl's `global_step_40` names our step 40 too. */
function numberOf(wanted: number | string): number | undefined {
  if (typeof wanted === 'number') return wanted;
  const match = /^global_step_(\d+)$/.exec(wanted);
  return match ? Number(match[1]) : undefined;
}
