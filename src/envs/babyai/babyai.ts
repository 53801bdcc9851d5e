/**
 * BabyAI as an Environment. `train` and `test` are AgentGym's sets, `all` counts as its data_idx does, `generated` and
 * `generated-test` draw levels and seeds that no recording uses; `fresh` is a panel as `test`, of seeds of its own. Reward and ends are AgentGym's: 1 − 0.9 × steps / limit
 * on completion, paid as a running score.
 */
import { AgogeError } from '../../core/error.ts';
import type { TaskRef } from '../../core/task.ts';
import type { Environment, Episode, Expert, Step, TaskInfo, TaskSet } from '../environment.ts';
import { readSettings, type Settings } from '../settings.ts';
import { unknownSplit } from '../unknown.ts';
import { BlindExpert } from './expert/blind.ts';
import { BabyAIExpert } from './expert/expert.ts';
import { whyImpossible } from './expert/impossible.ts';
import { instructionsFor } from './prompt.ts';
import { settings, type BabyAISettings } from './settings.ts';
import { snapshot, type BabyAIState } from './state.ts';
import {
  agentGymItems,
  agentGymLevels,
  firstGeneratedSeed,
  freshItems,
  itemOf,
  levelsNamed,
  taskOf,
  type BabyAITask,
} from './tasks.ts';
import { listOf } from './text/describe.ts';
import { TextGame, type GameRules } from './text/game.ts';
import type { NamedLevel } from './world/levels/index.ts';

export interface BabyAIOptions extends GameRules {
  readonly listActions: boolean;
  readonly expert: BabyAISettings['expert'];
  /** Of the generated splits. */
  readonly levels: readonly NamedLevel[];
}

export function babyAI(given: Settings = {}): BabyAI {
  return openBabyAI(readSettings('babyai', settings, given));
}

export function openBabyAI({ levels, ...rest }: BabyAISettings): BabyAI {
  return new BabyAI({ ...rest, levels: levels === undefined ? agentGymLevels() : levelsNamed(levels) });
}

/** Tasks of seeds 0 to 99 that the expert does not solve and that are not proven impossible. */
const noWayKnown = new Map([
  ['SynthS5R2 3', 'no way is known: the expert, moving what blocks two doors of a full room, runs out of steps'],
]);

export class BabyAI implements Environment {
  readonly name = 'babyai';
  readonly version: string;
  readonly splits = ['train', 'test', 'all', 'generated', 'generated-test', 'fresh'];
  readonly instructions;
  private readonly items: Readonly<Record<string, readonly number[] | undefined>> = {
    train: agentGymItems('train'),
    test: agentGymItems('test'),
    fresh: freshItems(),
  };

  constructor(readonly options: BabyAIOptions) {
    const { listActions, aliases, ending, levels } = options;
    const usual = agentGymLevels();
    const changed = [
      ...(listActions ? [] : ['unlisted']),
      ...(aliases ? ['aliases'] : []),
      ...(ending === 'agentgym' ? [] : [ending]),
      ...(String(levels.map(({ name }) => name)) === String(usual.map(({ name }) => name)) ? [] : levels.map(({ name }) => name)),
    ];
    this.version = ['1', ...changed].join('-');
    this.instructions = instructionsFor(options);
  }

  tasks(split: string): TaskSet {
    const size = this.items[split]?.length ?? Infinity;
    if (!this.splits.includes(split)) throw this.unknownSplit(split);
    return { size, info: (index) => infoOf(this.taskAt({ env: this.name, split, index })) };
  }

  open(task: TaskRef): BabyAIEpisode {
    return new BabyAIEpisode(this.taskAt(task), this.options);
  }

  /** Any data_idx, as AgentGym's servers take it. */
  openItem(item: number): BabyAIEpisode {
    return new BabyAIEpisode(taskOf(item), this.options);
  }

  taskOfItem(item: number): TaskRef {
    for (const [split, items = []] of Object.entries(this.items)) {
      const index = items.indexOf(item);
      if (index >= 0) return { env: this.name, split, index };
    }
    return { env: this.name, split: 'all', index: taskOf(item).item };
  }

  expert(task: TaskRef): Expert {
    const { level, seed } = this.taskAt(task);
    const start = (): TextGame => new TextGame(level, seed, this.options);
    return this.options.expert === 'blind' ? new BlindExpert(start()) : new BabyAIExpert(start);
  }

  impossible(task: TaskRef): string | undefined {
    const { level, seed } = this.taskAt(task);
    return whyImpossible(new TextGame(level, seed, this.options).world) ?? noWayKnown.get(`${level.name} ${seed}`);
  }

  private taskAt({ split, index }: TaskRef): BabyAITask {
    if (!Number.isSafeInteger(index) || index < 0) throw this.unknownTask(split, index, 'counts its tasks from 0');
    if (split === 'all') return taskOf(index);
    const items = Object.hasOwn(this.items, split) ? this.items[split] : undefined;
    if (items) {
      const item = items[index];
      if (item === undefined) throw this.unknownTask(split, index, `has tasks 0 to ${items.length - 1}`);
      return taskOf(item);
    }
    if (split !== 'generated' && split !== 'generated-test') throw this.unknownSplit(split);
    const { levels } = this.options;
    const level = levels[index % levels.length] as NamedLevel;
    return taskOf(itemOf(level, firstGeneratedSeed[split] + Math.floor(index / levels.length)));
  }

  private unknownTask(split: string, index: number, has: string): AgogeError {
    return new AgogeError(
      'ENV_UNKNOWN_TASK',
      `babyai/${split} ${has}, not ${index}: pick one of them, or one of the endless split "generated"`,
    );
  }

  private unknownSplit(split: string): AgogeError {
    return unknownSplit(this.name, split, this.splits);
  }
}

export class BabyAIEpisode implements Episode {
  readonly observation: string;
  readonly game: TextGame;
  private ended: Step | undefined;

  constructor(
    readonly task: BabyAITask,
    private readonly options: BabyAIOptions,
  ) {
    this.game = new TextGame(task.level, task.seed, options);
    this.observation = this.withGoal();
  }

  get actions(): readonly string[] {
    return this.game.actions;
  }

  get state(): BabyAIState {
    return snapshot(this.task.level.name, this.game.world);
  }

  get progress(): unknown {
    const { cells, agent, carrying } = this.state;
    return { cells, agent, carrying };
  }

  /** What the agent was told last, the goal before it. */
  withGoal(): string {
    return `Your goal: ${this.game.goal}\n${this.withActions()}`;
  }

  step(action: string): Step {
    if (this.ended) return this.ended;
    this.game.step(action);
    const { reward, done } = this.game;
    const observation = this.withActions();
    if (!done) return { observation, reward, done };
    this.ended = { observation, reward: 0, done, success: reward > 0 };
    return { ...this.ended, reward };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing is held.
  }

  private withActions(): string {
    return this.game.observation + (this.options.listActions ? listOf(this.game.choices.plans.keys()) : '');
  }
}

function infoOf({ level, seed, item }: BabyAITask): TaskInfo {
  return { category: level.family, itemId: `babyai_${item}`, title: `${level.name}, seed ${seed}` };
}
