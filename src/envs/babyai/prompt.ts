/** What an agent is told about BabyAI before the first observation, in our own words. */
import type { Instructions } from '../environment.ts';
import { levelNamed } from './tasks.ts';
import { listOf } from './text/describe.ts';
import { TextGame, type GameRules } from './text/game.ts';

export function instructionsFor(options: GameRules & { readonly listActions: boolean }): Instructions {
  return { task, actions, example: example(options) };
}

const task = [
  'You are in a grid of rooms and have a goal: go to, pick up or open something, or put it next to something else.',
  'Each observation tells what you see ahead of you, never behind or through walls and closed doors; turn to see more.',
  'Objects of one name are numbered from the nearest on, afresh in each observation.',
  'You can carry one object. A locked door opens when you carry a key of its colour.',
  'Fewer steps earn more.',
].join('\n');

const object = { object: 'colour and kind, such as red ball', number: 'its number, such as 1' };
const door = { door: 'colour, state and door, such as grey closed door', number: 'its number, such as 1' };

const actions: Instructions['actions'] = [
  { name: 'turn_left', template: 'turn left', description: 'Turn to your left.', parameters: {} },
  { name: 'turn_right', template: 'turn right', description: 'Turn to your right.', parameters: {} },
  { name: 'move_forward', template: 'move forward', description: 'Move one step ahead.', parameters: {} },
  { name: 'go_to', template: 'go to {object} {number}', description: 'Walk up to an object you see.', parameters: object },
  {
    name: 'pickup',
    template: 'pickup {object} {number}',
    description: 'Walk up to an object you see and pick it up.',
    parameters: object,
  },
  { name: 'drop', template: 'drop', description: 'Put what you carry onto the free cell ahead of you.', parameters: {} },
  {
    name: 'go_through',
    template: 'go through {door} {number}',
    description: 'Walk into an open door.',
    parameters: door,
  },
  {
    name: 'toggle_and_go_through',
    template: 'toggle and go through {door} {number}',
    description: 'Open a closed door, or a locked one whose key you carry, and walk into it.',
    parameters: door,
  },
  { name: 'toggle', template: 'toggle', description: 'Open the door right ahead of you.', parameters: {} },
  {
    name: 'check_available_actions',
    template: 'check available actions',
    description: 'List what you can do now.',
    parameters: {},
  },
];

/** A short task with thoughts; the observations are played, so they look as the agent's own will. */
function example(options: GameRules & { readonly listActions: boolean }): NonNullable<Instructions['example']> {
  const game = new TextGame(levelNamed('PickupAbove'), 900_003, options);
  const list = (): string => (options.listActions ? listOf(game.choices.plans.keys()) : '');
  let observation = `Your goal: ${game.goal}\n${game.observation}${list()}`;
  return exampleTurns.map(({ thought, action }) => {
    const turn = { observation, thought, action };
    game.step(action);
    observation = game.observation + list();
    return turn;
  });
}

const exampleTurns = [
  { thought: 'There is no green key in sight. I turn to see more of the room.', action: 'turn right' },
  {
    thought: 'Only a closed door: the key may be behind it.',
    action: 'toggle and go through red closed door 1',
  },
  { thought: 'There is the green key.', action: 'pickup green key 1' },
];
