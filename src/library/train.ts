/** `train` and `sft`: a run from a recipe in TypeScript, the same as `agoge train` and `agoge sft` make it from YAML. */
import { readRlRecipe, readSftRecipe } from '../config/recipe/read-recipe.ts';
import { rlRecipe, sftRecipe } from '../config/recipe/recipe.ts';
import { watched, withoutPanels } from '../config/recipe/watched.ts';
import { loadOwnDefinitions } from '../config/own-definitions.ts';
import type { TrainerEvents, TrainResult } from '../train/run/events.ts';
import type { StartOptions } from '../train/run/opening.ts';
import { startRl } from '../train/rl/start.ts';
import { startSft } from '../train/sft/start.ts';
import { named } from '../user-modules/held.ts';
import type { RlRecipeInput, SftRecipeInput } from './programs.ts';
import { StartedRun, type TrainingRun } from './training-run.ts';

/** Who may stop a run, and who is told about it. */
export interface TrainSettings extends TrainerEvents {
  readonly signal?: AbortSignal;
}

/**
 * Starts an RL run and returns when its folder is there; it goes on by itself. A recipe is an object, or the path of a YAML file.
 *
 * @example
 * const run = await train({
 *   output: 'outputs',
 *   policy: 'base',
 *   tasks: [{ env: 'textcraft', split: 'fit' }],
 *   algorithm: { name: 'grpo' },
 *   rollout: { groups: 1, samples: 2 },
 *   agent: { max_turns: 2, tokens_per_turn: 8 },
 *   steps: 1,
 * });
 * for await (const step of run.steps) console.log(step.step, step.success);
 */
export async function train(recipe: RlRecipeInput | string, settings: TrainSettings = {}): Promise<TrainingRun> {
  await import('../envs/builtin.ts');
  if (typeof recipe === 'string') {
    const read = await readRlRecipe(recipe);
    return begin((options) => startRl(read, options), settings);
  }
  const written = named({ run: nameOfRun('train'), ...recipe });
  await loadOwnDefinitions(written);
  const complete = rlRecipe(watched(withoutPanels(written)));
  return begin((options) => startRl(complete, options), settings);
}

/** Starts an imitation run in the same way. */
export async function sft(recipe: SftRecipeInput | string, settings: TrainSettings = {}): Promise<TrainingRun> {
  await import('../envs/builtin.ts');
  const complete =
    typeof recipe === 'string'
      ? await readSftRecipe(recipe)
      : sftRecipe(watched(withoutPanels(named({ run: nameOfRun('sft'), ...recipe }))));
  return begin((options) => startSft(complete, options), settings);
}

async function begin(start: (options: StartOptions) => Promise<TrainResult>, settings: TrainSettings): Promise<TrainingRun> {
  const stopping = new AbortController();
  const { signal, ...heard } = settings;
  const run = new StartedRun(stopping, heard);
  const signals = signal ? AbortSignal.any([signal, stopping.signal]) : stopping.signal;
  await new Promise<void>((resolve, reject) => {
    const onFolder = (path: string): void => {
      run.directory = path;
      resolve();
    };
    const work = start({ signal: signals, events: run.events, onFolder });
    run.follow(work);
    // A run that fails before it has a folder fails here; later its steps say so.
    work.then(() => resolve(), reject);
  });
  return run;
}

function nameOfRun(kind: string): string {
  return `${kind}-${new Date()
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replaceAll(':', '')
    .replace('T', '-')}`;
}
