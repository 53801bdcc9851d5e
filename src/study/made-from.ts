/**
 * What the weights of a study's run are made from, kept beside its folder: a plan that was changed neither takes an earlier run for its own
 * nor goes on with it.
 */
import { readFile } from 'node:fs/promises';
import { AgogeError } from '../core/error.ts';
import { writeWhole } from '../run/files.ts';
import type { ArmRuns } from './arm-runs.ts';
import { nameOfRun, runFolder } from './cost.ts';
import { beginsAnew } from './run-state.ts';

const fileOf = (path: string): string => `${path}.made-from`;

/** Throws CONFIG_STUDY_CHANGED where another recipe or other settings made what lies there. Runs of earlier versions do not say. */
export async function checkMadeFrom(output: string, runs: readonly ArmRuns[], seeds: readonly number[]): Promise<void> {
  for (const { environment, arm, cells, made } of runs)
    for (const name of seeds.flatMap((seed) => cells.map((cell) => nameOfRun(seed, cell)))) {
      const { path } = runFolder(output, environment, arm, name);
      const kept = await readFile(fileOf(path), 'utf8').catch(() => made);
      if (kept.trim() === made || (await beginsAnew(path))) continue;
      throw new AgogeError(
        'CONFIG_STUDY_CHANGED',
        `${path} was made with another recipe or other settings: give --out another folder, or remove it to make it again`,
      );
    }
}

export function writeMadeFrom(path: string, made: string): Promise<void> {
  return writeWhole(fileOf(path), `${made}\n`);
}
