/**
 * ScienceWorld as an Environment. `train` and `test` are AgentGym-RL's sets under AgentGym's limit of 100 moves; ETO's and the
 * original's sets, and `all` variations, have no limit of their own. An episode's reward adds up to its final score: 0 to 1, or -1
 * where the task was failed, which ends it.
 */
import { AgogeError } from '../../core/error.ts';
import { roundHalfEven } from '../../core/python/numbers.ts';
import type { TaskRef } from '../../core/task.ts';
import type { Environment, Episode, Expert, Step, TaskInfo, TaskSet } from '../environment.ts';
import { readSettings, type Settings } from '../settings.ts';
import { unknownSplit } from '../unknown.ts';
import type { Variation } from './catalogue.ts';
import { ALL, BY_ITEM, itemOf } from './catalogue.ts';
import { SciWorldExpert, solve } from './expert/expert.ts';
import { instructions } from './prompt.ts';
import type { Edition } from './language/referents.ts';
import { settings, type SciWorldSettings } from './settings.ts';
import type { Simplification } from './simplifications.ts';
import { readSimplifications, simplificationsFor } from './simplifications.ts';
import { Simulation } from './simulation.ts';
import { SPLIT_NAMES, variationsIn } from './splits.ts';
import type { SciWorldState } from './state.ts';
import { snapshot } from './state.ts';

export interface SciWorldOptions {
  readonly simplifications: readonly (Simplification | 'easy')[];
  /** Most moves; undefined: 100 in AgentGym's splits and none elsewhere. */
  readonly limit: number | undefined;
  readonly edition: Edition;
  readonly categories: 'task' | 'topic';
  /** List the valid actions after every step, as the Python API does: it draws random numbers, which bees and genes then miss. */
  readonly listing: boolean;
}

const AGENTGYM_LIMIT = 100;

export function sciWorld(given: Settings = {}): SciWorld {
  return openSciWorld(readSettings('sciworld', settings, given));
}

export function openSciWorld({ simplifications, limit, edition, categories, listing }: SciWorldSettings): SciWorld {
  return new SciWorld({
    simplifications: readSimplifications(simplifications),
    limit: limit === 0 ? Infinity : limit,
    edition,
    categories,
    listing,
  });
}

export class SciWorld implements Environment {
  readonly name = 'sciworld';
  readonly version: string;
  readonly splits = SPLIT_NAMES;
  readonly instructions = instructions;

  constructor(readonly options: SciWorldOptions) {
    const { simplifications, limit, edition, listing } = options;
    const changed = [
      ...[...simplifications].sort(),
      ...(limit === undefined ? [] : [`limit${limit}`]),
      ...(edition === '1.3' ? [] : [`edition${edition}`]),
      ...(listing ? ['listing'] : []),
    ];
    this.version = ['2', ...changed].join('-');
  }

  tasks(split: string): TaskSet {
    const variations = this.variationsIn(split);
    return { size: variations.length, info: (index) => this.infoOf(this.variationAt({ env: this.name, split, index })) };
  }

  open(task: TaskRef): SciWorldEpisode {
    const isAgentGym = task.split === 'train' || task.split === 'test';
    return this.play(this.variationAt(task), isAgentGym ? AGENTGYM_LIMIT : Infinity);
  }

  /** AgentGym's data_idx, as its servers take it: negative ones count from the end. */
  openItem(item: number): SciWorldEpisode {
    return this.play(this.variationOfItem(item), AGENTGYM_LIMIT);
  }

  taskOfItem(item: number): TaskRef {
    const { task, number } = this.variationOfItem(item);
    for (const split of ['train', 'test', 'all']) {
      const at = variationsIn(split)?.findIndex((other) => other.task === task && other.number === number) ?? -1;
      if (at >= 0) return { env: this.name, split, index: at };
    }
    throw new AgogeError('ENV_UNKNOWN_TASK', `sciworld has no item ${item}: choose one of 0 to ${ALL.length - 1}`);
  }

  expert(task: TaskRef): Expert {
    const variation = this.variationAt(task);
    return new SciWorldExpert(() => {
      // A session without a limit: the expert's own need not end with the agent's.
      const { simulation } = this.play(variation, Infinity);
      const after = this.options.listing ? () => void simulation.validTexts() : undefined;
      return solve(variation.task.name, simulation, after);
    });
  }

  private play(variation: Variation, usualLimit: number): SciWorldEpisode {
    return new SciWorldEpisode(variation, { ...this.options, limit: this.options.limit ?? usualLimit });
  }

  private variationOfItem(item: number): Variation {
    const found = BY_ITEM[item];
    if (found === undefined) {
      throw new AgogeError('ENV_UNKNOWN_TASK', `sciworld has no item ${item}: choose one of 0 to ${BY_ITEM.length - 1}`);
    }
    return found;
  }

  private infoOf(variation: Variation): TaskInfo {
    const { task, number } = variation;
    return {
      category: this.options.categories === 'topic' ? task.topic : task.name,
      itemId: `sciworld_${itemOf(variation)}`,
      title: `${task.name} ${number}`,
    };
  }

  private variationAt({ split, index }: TaskRef): Variation {
    const variations = this.variationsIn(split);
    const found = variations[index];
    if (found !== undefined) return found;
    throw new AgogeError(
      'ENV_UNKNOWN_TASK',
      `sciworld/${split} has no task ${index}: choose one of 0 to ${variations.length - 1}`,
    );
  }

  private variationsIn(split: string): readonly Variation[] {
    const found = variationsIn(split);
    if (found !== undefined) return found;
    throw unknownSplit(this.name, split, this.splits);
  }
}

export class SciWorldEpisode implements Episode {
  readonly simulation: Simulation;
  /** What the agent sees at the start, without the task. */
  readonly firstLook: string;
  /** As AgentGym reports it: 0 to 100, or -100. */
  score = 0;
  done = false;
  /** What steps have paid so far. Points that are held from the start are paid with the first that are earned: saying nothing earns nothing. */
  private paid = 0;
  private readonly held: number;
  private ended: Step | undefined;
  /** The present state: a walk through the whole house, asked for more than once. */
  private shown: SciWorldState | undefined;

  constructor(
    readonly variation: Variation,
    private readonly options: SciWorldOptions & { readonly limit: number },
  ) {
    const { task, number } = variation;
    this.simulation = new Simulation(task.name, number, simplificationsFor(task.name, options.simplifications), options.edition);
    this.firstLook = this.act('look around');
    this.held = this.score;
  }

  get observation(): string {
    return `${this.simulation.taskDescription}\n${this.firstLook}`;
  }

  get actions(): readonly string[] {
    return this.simulation.peekValidTexts();
  }

  get state(): SciWorldState {
    return (this.shown ??= snapshot(this.simulation, this.score));
  }

  get progress(): unknown {
    const { moves: _, ...rest } = this.state;
    return rest;
  }

  step(action: string): Step {
    if (this.ended) return this.ended;
    const observation = this.act(action);
    const due = this.paid === 0 && this.score === this.held ? 0 : this.score;
    const reward = (due - this.paid) / 100;
    this.paid = due;
    if (!this.done) return { observation, reward, done: false };
    this.ended = { observation, reward: 0, done: true, success: this.score === 100 };
    return { ...this.ended, reward };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing is held.
  }

  /** One step as the Python API takes it: what is seen. The score is in whole percent. */
  private act(action: string): string {
    const { observation, score, isCompleted } = this.simulation.step(action);
    this.shown = undefined;
    if (this.options.listing) this.simulation.validTexts();
    this.score = roundHalfEven(100 * score);
    this.done = isCompleted || this.simulation.moves > this.options.limit || this.score < 0;
    return observation;
  }
}
