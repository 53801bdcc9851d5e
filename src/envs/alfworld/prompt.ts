/** What an agent is told about ALFWorld before the first observation, in our own words. */
import type { ActionForm, Instructions } from '../environment.ts';
import type { Edition } from './world/wording.ts';

export function instructionsFor(edition: Edition): Instructions {
  return { task, actions: actions(edition), example: example(edition) };
}

const task = [
  'You are in a room of a household and have a task: find an object, perhaps clean, heat or cool it, and put it where it belongs, or look at it under a lamp.',
  'The first message lists the furniture. You see what lies in or on a piece of furniture when you go there; closed ones must be opened first.',
  'You can carry one object. A sink cleans, a microwave heats and a fridge cools what you carry when you stand at it.',
  'Names are a kind and a number, such as "mug 1"; use them as they are shown. "Nothing happens." means that the action is not possible now.',
].join('\n');

const receptacle = { receptacle: 'a piece of furniture as it is shown, such as cabinet 1' };
const object = { object: 'an object as it is shown, such as mug 1' };

function actions(edition: Edition): readonly ActionForm[] {
  const changing = (verb: string, appliance: string): ActionForm => ({
    name: verb,
    template: `${verb} {object} with {receptacle}`,
    description: `${verb[0]?.toUpperCase() ?? ''}${verb.slice(1)} what you carry, at a ${appliance}.`,
    parameters: { ...object, receptacle: `the ${appliance}, such as ${appliance} 1` },
  });
  return [
    {
      name: 'goto',
      template: 'go to {receptacle}',
      description: 'Walk to a piece of furniture and see what is there.',
      parameters: receptacle,
    },
    { name: 'open', template: 'open {receptacle}', description: 'Open what you stand at.', parameters: receptacle },
    { name: 'close', template: 'close {receptacle}', description: 'Close what you stand at.', parameters: receptacle },
    {
      name: 'take',
      template: 'take {object} from {receptacle}',
      description: 'Pick an object up; your hands must be empty.',
      parameters: { ...object, ...receptacle },
    },
    {
      name: 'put',
      template: edition === '0.4' ? 'move {object} to {receptacle}' : 'put {object} in/on {receptacle}',
      description: 'Put down what you carry.',
      parameters: { ...object, ...receptacle },
    },
    changing('clean', 'sinkbasin'),
    changing('heat', 'microwave'),
    changing('cool', 'fridge'),
    { name: 'use', template: 'use {object}', description: 'Turn on a lamp where you stand.', parameters: object },
    {
      name: 'slice',
      template: 'slice {object} with {knife}',
      description: 'Slice food where you stand with the knife you carry.',
      parameters: { ...object, knife: 'the knife, such as knife 1' },
    },
    {
      name: 'examine',
      template: 'examine {thing}',
      description: 'Look closely at furniture where you stand or at what you carry.',
      parameters: { thing: 'its name, such as drawer 1' },
    },
    { name: 'look', template: 'look', description: 'See what you are facing.', parameters: {} },
    { name: 'inventory', template: 'inventory', description: 'See what you carry.', parameters: {} },
  ];
}

/** A short task with thoughts. */
function example(edition: Edition): NonNullable<Instructions['example']> {
  const arrived = (name: string): string => (edition === '0.4' ? `You arrive at ${name}. ` : '');
  return [
    {
      observation:
        'You are in the middle of a room. Looking quickly around you, you see a cabinet 2, a cabinet 1, a countertop 1, a fridge 1, and a microwave 1.\nYour task is to: put a hot mug in cabinet.',
      thought: 'I need a mug. It may stand on the countertop.',
      action: 'go to countertop 1',
    },
    {
      observation: `${arrived('countertop 1')}On the countertop 1, you see a knife 1, and a mug 2.`,
      thought: 'There is a mug.',
      action: 'take mug 2 from countertop 1',
    },
    {
      observation: 'You pick up the mug 2 from the countertop 1.',
      thought: 'It must be hot, so I go to the microwave.',
      action: 'go to microwave 1',
    },
    {
      observation: `${arrived('microwave 1')}The microwave 1 is closed.`,
      thought: 'I can heat it right here.',
      action: 'heat mug 2 with microwave 1',
    },
    {
      observation: 'You heat the mug 2 using the microwave 1.',
      thought: 'Now it goes into a cabinet.',
      action: 'go to cabinet 1',
    },
    {
      observation: `${arrived('cabinet 1')}The cabinet 1 is closed.`,
      thought: 'I have to open it first.',
      action: 'open cabinet 1',
    },
    {
      observation: 'You open the cabinet 1. The cabinet 1 is open. In it, you see nothing.',
      thought: 'I put the hot mug into it.',
      action: edition === '0.4' ? 'move mug 2 to cabinet 1' : 'put mug 2 in/on cabinet 1',
    },
  ];
}
