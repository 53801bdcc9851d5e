/** The thirty tasks in the order of the original's list, with their topics and numbers of variations; and AgentGym's item numbers. */

export interface TaskRow {
  readonly id: string;
  readonly topic: string;
  readonly name: string;
  /** Number of variations. */
  readonly size: number;
  /** AgentGym leaves these out. */
  readonly notInAgentGym?: true;
}

export const CATALOGUE: readonly TaskRow[] = [
  { id: '1-1', topic: 'Matter', name: 'boil', size: 30 },
  { id: '1-2', topic: 'Matter', name: 'melt', size: 30 },
  { id: '1-3', topic: 'Matter', name: 'freeze', size: 30 },
  { id: '1-4', topic: 'Matter', name: 'change-the-state-of-matter-of', size: 30 },
  { id: '2-1', topic: 'Measurement', name: 'use-thermometer', size: 540 },
  { id: '2-2', topic: 'Measurement', name: 'measure-melting-point-known-substance', size: 436 },
  { id: '2-3', topic: 'Measurement', name: 'measure-melting-point-unknown-substance', size: 300 },
  { id: '3-1', topic: 'Electricity', name: 'power-component', size: 20 },
  { id: '3-2', topic: 'Electricity', name: 'power-component-renewable-vs-nonrenewable-energy', size: 20 },
  { id: '3-3', topic: 'Electricity', name: 'test-conductivity', size: 900 },
  { id: '3-4', topic: 'Electricity', name: 'test-conductivity-of-unknown-substances', size: 600 },
  { id: '4-1', topic: 'Classification', name: 'find-living-thing', size: 300 },
  { id: '4-2', topic: 'Classification', name: 'find-non-living-thing', size: 300 },
  { id: '4-3', topic: 'Classification', name: 'find-plant', size: 300 },
  { id: '4-4', topic: 'Classification', name: 'find-animal', size: 300 },
  { id: '5-1', topic: 'Biology', name: 'grow-plant', size: 126, notInAgentGym: true },
  { id: '5-2', topic: 'Biology', name: 'grow-fruit', size: 126, notInAgentGym: true },
  { id: '6-1', topic: 'Chemistry', name: 'chemistry-mix', size: 32 },
  { id: '6-2', topic: 'Chemistry', name: 'chemistry-mix-paint-secondary-color', size: 36 },
  { id: '6-3', topic: 'Chemistry', name: 'chemistry-mix-paint-tertiary-color', size: 36 },
  { id: '7-1', topic: 'Biology', name: 'lifespan-longest-lived', size: 125 },
  { id: '7-2', topic: 'Biology', name: 'lifespan-shortest-lived', size: 125 },
  { id: '7-3', topic: 'Biology', name: 'lifespan-longest-lived-then-shortest-lived', size: 125 },
  { id: '8-1', topic: 'Biology', name: 'identify-life-stages-1', size: 14 },
  { id: '8-2', topic: 'Biology', name: 'identify-life-stages-2', size: 10 },
  { id: '9-1', topic: 'Forces', name: 'inclined-plane-determine-angle', size: 168, notInAgentGym: true },
  { id: '9-2', topic: 'Forces', name: 'inclined-plane-friction-named-surfaces', size: 1386, notInAgentGym: true },
  { id: '9-3', topic: 'Forces', name: 'inclined-plane-friction-unnamed-surfaces', size: 162, notInAgentGym: true },
  { id: '10-1', topic: 'Biology', name: 'mendelian-genetics-known-plant', size: 120, notInAgentGym: true },
  { id: '10-2', topic: 'Biology', name: 'mendelian-genetics-unknown-plant', size: 480, notInAgentGym: true },
];

/** A variation of a task. */
export interface Variation {
  readonly task: TaskRow;
  readonly number: number;
}

const variationsOf = (tasks: readonly TaskRow[]): readonly Variation[] =>
  tasks.flatMap((task) => Array.from({ length: task.size }, (_, number) => ({ task, number })));

/** All 7,207 variations in the order of the tasks. */
export const ALL: readonly Variation[] = variationsOf(CATALOGUE);

/** AgentGym's data_idx counts 4,639 of them; the tasks that it leaves out follow after. */
export const BY_ITEM: readonly Variation[] = [
  ...variationsOf(CATALOGUE.filter((task) => task.notInAgentGym !== true)),
  ...variationsOf(CATALOGUE.filter((task) => task.notInAgentGym === true)),
];

const FIRST_ITEM: ReadonlyMap<string, number> = new Map(
  BY_ITEM.flatMap(({ task, number }, item) => (number === 0 ? [[task.name, item]] : [])),
);

export function itemOf({ task, number }: Variation): number {
  return (FIRST_ITEM.get(task.name) ?? 0) + number;
}
