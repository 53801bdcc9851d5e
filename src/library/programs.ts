/** Recipes as a program writes them: those of the schemas, with objects wherever a name stands and no required name of the run. */
import type { z } from 'zod';
import type { FormatDefinition } from '../agent/formats/definition.ts';
import type { rlSchema } from '../config/recipe/rl-recipe.ts';
import type { sftSchema } from '../config/recipe/sft-recipe.ts';
import type { Environment } from '../envs/environment.ts';
import type { Estimator } from '../learn/advantages/definition.ts';
import type { PolicyLossDefinition } from '../learn/losses/definition.ts';
import type { RewardDefinition } from '../rewards/reward.ts';

type RlInput = z.input<typeof rlSchema>;
type SftInput = z.input<typeof sftSchema>;

/** The same with `Key` also taking an object. */
type Or<T, Key extends string, Own> = T extends object ? { [K in keyof T]: K extends Key ? T[K] | Own : T[K] } : T;
type Entries<List> = List extends readonly (infer Entry)[] ? readonly Or<Entry, 'env', Environment>[] : List;
type Panels<T> = T extends object ? { [K in keyof T]: K extends 'panels' ? Entries<T[K]> : T[K] } : T;
type Agent<T> = Or<T, 'format', FormatDefinition>;
type Algorithm<T> = Or<Or<T, 'estimator', Estimator>, 'loss', PolicyLossDefinition>;
type Reward = RewardDefinition | readonly (string | RewardDefinition)[];

/** A recipe of `agoge train` in TypeScript: the keys of the YAML, with objects of your own where it takes names. */
export type RlRecipeInput = Omit<RlInput, 'run' | 'tasks' | 'evaluate' | 'agent' | 'algorithm' | 'reward'> & {
  /** Default: `train-` and the time. */
  readonly run?: string;
  readonly tasks: Entries<RlInput['tasks']>;
  readonly evaluate?: Panels<RlInput['evaluate']>;
  readonly agent?: Agent<RlInput['agent']>;
  readonly algorithm?: Algorithm<RlInput['algorithm']>;
  readonly reward?: RlInput['reward'] | Reward;
};

/** A recipe of `agoge sft` in TypeScript. */
export type SftRecipeInput = Omit<SftInput, 'run' | 'data' | 'evaluate'> & {
  /** Default: `sft-` and the time. */
  readonly run?: string;
  readonly data: SftInput['data'] extends infer Data
    ? Data extends object
      ? { [K in keyof Data]: K extends 'experts' ? Entries<Data[K]> : Data[K] }
      : Data
    : never;
  readonly evaluate?: Panels<SftInput['evaluate']>;
};
