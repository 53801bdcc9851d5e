/** What an agent is told about the maze before the first observation, in our own words. */
import type { Instructions } from '../environment.ts';

export const instructions: Instructions = {
  task: [
    'You are in a maze. Reach the goal in as few moves as you can.',
    'Each message tells where the goal is, where you are, as row and column, and which walls are beside you.',
    'Moving right adds one to the column, moving down adds one to the row. A move into a wall changes nothing and still counts.',
  ].join('\n'),
  actions: (['left', 'right', 'up', 'down'] as const).map((way) => ({
    name: `move_${way}`,
    template: `move ${way}`,
    description: `Go one cell ${way}.`,
    parameters: {},
  })),
  example: [
    {
      observation:
        'The goal is at position 8, 6. Your current position is at position 7, 6. There are walls to your right, to your left.',
      thought: 'The goal is one row below me, and there is no wall below.',
      action: 'move down',
    },
  ],
};
