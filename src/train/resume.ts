/** Goes on with a run of any kind from its latest checkpoint: what `--resume` does apart from printing. */
import { parse, stringify } from 'yaml';
import { applyOverrides } from '../config/overrides.ts';
import { loadOwnDefinitions } from '../config/own-definitions.ts';
import { rewardModelRecipe, rlRecipe, sftRecipe } from '../config/recipe/recipe.ts';
import { checkResumable } from '../config/recipe/resumable.ts';
import { changeInWords, upgradeRecipe } from '../config/recipe/upgrade.ts';
import { AgogeError } from '../core/error.ts';
import { RunDirectory } from '../run/run-directory.ts';
import { readRunInfo } from '../run/run-info.ts';
import { runReward } from './reward/start.ts';
import { runRl } from './rl/start.ts';
import type { TrainResult } from './run/events.ts';
import { stoppable, type StartOptions } from './run/opening.ts';
import { runSft } from './sft/start.ts';

/**
 * Goes on with a run of any kind from its latest checkpoint. Overrides, as on the command line, may make it longer or change when it
 * evaluates, saves and logs: never what it learns.
 */
export async function resumeRun(path: string, asked: StartOptions = {}, overrides: readonly string[] = []): Promise<TrainResult> {
  const options = stoppable(asked);
  checkResumable(overrides);
  const { kind } = await readRunInfo(path);
  if (kind === 'own')
    throw new AgogeError(
      'TRAIN_OWN_RUN',
      `${path} was made by a program with a trainer of its own: start that program again to go on with it`,
    );
  const { directory, step } = await RunDirectory.resume(path);
  const { config: upgraded, changes } = upgradeRecipe(parse(await directory.config()));
  const config = applyOverrides(upgraded, overrides);
  if (overrides.length > 0 || changes.length > 0) directory.changeConfig(stringify(config));
  for (const change of changes) options.events?.onNote?.(`recipe of an older version: ${changeInWords(change)}`);
  await loadOwnDefinitions(config);
  const name = `${path}/config.yaml`;
  switch (kind) {
    case 'rl':
      return runRl(rlRecipe(config, name), directory, step, options);
    case 'sft':
      return runSft(sftRecipe(config, name), directory, step, options);
    case 'reward':
      return runReward(rewardModelRecipe(config, name), directory, step, options);
  }
}
