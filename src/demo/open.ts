/** Opens what the demo needs and closes it with its scope: the engine of the policy it begins with, the environment, the run directory. */
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { modelPath } from '../agent/policy-files.ts';
import { formatRecipe, rlRecipe } from '../config/recipe/recipe.ts';
import type { RlRecipe } from '../config/recipe/rl-recipe.ts';
import { AgogeError } from '../core/error.ts';
import { EmbeddedEngine } from '../engine/embedded/embedded.ts';
import '../envs/builtin.ts';
import { loadEnvironment } from '../envs/registry.ts';
import { RunLibrary } from '../dashboard/runs/library.ts';
import { writeReport } from '../dashboard/server/single-file.ts';
import { layout } from '../run/layout.ts';
import { RunDirectory } from '../run/run-directory.ts';
import { readRunInfo } from '../run/run-info.ts';
import type { DemoParts } from './demo.ts';
import { demoRecipe, demoStart, demoTasks, type DemoChoice, type DemoStart } from './plan.ts';

export interface OpenedDemo extends DemoParts, AsyncDisposable {
  readonly choice: DemoChoice;
}

export async function openDemo(wanted: Omit<DemoChoice, 'run'>): Promise<OpenedDemo> {
  const plan = demoRecipe({ ...wanted, run: 'demo' });
  const environment = await loadEnvironment(wanted.env, demoTasks(wanted).settings);
  const engine = await openEngine(wanted.policy, plan);
  const run = await ownFolder(wanted.output);
  const choice = { ...wanted, run };
  const recipe = { ...plan, run };
  const directory = await RunDirectory.create(join(choice.output, choice.run), formatRecipe(recipe), {
    name: choice.run,
    kind: 'rl',
    title: `grpo · ${choice.env} · ${choice.policy}`,
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
  if (!/^demo(-|$)/.test(name)) {
    throw new AgogeError('CLI_USAGE_DEMO', `${path} is not a demo: go on with agoge train --resume ${path}`);
  }
  const { directory, step: from } = await RunDirectory.resume(path);
  const recipe = rlRecipe(parse(await directory.config()), join(path, layout.config));
  const env = recipe.tasks[0]?.env ?? '';
  const whole = resolve(path);
  const choice = {
    env,
    policy: demoStart(recipe.policy),
    seed: recipe.seed,
    seconds: 60 * (recipe.stop.minutes ?? 1),
    run: basename(whole),
    output: dirname(path),
  };
  const environment = await loadEnvironment(env, demoTasks(choice).settings);
  const engine = await openEngine(choice.policy, recipe);
  return { choice, engine, environment, directory, recipe, from, [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose]() };
}

async function openEngine(start: DemoStart, { engine: { device } }: RlRecipe): Promise<EmbeddedEngine> {
  return EmbeddedEngine.open({ model: await modelPath({ kind: start }), device });
}

/** Writes the run as one file beside it; gives its path. */
export async function writeDemoReport({ output, run }: DemoChoice): Promise<string> {
  const file = join(output, run, layout.report);
  await writeReport(new RunLibrary(output), run, file, { episodes: 120 });
  return file;
}

/** A folder that is this demo's alone: `demo`, and where there is one already `demo-2`, `demo-3`, … Making it takes its name. */
async function ownFolder(output: string): Promise<string> {
  // What else is wrong with the place is said by the run directory.
  await mkdir(output, { recursive: true }).catch(() => undefined);
  for (let number = 1; ; number++) {
    const run = number === 1 ? 'demo' : `demo-${number}`;
    const taken = await mkdir(join(output, run)).then(
      () => false,
      (thrown: unknown) => thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST',
    );
    if (!taken) return run;
  }
}
