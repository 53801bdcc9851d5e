/** A small correct environment (climb to the floor you are told) that tests break in one place at a time. */
import { AgogeError } from '../core/error.ts';
import type { Environment, Episode, Step } from '../envs/environment.ts';

export interface Stairs {
  floor: number;
  readonly goal: number;
  steps: number;
}

/** What a test may replace. */
export interface Breaks {
  name?: string;
  step?: (stairs: Stairs, action: string, play: (action: string) => Step) => Step;
  observation?: (stairs: Stairs) => string;
  expert?: Environment['expert'] | null;
  lenient?: boolean;
}

export function stairs(breaks: Breaks = {}): Environment {
  const refuse = (index: number): AgogeError =>
    new AgogeError('ENV_UNKNOWN_TASK', `stairs/all has tasks 0 to 19, not ${index}: pick one`);
  const expert = breaks.expert === undefined ? climber : breaks.expert;
  return {
    name: breaks.name ?? 'stairs',
    version: '1',
    splits: ['all'],
    instructions: {
      task: 'Climb.',
      actions: [{ name: 'go', template: 'go {way}', description: 'one floor', parameters: { way: 'up or down' } }],
    },
    tasks(split) {
      if (split !== 'all') throw new AgogeError('ENV_UNKNOWN_SPLIT', `stairs has no split "${split}": use all`);
      return { size: 20, info: (index) => ({ category: 'climb', itemId: `stairs_${index}` }) };
    },
    open({ index }) {
      if (breaks.lenient !== true && !(Number.isInteger(index) && index >= 0 && index < 20)) throw refuse(index);
      return play({ floor: 0, goal: (index % 5) + 2, steps: 0 }, breaks);
    },
    ...(expert && { expert }),
  };
}

const climber: NonNullable<Environment['expert']> = ({ index }) => {
  let left = (index % 5) + 2;
  return { next: () => (left-- > 0 ? 'climb up' : null) };
};

function play(place: Stairs, breaks: Breaks): Episode {
  let ended: Step | undefined;
  const tell = (): string => breaks.observation?.(place) ?? `You are on floor ${place.floor}. Go to floor ${place.goal}.`;
  const rules = (action: string): Step => {
    if (ended) return ended;
    place.steps++;
    if (action === 'climb up') place.floor++;
    if (action === 'climb down') place.floor--;
    const done = place.floor === place.goal;
    const observation = tell();
    if (done) ended = { observation, reward: 0, done, success: true };
    return { observation, reward: done ? 1 : 0, done, ...(done && { success: true }) };
  };
  return {
    observation: tell(),
    state: undefined,
    step: (action) => breaks.step?.(place, action, rules) ?? rules(action),
    async [Symbol.asyncDispose]() {
      // Nothing is held.
    },
  };
}
