/**
 * From a recipe to a run: its directory, created with what is known of it, and the time until its trainer has all its parts. A run whose
 * parts could not be opened has failed, and says so in its directory; one that was stopped meanwhile was interrupted.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatRecipe, type AnyRecipe } from '../../config/recipe/recipe.ts';
import { isAbortOf } from '../../core/deadline.ts';
import { AgogeError } from '../../core/error.ts';
import type { Engine } from '../../engine/engine.ts';
import type { FormatGap, RunKind } from '../../run/layout.ts';
import { RunDirectory } from '../../run/run-directory.ts';
import { gapInWords } from './agent-setup.ts';
import type { TrainerEvents, TrainResult } from './events.ts';

/** How a run is stopped, and who is told what happens. */
export interface StartOptions {
  readonly signal?: AbortSignal;
  readonly events?: TrainerEvents;
  /** Told once the folder of the run is there. */
  readonly onFolder?: (path: string) => void;
  /** What should be said before the first step. */
  readonly notes?: readonly string[];
}

/** The same with a signal; one that nobody gave never aborts. */
export type Stoppable<Options> = Options & { readonly signal: AbortSignal };

export function stoppable<Options extends { readonly signal?: AbortSignal }>(options: Options): Stoppable<Options> {
  return { ...options, signal: options.signal ?? new AbortController().signal };
}

/** One thing more that should be said before the first step. */
export function withNote(options: StartOptions, note: string | undefined): Stoppable<StartOptions> {
  return stoppable(note === undefined ? options : { ...options, notes: [...(options.notes ?? []), note] });
}

/** The directory of a new run; throws RUN_EXISTS. */
export async function createRun(
  recipe: AnyRecipe,
  about: { readonly kind: RunKind; readonly title: string; readonly formats?: readonly FormatGap[] },
  { notes = [], events, onFolder }: StartOptions,
): Promise<RunDirectory> {
  const directory = await RunDirectory.create(join(recipe.output, recipe.run), formatRecipe(recipe), {
    name: recipe.run,
    seed: recipe.seed,
    steps: recipe.steps,
    versions: versions(),
    environments: {},
    ...about,
  });
  onFolder?.(directory.path);
  for (const note of [...notes, ...(about.formats ?? []).map(gapInWords)]) {
    events?.onNote?.(note);
    await directory.note(note);
  }
  return directory;
}

/** Opens parts and trains; what goes wrong before the trainer has begun belongs to the run as well. */
export async function whileOpening(
  directory: RunDirectory,
  { signal }: Stoppable<StartOptions>,
  from: number,
  work: () => Promise<TrainResult>,
): Promise<TrainResult> {
  try {
    return await work();
  } catch (thrown) {
    if (isAbortOf(signal, thrown)) {
      await directory.interrupt(from);
      return { status: 'interrupted', reason: 'interrupted', step: from, saved: from, directory: directory.path, diagnosis: [] };
    }
    const error = AgogeError.from(thrown, 'TRAIN_FAILED', 'training could not start');
    await directory.fail(error);
    throw error;
  }
}

/** What happens to servers while the run goes on belongs to its log. */
export function noted(directory: RunDirectory, events: TrainerEvents | undefined): (text: string) => void {
  return (text) => {
    events?.onNote?.(text);
    void directory.note(text);
  };
}

/** Says in the run whether it can be repeated bit by bit on this machine. */
export async function recordBits(engine: Engine, directory: RunDirectory): Promise<void> {
  const dependOn = engine.dependenciesOfBits?.();
  await directory.update({ bits: dependOn ? { dependOn } : null, device: engine.device ?? null });
  if (dependOn && dependOn.length > 0)
    await directory.note(`not reproducible bit by bit on this machine: the last bits depend on ${dependOn.join(' and on ')}`);
}

function versions(): Record<string, string> {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string };
  return { agoge: version, node: process.versions.node };
}
