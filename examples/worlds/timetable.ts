/** Two tables: which line goes to a town, and from which platform a line leaves. */
import { defineEnvironment } from 'agoge';

const towns = 'Ardenne Brioude Calvi Dieppe Evian Fougeres Granville Honfleur'.split(' ');

interface State {
  readonly platform: string;
}

export default defineEnvironment<State>({
  name: 'timetable',
  splits: { train: 2000, validation: 100, test: 100 },
  instructions: 'Travellers ask for the platform of their train. Look up the line of the town, then the platform of the line.',
  actions: { announce: 'announce platform {number}' },
  start(_task, random) {
    const served = random.shuffle(towns).slice(0, 4);
    const lines = random.shuffle(Array.from({ length: 20 }, (_, i) => `L${i + 1}`)).slice(0, 4);
    const platforms = random.shuffle(Array.from({ length: 19 }, (_, i) => String(i + 1))).slice(0, 4);
    const wanted = random.below(4);
    const first = served.map((town, i) => `${town}: line ${lines[i] ?? ''}`).join('\n');
    const second = random.shuffle(lines.map((line, i) => `${line} leaves from platform ${platforms[i] ?? ''}`)).join('\n');
    return {
      state: { platform: platforms[wanted] ?? '' },
      observation: `${first}\n\n${second}\n\nWhere is the train to ${served[wanted] ?? ''}?`,
    };
  },
  step({ platform }, action) {
    const [, said] = /^announce platform (\d+)$/.exec(action.trim()) ?? [];
    if (said === undefined) return { observation: 'Announce a platform.' };
    return { observation: said === platform ? 'Right.' : 'They missed it.', reward: said === platform ? 1 : 0, done: true };
  },
  solve: ({ platform }) => `announce platform ${platform}`,
});
