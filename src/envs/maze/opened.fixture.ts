/** The environment with settings as a user writes them, for tests that look inside. */
import { readSettings, type Settings } from '../settings.ts';
import { settings } from './settings.ts';
import { openMaze, type MazeEnvironment } from './maze.ts';

export function mazeEnvironment(given: Settings = {}): MazeEnvironment {
  return openMaze(readSettings('maze', settings, given));
}
