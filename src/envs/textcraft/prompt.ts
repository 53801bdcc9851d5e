/** What an agent is told about TextCraft before the first observation, in our own words. */
import type { Instructions } from '../environment.ts';

export const instructions: Instructions = {
  task: [
    'You craft items in a world of recipes. The first message lists crafting commands, not all of them needed, and names your goal.',
    'Get base ingredients from the environment, craft intermediate items with the commands as they are listed, and end by crafting the goal.',
    'An item that a listed command makes cannot be got, only crafted. Always give counts, exactly as the command has them.',
    'Where a command asks for a kind of item such as "planks", give one item of that kind, for example "oak planks".',
    'Each craft makes what its command says; repeat it when you need more.',
  ].join('\n'),
  actions: [
    {
      name: 'get',
      template: 'get {count} {item}',
      description: 'Take a base ingredient from the environment, any number at once.',
      parameters: { count: 'how many, a whole number', item: 'name of the item' },
    },
    {
      name: 'craft',
      template: 'craft {count} {item} using {ingredients}',
      description: 'Use one of the listed crafting commands once.',
      parameters: {
        count: 'how many the command makes',
        item: 'name of the item to craft',
        ingredients: 'counts and names, separated by commas: 2 stick, 3 iron ingot',
      },
    },
    { name: 'inventory', template: 'inventory', description: 'List what you are carrying.', parameters: {} },
  ],
  example: [
    {
      observation:
        'Crafting commands:\ncraft 4 oak planks using 1 oak logs\ncraft 1 oak boat using 5 oak planks\ncraft 1 oak button using 1 oak planks\n\nGoal: craft oak boat.',
      thought: 'An oak boat needs 5 oak planks. One craft makes 4 from 1 oak logs, so I need 2 oak logs.',
      action: 'get 2 oak logs',
    },
    { observation: 'Got 2 oak logs', thought: 'Now the first 4 planks.', action: 'craft 4 oak planks using 1 oak logs' },
    {
      observation: 'Crafted 4 minecraft:oak_planks',
      thought: '4 of 5 planks: once more.',
      action: 'craft 4 oak planks using 1 oak logs',
    },
    {
      observation: 'Crafted 4 minecraft:oak_planks',
      thought: '8 planks are enough.',
      action: 'craft 1 oak boat using 5 oak planks',
    },
  ],
};
