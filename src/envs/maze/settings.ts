/** Settings of the maze. */
import { range, type SettingsOf } from '../settings.ts';

export const settings = {
  size: range(2, 20)
    .default([3, 5])
    .describe('rooms along a side of generated mazes: a number or a range within 2-20 (default 3-5)'),
};

export type MazeSettings = SettingsOf<typeof settings>;
