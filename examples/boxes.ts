/** The tasks that the three example agents share: what is in the box? One look with a tool answers it. */
import type { Random, TaskRef } from 'agoge';

const colours = ['red', 'green', 'blue', 'yellow', 'grey', 'purple'];
const words = ['apple', 'stone', 'river', 'lamp', 'paper', 'cloud', 'iron', 'wool'];

export const splits = { train: Infinity, validation: 60, test: 100 };

export interface Question {
  readonly asked: string;
  readonly box: string;
  readonly boxes: ReadonlyMap<string, string>;
}

export function question(random: Random): Question {
  const boxes = new Map(
    random
      .shuffle(colours)
      .slice(0, 3)
      .map((colour) => [colour, random.pick(words)]),
  );
  const box = random.pick([...boxes.keys()]);
  return { asked: `What is in the ${box} box?`, box, boxes };
}

/** What an answer is worth. */
export function worth(answer: string, { box, boxes }: Question): number {
  return answer.trim() === boxes.get(box) ? 1 : 0;
}

/** The expert: looks into the box, then says what it was shown. */
export function solve(_task: TaskRef, shown: string, turn: number, random: Random): string {
  return turn === 0 ? JSON.stringify({ name: 'look', arguments: { box: question(random).box } }) : shown;
}
