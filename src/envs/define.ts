/**
 * An environment in ten lines: how a task starts and what an action does. Everything else that the contract asks for (unknown tasks
 * named as errors, episodes that never touch, silence after the end, a stream of random numbers per task) comes with it.
 */
import { AgogeError } from '../core/error.ts';
import { Random } from '../core/random/random.ts';
import type { TaskRef } from '../core/task.ts';
import type { ActionForm, Environment, Episode, Expert, Instructions, Step, TaskInfo } from './environment.ts';
import { unknownSplit, unknownTask } from './unknown.ts';

/** What `defineEnvironment` takes: tasks, rules, and what is optional beside them. */
export interface EnvironmentDefinition<State> {
  readonly name: string;
  /** Change it whenever an observation or a reward changes. */
  readonly version?: string;
  /** Tasks of each split; Infinity where they are made up from their number. */
  readonly splits: Readonly<Record<string, number>>;
  /** What the agent is told before the first observation: in words, or with the forms of its actions. */
  readonly instructions: string | Instructions;
  /** The forms of actions, where `instructions` is a text: `{ guess: 'guess {number}' }`. */
  readonly actions?: Readonly<Record<string, string>>;
  /** A fresh state and the first observation, at once or as a promise. The random numbers are the task's own: the same in every run. */
  start(task: TaskRef, random: Random): Start<State> | Promise<Start<State>>;
  /** Plays an action. It may change the state in place, or return the next one, at once or as a promise. Any text may come. */
  step(state: State, action: string): Answer<State> | Promise<Answer<State>>;
  /** Actions that are possible now, where they can be listed. */
  choices?(state: State): readonly string[];
  /** What an expert does next, knowing the state; null where it gives up. */
  solve?(state: State): string | null;
  /** What results are broken down by. */
  category?(task: TaskRef): string;
}

/** How a task begins. */
export interface Start<State> {
  readonly state: State;
  readonly observation: string;
}

/** What an action led to; what is left out is no reward, not the end, and the state as it is. */
export type Answer<State> = Partial<Step> & { readonly observation: string; readonly state?: State };

/**
 * Makes an environment of a definition, for `export default` in a file of your own.
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
export function defineEnvironment<State>(definition: EnvironmentDefinition<State>): Environment {
  const { name, splits, version = '1' } = definition;
  const size = (split: string): number => {
    const known = splits[split];
    if (known !== undefined) return known;
    throw unknownSplit(name, split, Object.keys(splits));
  };
  const check = (task: TaskRef): void => {
    const most = size(task.split);
    if (!Number.isSafeInteger(task.index) || task.index < 0 || task.index >= most) throw unknownTask(name, task, most);
  };
  const start = (task: TaskRef): Played<State> | Promise<Played<State>> => {
    check(task);
    const first = definition.start(task, Random.of(0, name, task.split, task.index));
    return first instanceof Promise ? first.then((later) => new Played(definition, later)) : new Played(definition, first);
  };
  // A task that cannot start is a task all the same: whoever plays it finds out why.
  const info = (split: string, index: number): TaskInfo => {
    const task = { env: name, split, index };
    check(task);
    return { category: definition.category?.(task) ?? split, itemId: `${name}_${split}_${index}` };
  };
  return {
    name,
    version,
    splits: Object.keys(splits),
    instructions: instructionsOf(definition),
    tasks: (split) => ({ size: size(split), info: (index) => info(split, index) }),
    open: start,
    ...(definition.solve ? { expert: (task: TaskRef): Expert => new Solver(atOnce(start(task), 'start')) } : {}),
  };
}

class Played<State> implements Episode {
  readonly observation: string;
  private current: State;
  private ended: Step | undefined;

  constructor(
    private readonly definition: EnvironmentDefinition<State>,
    first: Start<State>,
  ) {
    this.observation = first.observation;
    this.current = first.state;
  }

  get state(): State {
    return this.current;
  }

  get actions(): readonly string[] | undefined {
    return this.ended ? undefined : this.definition.choices?.(this.current);
  }

  step(action: string): Step | Promise<Step> {
    if (this.ended) return this.ended;
    const answer = this.definition.step(this.current, action);
    return answer instanceof Promise ? answer.then((later) => this.take(later)) : this.take(answer);
  }

  private take({ state, observation, reward = 0, done = false, ...rest }: Answer<State>): Step {
    if (state !== undefined) this.current = state;
    if (!Number.isFinite(reward)) {
      const text = `${this.definition.name} gave the reward ${reward}: give a number`;
      throw new AgogeError('ENV_BAD_STEP', text);
    }
    const step: Step = { observation, reward, done, ...rest };
    if (done) this.ended = { observation, reward: 0, done };
    return step;
  }

  solution(): string | null {
    return this.ended ? null : (this.definition.solve?.(this.current) ?? null);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing is held.
  }
}

/** Plays a second episode of the task beside the one it advises on, so that it always knows the state. */
class Solver<State> implements Expert {
  readonly follows = true;
  private last: string | undefined;

  constructor(private readonly shadow: Played<State>) {}

  next(_observation: string, played?: string): string | null {
    const done = played ?? this.last;
    if (done !== undefined) atOnce(this.shadow.step(done), 'step');
    const action = this.shadow.solution();
    this.last = action ?? undefined;
    return action;
  }
}

/** An expert knows the state only where nothing has to be waited for. */
function atOnce<T>(answer: T | Promise<T>, what: 'start' | 'step'): T {
  if (!(answer instanceof Promise)) return answer;
  answer.catch(() => undefined); // nobody waits for it
  throw new AgogeError('ENV_BAD_STEP', `an expert cannot wait for an async ${what}(): answer at once, or leave solve() out`);
}

function instructionsOf<State>({ instructions, actions = {} }: EnvironmentDefinition<State>): Instructions {
  if (typeof instructions !== 'string') return instructions;
  const forms = Object.entries(actions).map(([name, template]): ActionForm => {
    const parameters = [...template.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => [parameter ?? '', parameter ?? ''] as const);
    return { name, template, description: template, parameters: Object.fromEntries(parameters) };
  });
  return { task: instructions, actions: forms };
}
