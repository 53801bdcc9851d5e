/**
 * What `agoge demo` trains on, per environment and start: short tasks from an endless generator, so that nothing can be memorised and the
 * tasks of the evaluation were never trained on. A recipe like any other; the run directory shows it resolved.
 */
import { availableParallelism } from 'node:os';
import { rlRecipe } from '../config/recipe/recipe.ts';
import type { RlRecipe } from '../config/recipe/rl-recipe.ts';
import { AgogeError } from '../core/error.ts';

/** The shipped policies that a demo can begin with. */
export type DemoStart = 'reader' | 'base';

export interface DemoChoice {
  readonly env: string;
  readonly policy: DemoStart;
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
  readonly optimizer: { readonly lr: number; readonly warmup: number };
  readonly tokensPerTurn: number;
}

/** For each start, worlds in which it succeeds often enough to learn and fails often enough to have something to learn. */
const worlds: Readonly<Record<string, Readonly<Record<DemoStart, DemoTasks>>>> = {
  textcraft: {
    // Few steps of this policy fit into a minute, so the rate is high; without a warm-up one of two seeds then stood still.
    reader: textcraft({ depth: 3, turns: 10, optimizer: { lr: 5e-4, warmup: 5 } }),
    base: textcraft({ depth: 2, turns: 8, optimizer: { lr: 3e-4, warmup: 0 } }),
  },
};

function textcraft({ depth, ...rest }: Pick<DemoTasks, 'turns' | 'optimizer'> & { readonly depth: number }): DemoTasks {
  return {
    story: `TextCraft worlds with made-up recipes, ${depth} crafts deep: read the commands, fetch what is needed, craft the goal`,
    train: 'generated-short',
    test: 'generated-short-test',
    settings: { depth: String(depth) },
    tokensPerTurn: 32,
    ...rest,
  };
}

const demoEnvironments = Object.keys(worlds);

export function demoTasks({ env, policy }: Pick<DemoChoice, 'env' | 'policy'>): DemoTasks {
  const ofEnvironment = Object.hasOwn(worlds, env) ? worlds[env] : undefined;
  if (!ofEnvironment) {
    throw new AgogeError(
      'CLI_USAGE_ENV',
      `the demo plays ${demoEnvironments.join(' and ')}, not "${env}": train with a recipe, for example recipes/babyai-grpo.yaml`,
    );
  }
  return ofEnvironment[policy];
}

/** A start by its name. */
export function demoStart(name: string): DemoStart {
  if (name === 'reader' || name === 'base') return name;
  throw new AgogeError(
    'CLI_USAGE_DEMO_POLICY',
    `the demo begins with reader or base, not "${name}": train others with a recipe, for example agoge train textcraft-grpo policy=hf:my-model`,
  );
}

export function demoRecipe(
  { env, policy, seed, seconds, run, output, device }: DemoChoice,
  cores = availableParallelism(),
): RlRecipe {
  const { train, settings, turns, optimizer, tokensPerTurn } = demoTasks({ env, policy });
  return rlRecipe({
    run,
    output,
    seed,
    ...(device !== undefined && { engine: { device } }),
    policy,
    tasks: [{ env, split: train, settings }],
    agent: { format: 'direct', max_turns: turns, tokens_per_turn: tokensPerTurn },
    rollout: { groups: 16, samples: 8, temperature: 1, staleness: cores >= manyCores ? 1 : 0 },
    algorithm: { name: 'grpo' },
    optimizer,
    steps: 10_000,
    stop: { minutes: seconds / 60 },
    // A small panel of other fresh tasks on the way: the second curve.
    evaluate: { every: 8, at_end: false, tasks: 48, max_turns: turns },
    checkpoint: { every: 10, keep: 1 },
    // Learning from a step in two halves leaves cores idle, and twenty steps of a demo say little about agreement or drift.
    log: { agreement: false, drift: 0 },
  });
}
