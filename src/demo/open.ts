/** Opens what the demo needs and closes it with its scope: the base policy's engine, the environment, the run directory. */
import { basename, dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { formatRecipe, rlRecipe } from '../config/recipe/recipe.ts';
import { AgogeError } from '../core/error.ts';
import { EmbeddedEngine } from '../engine/embedded/embedded.ts';
import '../envs/builtin.ts';
import { loadEnvironment } from '../envs/registry.ts';
import { baseModelFolder, shippedModel } from '../policy/base-model.ts';
import { RunLibrary } from '../dashboard/runs/library.ts';
import { writeReport } from '../dashboard/server/single-file.ts';
import { layout } from '../run/layout.ts';
import { RunDirectory } from '../run/run-directory.ts';
import { readRunInfo } from '../run/run-info.ts';
import type { DemoParts } from './demo.ts';
import { demoRecipe, demoTasks, type DemoChoice } from './plan.ts';

export interface OpenedDemo extends DemoParts, AsyncDisposable {
  readonly choice: DemoChoice;
}

export async function openDemo(choice: DemoChoice): Promise<OpenedDemo> {
  const recipe = demoRecipe(choice);
  const environment = await loadEnvironment(choice.env, demoTasks(choice.env).settings);
  const engine = await EmbeddedEngine.open({ model: shippedModel(baseModelFolder), device: recipe.engine.device });
  const directory = await RunDirectory.create(join(choice.output, choice.run), formatRecipe(recipe), {
    name: choice.run,
    kind: 'rl',
    title: `grpo · ${choice.env} · base`,
    seed: choice.seed,
    steps: null,
    versions: { node: process.version },
    environments: { [environment.name]: environment.version },
  });
  return { choice, engine, environment, directory, recipe, from: 0, [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose]() };
}

/** A demo that was interrupted, as it was chosen then. */
export async function resumeDemo(path: string): Promise<OpenedDemo> {
  const { name } = await readRunInfo(path);
  if (!name.startsWith('demo-')) {
    throw new AgogeError('CLI_USAGE_DEMO', `${path} is not a demo: go on with agoge train --resume ${path}`);
  }
  const { directory, step: from } = await RunDirectory.resume(path);
  const recipe = rlRecipe(parse(await directory.config()), join(path, layout.config));
  const env = recipe.tasks[0]?.env ?? '';
  const whole = resolve(path);
  const choice = {
    env,
    seed: recipe.seed,
    seconds: 60 * (recipe.stop.minutes ?? 1),
    run: basename(whole),
    output: dirname(path),
  };
  const environment = await loadEnvironment(env, demoTasks(env).settings);
  const engine = await EmbeddedEngine.open({ model: shippedModel(baseModelFolder), device: recipe.engine.device });
  return { choice, engine, environment, directory, recipe, from, [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose]() };
}

/** Writes the run as one file beside it; gives its path. */
export async function writeDemoReport({ output, run }: DemoChoice): Promise<string> {
  const file = join(output, run, layout.report);
  await writeReport(new RunLibrary(output), run, file, { episodes: 120 });
  return file;
}
