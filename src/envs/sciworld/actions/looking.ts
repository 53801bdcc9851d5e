/** Looking, reading, and asking for the inventory or the task. */
import { Document } from '../things/documents.ts';
import { lines } from '../things/listing.ts';
import type { Thing } from '../things/thing.ts';
import type { ActionRule } from './action.ts';

const never = (): undefined => undefined;

export const lookAround: ActionRule = {
  name: 'look around',
  id: 3,
  pattern: [['look around', 'look']],
  isFree: true,
  refuse: never,
  perform: ({ agent }) => agent.container?.describe(true) ?? '',
};

export const lookAt: ActionRule = {
  name: 'look at',
  id: 4,
  pattern: [['look at', 'look on', 'examine'], 'obj'],
  refuse: never,
  perform({ agent }, [thing]) {
    const text = agent.container === undefined ? undefined : thing?.describeFrom(true, agent.container);
    return text ?? '<ERROR: Could not retrieve object description>';
  },
};

export const lookIn: ActionRule = {
  name: 'look in',
  id: 5,
  pattern: [['look in'], 'obj'],
  refuse(_scene, [thing]) {
    if (thing?.vessel === undefined) return "It's not clear how to look inside of that.";
    return thing.vessel.isOpen ? undefined : `The ${thing.name} isn't open, so you can't see inside.`;
  },
  perform({ agent }, [thing]) {
    if (thing === undefined) return '';
    return contentsText(thing, agent) + portalsText(thing);
  },
};

function contentsText(thing: Thing, agent: Thing): string {
  if (thing.contents.length === 0) return `There is nothing in the ${thing.name}.\n`;
  return `Inside the ${thing.name} is: \n${lines(thing.contents, agent)}\n`;
}

function portalsText(thing: Thing): string {
  if (thing.portals.length === 0) return '';
  const texts = thing.portals.flatMap((portal) => portal.describeFrom(false, thing) ?? []);
  return ` You also see: ${texts.join(', ')}.`;
}

export const read: ActionRule = {
  name: 'read',
  id: 14,
  pattern: [['read'], 'document'],
  refuse: (_scene, [thing]) => (thing instanceof Document ? undefined : "It's not clear how to read that."),
  perform: (_scene, [thing]) => (thing instanceof Document ? thing.read() : ''),
};

export const inventory: ActionRule = {
  name: 'view inventory',
  id: 20,
  pattern: [['inventory']],
  isFree: true,
  refuse: never,
  perform({ agent }) {
    return `In your inventory, you see:\n${lines(agent.inventory.contents, agent.inventory, true)}`;
  },
};

export const task: ActionRule = {
  name: 'task description',
  id: 24,
  pattern: [['task']],
  isFree: true,
  refuse: never,
  perform: ({ taskDescription }) => `Task Description:\n${taskDescription}`,
};
