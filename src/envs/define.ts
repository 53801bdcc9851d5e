/**
 * An environment in ten lines: how a task starts and what an action does. Everything else that the contract asks for (unknown tasks
 * named as errors, episodes that never touch, silence after the end, a stream of random numbers per task) comes with it. What ships
 * can say about itself (limits, ids, settings, a difficulty, AgentGym's routes, a picture), one's own can say here.
 */
import { Random } from '../core/random/random.ts';
import type { TaskRef } from '../core/task.ts';
import type { ActionForm, Environment, Instructions, Practice, TaskInfo } from './environment.ts';
import type { EnvironmentFacts } from './facts.ts';
import { AsyncSolver, Played, Solver, type Rules, type Started } from './played.ts';
import { readSettings, type Settings, type SettingsOf, type SettingsShape } from './settings.ts';
import { unknownSplit, unknownTask } from './unknown.ts';

/** What `defineEnvironment` takes: tasks, rules, and what is optional beside them. */
export interface EnvironmentDefinition<State, S extends SettingsShape = SettingsShape>
  extends Rules<State>, Omit<EnvironmentFacts, 'limits'> {
  /** Change it whenever an observation or a reward changes. */
  readonly version?: string;
  /** Tasks of each split; Infinity where they are made up from their number. */
  readonly splits: Readonly<Record<string, number>>;
  /** What the agent is told before the first observation: in words, or with the forms of its actions. */
  readonly instructions: string | Instructions;
  /** The forms of actions, where `instructions` is a text: `{ guess: 'guess {number}' }`. */
  readonly actions?: Readonly<Record<string, string>>;
  /** Settings as a zod shape (`{ size: z.int().min(2).default(5) }`): given by `--set my-env.size=7` and recipes, handed to `start`. */
  readonly settings?: S;
  /** A fresh state and the first observation. The random numbers are the task's own: the same in every run. Called once for an episode. */
  start(task: TaskRef, random: Random, settings: SettingsOf<S>): Started<State> | Promise<Started<State>>;
  /** The same for a play of a difficulty from 0 to 1, which no task has; curricula ask for it. It needs `solve`. */
  practice?(random: Random, difficulty: number, settings: SettingsOf<S>): Started<State> | Promise<Started<State>>;
  /** What results are broken down by. */
  category?(task: TaskRef): string;
  /** The id of a task in data sets; default `my-env_train_17`. */
  itemId?(task: TaskRef): string;
  /** The task of AgentGym's item number, as its servers' reset takes it. */
  taskOfItem?(item: number): Omit<TaskRef, 'env'>;
  /** Replies that the field allows in an evaluation (default 30), and tokens of a reply (default 512). */
  readonly turns?: number;
  readonly tokens?: number;
}

/**
 * Makes an environment of a definition, for `export default` in a file of your own. `start` and `step` may be async.
 *
 * @example
 * const environment = defineEnvironment({
 *   name: 'coin',
 *   splits: { train: 100, test: 20 },
 *   instructions: 'Say heads or tails.',
 *   start: (_task, random) => ({ state: { side: random.below(2) === 0 ? 'heads' : 'tails' }, observation: 'The coin has landed.' }),
 *   step: ({ side }, action) => ({ observation: `It was ${side}.`, reward: action.trim() === side ? 1 : 0, done: true }),
 *   solve: ({ side }) => side,
 * });
 */
export function defineEnvironment<State, const S extends SettingsShape = SettingsShape>(
  definition: EnvironmentDefinition<State, S>,
): Environment {
  return configured(definition, {});
}

function configured<State, S extends SettingsShape>(definition: EnvironmentDefinition<State, S>, given: Settings): Environment {
  const { name, splits, version = '1' } = definition;
  let read: SettingsOf<S> | undefined;
  const settings = (): SettingsOf<S> => (read ??= readSettings(name, definition.settings ?? ({} as S), given));
  // A setting that is not one is said when it is given, not once for each episode.
  if (Object.keys(given).length > 0) settings();
  const size = (split: string): number => {
    const known = Object.hasOwn(splits, split) ? splits[split] : undefined;
    if (known !== undefined) return known;
    throw unknownSplit(name, split, Object.keys(splits));
  };
  const check = (task: TaskRef): void => {
    const most = size(task.split);
    if (!Number.isSafeInteger(task.index) || task.index < 0 || task.index >= most) throw unknownTask(name, task, most);
  };
  const play = (started: Started<State> | Promise<Started<State>>): Played<State> | Promise<Played<State>> =>
    started instanceof Promise ? started.then((first) => new Played(definition, first)) : new Played(definition, started);
  const open = (task: TaskRef): Played<State> | Promise<Played<State>> => {
    check(task);
    return play(definition.start(task, Random.of(0, name, task.split, task.index), settings()));
  };
  const info = (split: string, index: number): TaskInfo => {
    const task = { env: name, split, index };
    check(task);
    return {
      category: definition.category?.(task) ?? split,
      itemId: definition.itemId?.(task) ?? `${name}_${split}_${index}`,
    };
  };
  const taskOf = (item: number): TaskRef => ({ env: name, ...(definition.taskOfItem?.(item) ?? missing()) });
  const takesTime = (['start', 'step'] as const).some((rule) => isAsync(Reflect.get(definition, rule)));
  const expert = takesTime
    ? { remoteExpert: (task: TaskRef) => new AsyncSolver(open(task)) }
    : { expert: (task: TaskRef) => new Solver(name, open(task)) };
  const practise = async (random: Random, difficulty: number): Promise<Practice> => {
    // Drawn twice from one stream: who advises has a play of its own.
    const again = (): Random => random.split('practice');
    const make = (): ReturnType<typeof play> => play(definition.practice?.(again(), difficulty, settings()) ?? missing());
    return { episode: await make(), expert: takesTime ? new AsyncSolver(make()) : new Solver(name, await make()) };
  };
  return {
    name,
    version: [version, ...Object.entries(given).map(([key, value]) => `${key}=${value}`)].join('-'),
    splits: Object.keys(splits),
    instructions: instructionsOf(definition),
    facts: factsOf(definition),
    tasks: (split) => ({ size: size(split), info: (index) => info(split, index) }),
    open,
    configured: (more) => configured(definition, { ...given, ...more }),
    ...('solve' in definition ? expert : {}),
    ...('solve' in definition && 'practice' in definition ? { practice: practise } : {}),
    ...('taskOfItem' in definition ? { taskOfItem: (item) => taskOf(item) } : {}),
  };
}

function missing(): never {
  throw new TypeError('a definition is asked for what it has');
}

/** An expert that must wait is asked as one on a server is; whether it must is known by how the rules are written. */
function isAsync(rule: unknown): boolean {
  return Object.prototype.toString.call(rule) === '[object AsyncFunction]';
}

function factsOf<State>(definition: EnvironmentDefinition<State>): EnvironmentFacts {
  const { turns, tokens, items, rows, agentGym, drawing, reading } = definition;
  return {
    limits: { ...(turns !== undefined && { turns }), ...(tokens !== undefined && { tokens }) },
    ...(items && { items }),
    ...(rows && { rows }),
    ...(agentGym && { agentGym }),
    ...(drawing && { drawing }),
    ...(reading && { reading }),
  };
}

function instructionsOf<State>({ instructions, actions = {} }: EnvironmentDefinition<State>): Instructions {
  if (typeof instructions !== 'string') return instructions;
  const forms = Object.entries(actions).map(([name, template]): ActionForm => {
    const parameters = [...template.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => [parameter ?? '', parameter ?? ''] as const);
    return { name, template, description: template, parameters: Object.fromEntries(parameters) };
  });
  return { task: instructions, actions: forms };
}
