/** The splits: AgentGym-RL's sets, ETO's, the original's halves and quarters, and all variations. */
import type { TaskRow, Variation } from './catalogue.ts';
import { ALL, CATALOGUE } from './catalogue.ts';
import { AGENTGYM_TEST, AGENTGYM_TRAIN, ETO_DEV, ETO_TEST, ETO_TRAIN } from './variations.ts';

const SPLITS: Readonly<Record<string, () => readonly Variation[]>> = {
  train: () => listed(AGENTGYM_TRAIN),
  test: () => listed(AGENTGYM_TEST),
  'eto-train': () => listed(ETO_TRAIN),
  'eto-dev': () => listed(ETO_DEV),
  'eto-test': () => listed(ETO_TEST),
  'original-train': () => CATALOGUE.flatMap((task) => quarters(task, 0, 2)),
  'original-dev': () => CATALOGUE.flatMap((task) => quarters(task, 2, 3)),
  'original-test': () => CATALOGUE.flatMap((task) => quarters(task, 3, Infinity)),
  all: () => ALL,
};

export const SPLIT_NAMES = Object.keys(SPLITS);

const known = new Map<string, readonly Variation[]>();

export function variationsIn(split: string): readonly Variation[] | undefined {
  const found = known.get(split) ?? (Object.hasOwn(SPLITS, split) ? SPLITS[split]?.() : undefined);
  if (found !== undefined) known.set(split, found);
  return found;
}

/** Every task has more than four variations, so the original always divides by quarters; what is left over is test. */
function quarters(task: TaskRow, from: number, to: number): readonly Variation[] {
  const quarter = Math.floor(task.size / 4);
  const end = Math.min(task.size, quarter * to);
  const numbers = Array.from({ length: end - quarter * from }, (_, i) => quarter * from + i);
  return numbers.map((number) => ({ task, number }));
}

function listed(ranges: Readonly<Record<string, string>>): readonly Variation[] {
  return CATALOGUE.flatMap((task) => numbersIn(ranges[task.name] ?? '').map((number) => ({ task, number })));
}

/** `0-2,5` is 0, 1, 2 and 5. */
function numbersIn(ranges: string): readonly number[] {
  if (ranges === '') return [];
  return ranges.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}
