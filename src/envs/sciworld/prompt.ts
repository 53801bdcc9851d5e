/** What an agent is told about ScienceWorld before the first observation, in our own words. */
import type { ActionForm, Instructions } from '../environment.ts';
import { Simulation } from './simulation.ts';

const task = [
  'You are in a house with a kitchen, a workshop, a greenhouse, a foundry and other rooms, and have a task of school science to carry out.',
  'Act by short commands. Things are named as the observations name them; add "in" or "on" and what holds them where names are equal.',
  'Doors and containers must be opened first. Liquids cannot be picked up: move, pour or dunk what holds them.',
  'Time passes with every action; heating, growing and current need time, so wait and look again.',
  'To focus on something says that it is what the task is about. Focusing on a wrong thing fails the task at once.',
  'Where a command fits several things you are asked for a number: reply with the number alone.',
].join('\n');

const object = { object: 'a thing, such as metal pot' };

function form(name: string, template: string, description: string, parameters: Readonly<Record<string, string>>): ActionForm {
  return { name, template, description, parameters };
}

const actions: readonly ActionForm[] = [
  form('open', 'open {object}', 'Open a door or a container.', object),
  form('close', 'close {object}', 'Close a door or a container.', object),
  form('activate', 'activate {object}', 'Switch a device on.', object),
  form('deactivate', 'deactivate {object}', 'Switch a device off.', object),
  form(
    'connect',
    'connect {first} to {second}',
    'Connect two electrical points, such as battery anode and red wire terminal 1.',
    {
      first: 'a thing or one of its terminals',
      second: 'a thing or one of its terminals',
    },
  ),
  form('disconnect', 'disconnect {object}', 'Take a thing out of a circuit.', object),
  form('use', 'use {tool} on {object}', 'Use a tool, such as a thermometer, on a thing.', { tool: 'a tool', ...object }),
  form('look_around', 'look around', 'Describe the room you are in; takes no time.', {}),
  form('look_at', 'look at {object}', 'Describe a thing closely.', object),
  form('look_in', 'look in {object}', 'Describe what is in a container.', object),
  form('read', 'read {object}', 'Read a note, a recipe or a book.', object),
  form('move', 'move {object} to {container}', 'Put a thing into or onto something.', { ...object, container: 'where it goes' }),
  form('pick_up', 'pick up {object}', 'Put a thing into your inventory.', object),
  form('drop', 'drop {object}', 'Put a thing from your inventory into the room.', object),
  form('pour', 'pour {object} into {container}', 'Pour a liquid, or what is in a container, into another.', {
    ...object,
    container: 'where it goes',
  }),
  form('dunk', 'dunk {container} into {object}', 'Fill a container with the liquid in something.', {
    container: 'an open container',
    ...object,
  }),
  form('mix', 'mix {container}', 'Mix what is in a container.', { container: 'a container' }),
  form('go', 'go to {place}', 'Go through an open door to a room next to this one.', { place: 'a room, such as kitchen' }),
  form('eat', 'eat {object}', 'Eat something.', object),
  form('flush', 'flush {object}', 'Flush a toilet.', object),
  form('focus', 'focus on {object}', 'Say which thing the task is about.', object),
  form('wait', 'wait', 'Let ten ticks pass.', {}),
  form('wait1', 'wait1', 'Let one tick pass.', {}),
  form('inventory', 'inventory', 'List what you carry; takes no time.', {}),
  form('task', 'task', 'Read the task again; takes no time.', {}),
];

const EXAMPLE = { task: 'find-plant', variation: 150 } as const;

/** A task with thoughts; the observations are played, so they look as the agent's own will. */
const exampleTurns = [
  { thought: 'Plants grow in the greenhouse. I open the way there.', action: 'open door to hallway' },
  { thought: 'The door is open now.', action: 'go to hallway' },
  { thought: 'The greenhouse lies off the hallway.', action: 'open door to greenhouse' },
];

export const instructions: Instructions = {
  task,
  actions,
  get example() {
    const simulation = new Simulation(EXAMPLE.task, EXAMPLE.variation);
    let observation = `${simulation.taskDescription}\n${simulation.step('look around').observation}`;
    return exampleTurns.map(({ thought, action }) => {
      const turn = { observation, thought, action };
      observation = simulation.step(action).observation;
      return turn;
    });
  },
};
