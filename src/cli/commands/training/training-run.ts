/** What `train`, `sft` and `reward` do alike: start a recipe or go on with a run, print it instead (--dry-run), the dashboard beside it, the end. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TrainingCommand } from '../../../config/packaged-recipes.ts';
import { AgogeError, type ErrorCode } from '../../../core/error.ts';
import type { TrainResult } from '../../../train/run/events.ts';
import type { StartOptions } from '../../../train/run/opening.ts';
import { showTraining } from '../../terminal/dashboard.ts';
import { ownEnvironments } from '../../options/own-environments.ts';
import { print, printJson } from '../../terminal/print.ts';
import { answering, interruption } from '../../terminal/signals.ts';
import { finishRun, progressEvents } from '../../terminal/training-progress.ts';

export interface TrainingKind<Recipe> {
  readonly command: TrainingCommand;
  readonly usage: ErrorCode;
  /** The recipe that is named where none was given. */
  readonly example: string;
  /** A recipe by its path or name, and what should be said before the first step. */
  readonly read: (path: string, overrides: readonly string[]) => Promise<{ recipe: Recipe; notes?: readonly string[] }>;
  /** What --dry-run prints. */
  readonly explain: (recipe: Recipe, notes: readonly string[]) => Promise<string>;
  readonly start: (recipe: Recipe, options: StartOptions) => Promise<TrainResult>;
}

/** Options that the three commands share. */
interface TrainingOptions {
  readonly resume?: string | undefined;
  readonly chaos?: string | undefined;
  readonly dryRun?: true | undefined;
  readonly view?: boolean | undefined;
  readonly json?: true | undefined;
}

export async function runTraining<Recipe extends { readonly output: string; readonly run: string }>(
  { command, usage, example, read, explain, start }: TrainingKind<Recipe>,
  path: string | undefined,
  overrides: readonly string[],
  options: TrainingOptions,
): Promise<void> {
  const json = options.json === true;
  if (options.chaos !== undefined && options.resume !== undefined)
    throw new AgogeError(usage, 'chaos needs the whole run, to compare it with one without faults: give a recipe, not --resume');
  if (options.resume !== undefined) {
    if (path !== undefined && !path.includes('='))
      throw new AgogeError(usage, 'a resumed run keeps its recipe: give either --resume or a recipe');
    const { resumeRun } = await import('../../../train/resume.ts');
    const changes = path === undefined ? overrides : [path, ...overrides];
    const signal = interruption();
    const folder = folderOf(options.resume);
    // What is no run is said before anything is shown of it.
    await (await import('../../../run/run-info.ts')).readRunInfo(folder);
    await using _ = await showTraining(folder, 'outputs', options);
    await finishRun(await answering(resumeRun(folder, { signal, events: progressEvents(json) }, changes)), json, command);
    return;
  }
  if (path === undefined) throw new AgogeError(usage, `nothing to train: give a recipe, for example ${example}`);
  const { recipe, notes = [] } = await read(path, overrides);
  if (options.dryRun === true) {
    if (json) printJson(recipe);
    else print(await explain(recipe, notes));
    return;
  }
  if (options.chaos !== undefined) {
    const { trainUnderChaos } = await import('../chaos.ts');
    const staleness = 'rollout' in recipe ? (recipe.rollout as { staleness: number }).staleness : 0;
    await trainUnderChaos(options.chaos, command, { folder: join(recipe.output, recipe.run), staleness, json });
    return;
  }
  const signal = interruption();
  let opened: Promise<AsyncDisposable> | undefined;
  await using _ = { [Symbol.asyncDispose]: async () => (await opened)?.[Symbol.asyncDispose]() };
  // A run that could not begin is nothing to be watched.
  const onFolder = (folder: string): void => {
    opened = showTraining(folder, recipe.output, options, ownEnvironments(recipe));
  };
  await finishRun(await answering(start(recipe, { signal, notes, onFolder, events: progressEvents(json) })), json, command);
}

/** A run by its folder, or by its name in outputs/. */
function folderOf(run: string): string {
  const below = join('outputs', run);
  return !existsSync(run) && existsSync(below) ? below : run;
}
