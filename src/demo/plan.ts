/**
 * What `agoge demo` trains on, per environment: short tasks from an endless generator, so that nothing can be memorised and the
 * tasks of the evaluation were never trained on. A recipe like any other; the run directory shows it resolved.
 */
import { availableParallelism } from 'node:os';
import { rlRecipe } from '../config/recipe/recipe.ts';
import type { RlRecipe } from '../config/recipe/rl-recipe.ts';
import { AgogeError } from '../core/error.ts';

export interface DemoChoice {
  readonly env: string;
  readonly seed: number;
  /** Seconds of training. */
  readonly seconds: number;
  /** Folder for the run. */
  readonly run: string;
  readonly output: string;
  /** Where the engine computes. Default: the processor. */
  readonly device?: 'host' | 'cuda' | 'resident' | undefined;
}

/** From so many cores on, one step neither samples nor learns with all of them: the next step's episodes begin while this one learns. */
const manyCores = 8;

/** The evaluation before and after: so many tasks that training never sees. */
export const demoPanel = { tasks: 256 } as const;

interface DemoTasks {
  /** In words, for the screen. */
  readonly story: string;
  readonly train: string;
  readonly test: string;
  /** Settings of the environment: what makes its tasks short. */
  readonly settings: Readonly<Record<string, string>>;
  readonly turns: number;
  readonly tokensPerTurn: number;
}

const worlds: Readonly<Record<string, DemoTasks>> = {
  textcraft: {
    story: 'TextCraft worlds with made-up recipes, two crafts deep: read the commands, fetch what is needed, craft the goal',
    train: 'generated-short',
    test: 'generated-short-test',
    settings: { depth: '2' },
    turns: 8,
    tokensPerTurn: 32,
  },
};

const demoEnvironments = Object.keys(worlds);

export function demoTasks(env: string): DemoTasks {
  const tasks = Object.hasOwn(worlds, env) ? worlds[env] : undefined;
  if (!tasks) {
    throw new AgogeError(
      'CLI_USAGE_ENV',
      `the base policy knows ${demoEnvironments.join(' and ')}, not "${env}": train one with a recipe, for example recipes/babyai-grpo.yaml`,
    );
  }
  return tasks;
}

export function demoRecipe({ env, seed, seconds, run, output, device }: DemoChoice, cores = availableParallelism()): RlRecipe {
  const { train, settings, turns, tokensPerTurn } = demoTasks(env);
  return rlRecipe({
    run,
    output,
    seed,
    ...(device !== undefined && { engine: { device } }),
    policy: 'base',
    tasks: [{ env, split: train, settings }],
    agent: { format: 'direct', max_turns: turns, tokens_per_turn: tokensPerTurn },
    rollout: { groups: 16, samples: 8, temperature: 1, staleness: cores >= manyCores ? 1 : 0 },
    algorithm: { name: 'grpo' },
    optimizer: { lr: 3e-4 },
    steps: 10_000,
    stop: { minutes: seconds / 60 },
    // A small panel of other fresh tasks on the way: the second curve.
    evaluate: { every: 8, at_end: false, tasks: 48, max_turns: turns },
    checkpoint: { every: 10, keep: 1 },
    // Learning from a step in two halves leaves cores idle, and twenty steps of a demo say little about agreement.
    log: { agreement: false },
  });
}
