/** An environment of one's own, as `agoge new env` writes it: find the key in one of three boxes, then unlock the door. One wrong box ends it. */
import { defineEnvironment } from 'agoge';

const colours = ['red', 'green', 'blue', 'yellow', 'grey', 'purple'];

interface Room {
  readonly boxes: readonly string[];
  readonly key: string;
  held: boolean;
}

export default defineEnvironment<Room>({
  name: 'boxes',
  version: '1',
  splits: { train: Infinity, validation: 60, test: 100 },
  instructions: 'Find the key and unlock the door.',
  actions: { open: 'open {colour} box', unlock: 'unlock door' },

  start: (_task, random) => {
    const boxes = random.shuffle(colours).slice(0, 3);
    const key = random.pick(boxes);
    const observation = `You see a ${boxes.join(' box, a ')} box. The key is in the ${key} box.`;
    return { state: { boxes, key, held: false }, observation };
  },

  step: (room, action) => {
    const said = action.trim();
    if (said === 'unlock door') {
      return room.held ? { observation: 'The door opens.', reward: 1, done: true } : { observation: 'You have no key.' };
    }
    const colour = /^open (\w+) box$/.exec(said)?.[1];
    if (colour === undefined || !room.boxes.includes(colour)) return { observation: 'Nothing happens.' };
    if (colour !== room.key) return { observation: 'The box is empty.', done: true };
    room.held = true;
    return { observation: 'You have the key.' };
  },

  choices: ({ boxes }) => [...boxes.map((colour) => `open ${colour} box`), 'unlock door'],
  solve: ({ held, key }) => (held ? 'unlock door' : `open ${key} box`),
});
