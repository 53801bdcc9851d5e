/** What a level is: the size of its maze, its step limit, and how it draws a maze and a mission for it. */
import type { Maze, MazeSize } from '../maze.ts';
import type { Mission } from '../mission.ts';

export interface Level {
  readonly size: MazeSize;
  /** Steps until the reward is used up; where absent it follows from the size of the maze and the mission. */
  readonly maxSteps?: number;
  /** True in levels where blocking things may have to be moved; their missions are never about keys of locked doors. */
  readonly unblocking?: boolean;
  /** Fills the maze and says what is to be done; throws Rejected when the draws led nowhere. */
  build(maze: Maze): Mission;
}

export const oneRoom = (roomSize: number): MazeSize => ({ roomSize, rows: 1, columns: 1 });
export const rooms = (roomSize: number, columns: number, rows: number): MazeSize => ({ roomSize, columns, rows });
