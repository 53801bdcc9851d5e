/** Short real runs on the corridor with the tabular engine, to be interrupted, resumed and looked into. */
import { join } from 'node:path';
import { rlRecipe } from '../config/recipe.ts';
import type { Environment } from '../envs/environment.ts';
import { RunDirectory } from '../run/run-directory.ts';
import { corridor, corridorWords } from './corridor.fixture.ts';
import type { TrainResult } from './events.ts';
import { trainRl } from './rl-trainer.ts';
import { TabularEngine } from './tabular-engine.fixture.ts';

export interface CorridorRun {
  readonly result: TrainResult;
  readonly path: string;
  readonly engine: TabularEngine;
}

interface Options {
  /** Environments by their name in the recipe. */
  readonly environments?: Readonly<Record<string, Environment>>;
  /** Interrupt after this step, and go on from there in engines of their own. */
  readonly cutAfter?: number;
  /** Holds the mean of the weights. */
  readonly average?: () => TabularEngine;
}

/** Trains below a folder; with `cutAfter` in two goes, as a person would with Ctrl-C and --resume. */
export async function runCorridor(folder: string, given: Record<string, unknown>, options: Options = {}): Promise<CorridorRun> {
  const recipe = rlRecipe({
    tasks: [{ env: 'corridor' }],
    agent: { max_turns: 4, tokens_per_turn: 2 },
    rollout: { groups: 4, samples: 8 },
    optimizer: { lr: 0.3 },
    evaluate: { at_end: false },
    checkpoint: { every: 0 },
    log: { episodes: 0 },
    ...given,
  });
  const path = join(folder, recipe.run);
  const facts = {
    name: recipe.run,
    kind: 'rl' as const,
    title: 'corridor',
    seed: 1,
    steps: recipe.steps,
    versions: {},
    environments: {},
  };
  const go = async (directory: RunDirectory, from: number, cut?: number): Promise<CorridorRun> => {
    const fresh = (): TabularEngine => new TabularEngine({ words: corridorWords, seed: 1 });
    const engine = fresh();
    const controller = new AbortController();
    const parts = {
      engine,
      reference: fresh(),
      ...(recipe.algorithm.estimator === 'gae' ? { critic: new TabularEngine({ words: corridorWords, head: 'value' }) } : {}),
      ...(recipe.evaluate.average === false ? {} : { average: options.average?.() ?? fresh() }),
      environment: async ({ env }: { env: string }) => options.environments?.[env] ?? corridor(),
    };
    const onStep = ({ step }: { step: number }): void => {
      if (step === cut) controller.abort();
    };
    const result = await trainRl(recipe, parts, directory, { signal: controller.signal, from, events: { onStep } });
    return { result, path, engine };
  };
  const first = await go(await RunDirectory.create(path, '', facts), 0, options.cutAfter);
  if (options.cutAfter === undefined) return first;
  const { directory, step } = await RunDirectory.resume(path);
  return go(directory, step);
}
