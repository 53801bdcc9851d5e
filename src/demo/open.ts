/** Opens what the demo needs and closes it with its scope: the base policy's engine, the environment, the run directory. */
import { join } from 'node:path';
import { formatRecipe } from '../config/recipe.ts';
import { EmbeddedEngine } from '../engine/embedded/embedded.ts';
import '../envs/builtin.ts';
import { loadEnvironment } from '../envs/registry.ts';
import { baseModelFolder } from '../policy/base-model.ts';
import { RunLibrary } from '../report/library.ts';
import { writeReport } from '../report/single-file.ts';
import { layout } from '../run/layout.ts';
import { RunDirectory } from '../run/run-directory.ts';
import type { DemoParts } from './demo.ts';
import { demoRecipe, demoTasks, type DemoChoice } from './plan.ts';

export async function openDemo(choice: DemoChoice): Promise<DemoParts & AsyncDisposable> {
  const recipe = demoRecipe(choice);
  const environment = await loadEnvironment(choice.env, demoTasks(choice.env).settings);
  const engine = await EmbeddedEngine.open({ model: baseModelFolder });
  const directory = await RunDirectory.create(join(choice.output, choice.run), formatRecipe(recipe), {
    name: choice.run,
    kind: 'rl',
    title: `grpo · ${choice.env} · base`,
    seed: choice.seed,
    steps: null,
    versions: { node: process.version },
    environments: { [environment.name]: environment.version },
  });
  return { engine, environment, directory, recipe, [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose]() };
}

/** Writes the run as one file beside it; gives its path. */
export async function writeDemoReport({ output, run }: DemoChoice): Promise<string> {
  const file = join(output, run, layout.report);
  await writeReport(new RunLibrary(output), run, file, { episodes: 120 });
  return file;
}
