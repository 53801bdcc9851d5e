/** Settings of the maze. */
import { oneOf, range, type SettingsOf } from '../settings.ts';

export const settings = {
  expert: oneOf(['informed', 'blind'])
    .default('informed')
    .describe(
      'informed (default) walks the shortest way; blind knows what it has seen, so that each move can be learned from the conversation',
    ),
  size: range(2, 20)
    .default([3, 5])
    .describe('rooms along a side of generated mazes: a number or a range within 2-20 (default 3-5)'),
};

export type MazeSettings = SettingsOf<typeof settings>;
