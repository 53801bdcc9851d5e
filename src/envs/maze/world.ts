/**
 * The maze of LMRL-Gym (Abdulhai et al. 2023) as AgentGym serves it, message for message: four moves in a grid of walls, a goal
 * whose position is told. Anything else than a move, or a wall, costs a step. The step after the fiftieth fails.
 */
export type Place = readonly [row: number, column: number];

/** Rows of text: `#` is a wall, anything else is free. The border is wall. */
export interface Maze {
  readonly rows: readonly string[];
  readonly goal: Place;
}

export interface MazeStep {
  readonly observation: string;
  readonly reward: number;
  readonly done: boolean;
}

export const moves = {
  'move left': [0, -1],
  'move right': [0, 1],
  'move up': [-1, 0],
  'move down': [1, 0],
} as const satisfies Record<string, Place>;
export type Move = keyof typeof moves;
export const moveNames = Object.keys(moves) as Move[];

/** AgentGym's one maze, the "double T". */
export const doubleT: Maze = {
  rows: [
    '#############',
    '#     #     #',
    '### ##### ###',
    '### ##### ###',
    '### ##### ###',
    '###       ###',
    '###### ######',
    '###### ######',
    '###### ######',
    '#############',
  ],
  goal: [8, 6],
};

/** Start positions by AgentGym's `game`. The last one is the goal itself: servers refuse it, old recordings play it. */
export const starts: readonly Place[] = [
  ...[1, 2, 3, 4, 5, 7, 8, 9, 10, 11].map((column): Place => [1, column]),
  ...[2, 3, 4].map((row): Place => [row, 3]),
  ...[3, 4, 5, 6].map((column): Place => [5, column]),
  ...[6, 7].map((row): Place => [row, 6]),
  ...[7, 8, 9].map((column): Place => [5, column]),
  ...[4, 3, 2].map((row): Place => [row, 9]),
  [8, 6],
];

const LIMIT = 50;

export class MazeWorld {
  private steps = 0;
  /** Cells that were stood on or felt from beside, as `row,column`. */
  readonly seen = new Set<string>();

  constructor(
    readonly maze: Maze,
    public position: Place,
  ) {
    this.look();
  }

  step(action: string): MazeStep {
    if (this.steps >= LIMIT) return { observation: 'Failure\n', reward: -1, done: true };
    const by = Object.hasOwn(moves, action) ? moves[action as Move] : undefined;
    const next: Place | undefined = by && [this.position[0] + by[0], this.position[1] + by[1]];
    if (next && !isWall(this.maze, next)) this.position = next;
    this.look();
    const { goal } = this.maze;
    if (this.position[0] === goal[0] && this.position[1] === goal[1]) return { observation: 'Success\n', reward: 1, done: true };
    this.steps++;
    return { observation: this.describe(), reward: 0, done: false };
  }

  describe(): string {
    const { goal } = this.maze;
    const [row, column] = this.position;
    const where = `The goal is at position ${goal[0]}, ${goal[1]}. Your current position is at position ${row}, ${column}. `;
    const sides: readonly [Place, string][] = [
      [[row, column + 1], 'to your right'],
      [[row, column - 1], 'to your left'],
      [[row - 1, column], 'above you'],
      [[row + 1, column], 'below you'],
    ];
    const walls = sides.filter(([place]) => isWall(this.maze, place)).map(([, side]) => side);
    if (walls.length === 0) return `${where}There are no walls near you.`;
    return `${where}${walls.length === 1 ? 'There is a wall' : 'There are walls'} ${walls.join(', ')}.`;
  }

  private look(): void {
    const [row, column] = this.position;
    this.seen.add(`${row},${column}`);
    for (const [down, right] of Object.values(moves)) this.seen.add(`${row + down},${column + right}`);
  }
}

export function isWall({ rows }: Maze, [row, column]: Place): boolean {
  return (rows[row]?.[column] ?? '#') === '#';
}
