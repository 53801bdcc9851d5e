/** Which of the played episodes become rows: the solved ones, the best of each task, or all. */
import type { Environment } from '../../envs/environment.ts';
import { evolveThreshold } from '../select.ts';
import type { PlayedFacts, PlayJournal } from './play-journal.ts';

/** `success`: solved, or above AgentEvol's threshold; `best`: the best sample of each task, if it earned anything; `all`. */
export type Keep = 'success' | 'best' | 'all';

export interface KeepOptions {
  readonly environment: Environment;
  readonly tasks: readonly number[];
  readonly samples?: number;
  readonly keep?: Keep;
  readonly minReward?: number | undefined;
}

/** Which of the played episodes are worth keeping, in the order of the tasks, so that the same seed gives the same file. */
export function* keptOf(options: KeepOptions, journal: PlayJournal): Generator<PlayedFacts> {
  const { environment, keep = 'success', samples = 1, minReward } = options;
  for (const task of options.tasks) {
    const played = Array.from({ length: samples }, (_, sample) => journal.get(task, sample)).filter((one) => one !== undefined);
    if (keep !== 'best') {
      for (const one of played) if (isKept(one, environment.name, keep, minReward)) yield one;
      continue;
    }
    const best = played.reduce<PlayedFacts | undefined>((a, b) => (a && a.reward >= b.reward ? a : b), undefined);
    if (best && (minReward === undefined ? best.reward > 0 : best.reward >= minReward)) yield best;
  }
}

function isKept(one: PlayedFacts, env: string, keep: Exclude<Keep, 'best'>, minReward: number | undefined): boolean {
  if (minReward !== undefined) return one.reward >= minReward;
  return keep === 'all' || one.success || one.reward > evolveThreshold(env);
}
