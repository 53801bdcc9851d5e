/**
 * A row of doors, one after the other. Each shows a signal, and the word that opens it is always the same for that signal: eight words to
 * know, however long the row is. A wrong word costs a turn. A task has 1 to `doors` doors, each number as likely. Played with as many turns
 * as `doors`, the chance to succeed is the share of right words, for every length (k right words of n open k doors): what changes from a
 * short row to a long one is the horizon alone. The expert may be made to guess (`sure`), so that imitation ends with room to learn.
 */
import { defineEnvironment } from 'agoge';
import { z } from 'zod';

const words: Readonly<Record<string, string>> = {
  red: 'stone',
  green: 'river',
  blue: 'cloud',
  white: 'ember',
  black: 'grain',
  grey: 'torch',
  pink: 'wheel',
  brown: 'frost',
};
const signals = Object.keys(words);

interface Row {
  /** Signals of the doors that are still closed. */
  readonly closed: string[];
  /** What the expert says, turn by turn: false where it guesses. */
  readonly sure: readonly boolean[];
  readonly guesses: readonly string[];
  turn: number;
}

export default defineEnvironment<Row, { doors: z.ZodDefault<z.ZodInt>; sure: z.ZodDefault<z.ZodNumber> }>({
  name: 'relay',
  version: '1',
  splits: { train: Infinity, validation: 200, test: 200 },
  instructions: 'Say the word that opens the door.',
  actions: { say: '{word}' },
  settings: { doors: z.int().min(1).max(64).default(6), sure: z.number().min(0).max(1).default(1) },

  start: (_task, random, { doors, sure }) => {
    const closed = Array.from({ length: random.between(1, doors) }, () => random.pick(signals));
    const turns = Array.from({ length: 40 * doors });
    const state = {
      closed,
      sure: turns.map(() => random.float() < sure),
      guesses: turns.map(() => random.pick(Object.values(words))),
      turn: 0,
    };
    return { state, observation: `${closed.length} ${closed[0] ?? ''}` };
  },

  step: (row, action) => {
    row.turn++;
    const [signal = ''] = row.closed;
    if (action.trim() === words[signal]) row.closed.shift();
    const [next] = row.closed;
    if (next === undefined) return { observation: 'open', reward: 1, done: true };
    return { observation: `${row.closed.length} ${next}` };
  },

  // What is still to be opened. The expert's guesses are long, and no part of the world.
  state: ({ closed }) => ({ closed }),

  solve: ({ closed, sure, guesses, turn }) => {
    const right = words[closed[0] ?? ''] ?? '';
    return (sure[turn] ?? true) ? right : (guesses[turn] ?? right);
  },
});
