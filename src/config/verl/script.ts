/**
 * A launch script as a recipe or as commands: the training that it starts, with the configuration it names found near the script, and the
 * evaluation that it runs afterwards; or, for an evaluation script, what `agoge eval` is to be asked.
 */
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AgogeError } from '../../core/error.ts';
import { fromVerl, type Converted } from '../from-verl.ts';
import { readConfig } from '../read-config.ts';
import { isBase } from './bases.ts';
import { evaluationOf, type ConvertedEvaluation } from './evaluation.ts';
import { launchesOf, nearFile, scriptName, type Launch } from './launch.ts';

export type FromScript =
  | { readonly kind: 'training'; readonly converted: Converted; readonly folder: string }
  | { readonly kind: 'evaluation'; readonly evaluations: readonly ConvertedEvaluation[] };

export interface FromScriptOptions {
  readonly args?: readonly string[];
  readonly version?: string | undefined;
  /** Which training of a script that starts several, from 1. */
  readonly launch?: number | undefined;
}

export async function fromScript(file: string, options: FromScriptOptions = {}): Promise<FromScript> {
  const text = await readFile(file, 'utf8').catch((thrown: unknown) => {
    throw new AgogeError('CONFIG_NOT_FOUND', `there is no script ${file}: give the path of one`, { cause: thrown });
  });
  const launches = launchesOf(text, file, options.args === undefined ? {} : { args: options.args });
  const trainings = launches.filter(({ kind }) => kind === 'training');
  const evaluations = launches.filter(({ kind }) => kind !== 'training').map((launch) => evaluationOf(launch));
  if (trainings.length === 0) {
    if (evaluations.length > 0) return { kind: 'evaluation', evaluations };
    throw new AgogeError(
      'CONFIG_NO_LAUNCH',
      `${file} starts no training or evaluation that is known here (python -m verl.trainer.main_ppo, torchrun … sft_trainer, main_generation, eval_*.py): give the script that does, or its overrides alone`,
    );
  }
  const launch = trainings[(options.launch ?? 1) - 1];
  if (!launch || (trainings.length > 1 && options.launch === undefined)) {
    const names = trainings.map((one, at) => `${at + 1}: ${nameOf(one) ?? one.program}`).join('; ');
    throw new AgogeError(
      'CLI_USAGE_LAUNCH',
      `${file} starts ${trainings.length} trainings (${names}): choose one with --launch <number>`,
    );
  }
  const { tree, folder } = await configOf(launch, file);
  const converted = await fromVerl(tree, {
    overrides: launch.overrides,
    version: options.version,
    file: scriptName(file),
    folder,
  });
  return { kind: 'training', converted: withEvaluation(converted, evaluations), folder };
}

async function configOf({ configName, configPath, program }: Launch, script: string): Promise<{ tree: unknown; folder: string }> {
  const name = configName?.replace(/\.ya?ml$/, '');
  const found = name === undefined ? undefined : nearFile(`${configPath ?? '.'}/${name}.yaml`, script);
  if (found !== undefined) return { tree: await readConfig(found), folder: dirname(found) };
  if (name !== undefined && !isBase(name))
    throw new AgogeError(
      'CONFIG_NOT_FOUND',
      `${script} names the configuration ${configPath ?? '.'}/${name}.yaml, and it is neither there nor near the script: put it beside the script, or give it to agoge config from-verl with the script's overrides`,
    );
  const base =
    name ?? (/sft/.test(program) ? (/fsdp_sft_trainer/.test(program) ? 'sft_trainer' : 'sft_trainer_engine') : 'ppo_trainer');
  return { tree: { defaults: [base] }, folder: dirname(script) };
}

function nameOf({ overrides }: Launch): string | undefined {
  return overrides.find((text) => text.startsWith('trainer.experiment_name='))?.split('=')[1];
}

/** What a script runs after the training is the run's own evaluation at its end; where it runs nothing, nothing is added. */
function withEvaluation(converted: Converted, [after]: readonly ConvertedEvaluation[]): Converted {
  if (converted.kind !== 'sft') return converted;
  const evaluate = { every: 0, at_start: false, at_end: after !== undefined, choose: false };
  if (!after) return { ...converted, recipe: { ...converted.recipe, evaluate } };
  const { env, url, file, options } = after.parts;
  const number = (name: string): number | undefined => (options.has(name) ? Number(options.get(name)) : undefined);
  const panel = {
    ...(file === undefined ? { split: 'test' } : { file }),
    ...(env === undefined ? {} : { env }),
    ...(url === undefined ? {} : { url }),
  };
  const known = (values: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  const agent = known({
    max_turns: number('--max-turns'),
    tokens_per_turn: number('--max-tokens'),
    stop: options.has('--stop') ? ['\n'] : undefined,
  });
  return {
    ...converted,
    notes: [
      ...converted.notes,
      'the evaluation that the script runs after the training is played at the end of the run (evaluate)',
      ...after.notes,
    ],
    lost: [...converted.lost, ...after.lost],
    recipe: {
      ...converted.recipe,
      agent: { ...(converted.recipe['agent'] as object | undefined), ...agent },
      evaluate: {
        ...evaluate,
        panels: [panel],
        ...known({
          tasks: number('--limit'),
          samples: number('--samples'),
          temperature: number('--temperature'),
          top_p: number('--top-p'),
        }),
      },
    },
  };
}
