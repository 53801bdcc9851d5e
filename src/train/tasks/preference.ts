/**
 * Which tasks are worth playing now: those that the present policy sometimes solves and sometimes does not. Success is estimated online,
 * with a memory that fades; a task is taken with the chance 4p(1 − p), never under a floor, and one that was never played is always taken.
 * Tasks of an endless deck come once, so there the estimate is that of their category.
 */
import { Random } from '../../core/random/random.ts';
import { unselectedOf, type Batch, type PlayedEpisode } from '../rl/batch.ts';

export interface PreferenceConfig {
  /** Least chance of a task that is always or never solved. */
  readonly floor: number;
  /** What an earlier episode of a task counts each time it is played again. */
  readonly memory: number;
}

/** Episodes that count, and successes among them, by task or category. */
export type PreferenceState = Record<string, [episodes: number, successes: number]>;

/** So many tasks in a row are passed over at most. */
const mostSkipped = 64;

export class TaskPreference {
  private known = new Map<string, [number, number]>();
  private skipped = 0;
  private inARow = 0;

  constructor(
    private readonly config: PreferenceConfig,
    private readonly seed: number,
  ) {}

  get state(): PreferenceState {
    return Object.fromEntries(this.known);
  }

  restore(state: PreferenceState): void {
    this.known = new Map(Object.entries(state));
  }

  /** Takes the task, or passes it over; the same seed and number decide in the same way. */
  takes(key: string, number: number): boolean {
    const taken = Random.of(this.seed, 'prefer', number).float() < this.chance(key) || this.inARow >= mostSkipped;
    this.inARow = taken ? 0 : this.inARow + 1;
    if (!taken) this.skipped++;
    return taken;
  }

  /** What came of some episodes of a task. */
  note(key: string, episodes: number, successes: number): void {
    const [n, s] = this.known.get(key) ?? [0, 0];
    const { memory } = this.config;
    this.known.set(key, [memory * n + episodes, memory * s + successes]);
  }

  chance(key: string): number {
    const p = this.estimate(key);
    return p === undefined ? 1 : Math.max(this.config.floor, 4 * p * (1 - p));
  }

  /** What is known, for the log; counts what was passed over since the last call. */
  metrics(): Record<string, number> {
    const estimates = [...this.known.keys()].flatMap((key) => this.estimate(key) ?? []);
    const share = (test: (p: number) => boolean): number => estimates.filter(test).length / Math.max(1, estimates.length);
    const { skipped } = this;
    this.skipped = 0;
    return {
      'train/tasks_known': estimates.length,
      'train/tasks_mastered': share((p) => p > 0.9),
      'train/tasks_out_of_reach': share((p) => p < 0.1),
      'train/tasks_passed_over': skipped,
    };
  }

  /** Success by Laplace's rule; undefined before the first episode. */
  private estimate(key: string): number | undefined {
    const seen = this.known.get(key);
    return seen && (seen[1] + 1) / (seen[0] + 2);
  }
}

/** Adds the groups of a step to what is known, and says what is known now. Where rewards differ but successes do not, there is something to learn too. */
export function rememberTasks(preference: TaskPreference | undefined, { groups, filtered }: Batch): Record<string, number> {
  if (!preference) return {};
  for (const group of [...groups, ...filtered]) {
    const { key, signal } = group;
    const episodes = unselectedOf(group);
    const won = episodes.filter(succeeded).length;
    const alike = won === 0 || won === episodes.length;
    preference.note(key, episodes.length, signal && alike ? episodes.length / 2 : won);
  }
  return preference.metrics();
}

function succeeded({ trajectory: { outcome } }: PlayedEpisode): boolean {
  return outcome.kind === 'finished' && outcome.success;
}
