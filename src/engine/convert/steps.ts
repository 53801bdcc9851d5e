/** The steps of a run of verl's (`global_step_40`, `epoch_15`): the newest of a folder without its note, or several converted in one call. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AgogeError } from '../../core/error.ts';
import { convertModel, type Converted, type ConvertOptions } from './convert.ts';
import { stepFolders, type StepFolder } from './locate.ts';

/** Converts the steps of a run, each into a folder of its own name below `output`. `steps`: `all`, or numbers such as `20,40`. */
export async function convertSteps(
  run: string,
  output: string,
  steps: string,
  options: ConvertOptions = {},
): Promise<(Converted & { readonly name: string })[]> {
  const chosen = choose(await stepFolders(run), steps, run);
  const reports: (Converted & { readonly name: string })[] = [];
  // What is there already is told before hours of work, not after.
  for (const { name } of options.force === true ? [] : chosen) {
    if (await stat(join(output, name)).catch(() => undefined))
      throw new AgogeError(
        'CLI_USAGE_CONVERT',
        `${join(output, name)} exists: choose another folder, or replace it with --force`,
      );
  }
  for (const { name, path } of chosen) reports.push({ name, ...(await convertModel(path, join(output, name), options)) });
  return reports;
}

function choose(found: readonly StepFolder[], steps: string, run: string): readonly StepFolder[] {
  const has = found.map(({ name }) => name).join(', ');
  if (found.length === 0)
    throw new AgogeError(
      'MODEL_UNREADABLE',
      `${run} has no steps: give a run's folder with global_step_… in it, without --steps one step`,
    );
  if (steps === 'all') return found;
  return steps.split(',').map((text) => {
    const step = found.find(({ number }) => String(number) === text.trim());
    if (step) return step;
    throw new AgogeError(
      'CLI_USAGE_CONVERT',
      `${run} has no step "${text.trim()}", only ${has}: write --steps all, or numbers of those`,
    );
  });
}
