/** The cells of a level, directions, and the primitive actions. Coordinates grow to the right and downwards. */
import { Thing } from './things.ts';

/** 0 right, 1 down, 2 left, 3 up. */
export type Direction = 0 | 1 | 2 | 3;
export const stepX = [1, 0, -1, 0] as const;
export const stepY = [0, 1, 0, -1] as const;

export const turned = (direction: Direction, by: 1 | 2 | 3): Direction => ((direction + by) & 3) as Direction;

/** The seven actions of MiniGrid; `done` does nothing in these levels. */
export const Move = { left: 0, right: 1, forward: 2, pickup: 3, drop: 4, toggle: 5, done: 6 } as const;
export type Move = (typeof Move)[keyof typeof Move];

export class Grid {
  readonly cells: (Thing | null)[];

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.cells = new Array<Thing | null>(width * height).fill(null);
  }

  at(x: number, y: number): Thing | null {
    return this.cells[y * this.width + x] ?? null;
  }

  set(x: number, y: number, thing: Thing | null): void {
    this.cells[y * this.width + x] = thing;
  }

  /** Puts a thing down and lets it remember where. */
  put(x: number, y: number, thing: Thing): void {
    this.set(x, y, thing);
    thing.x = x;
    thing.y = y;
  }

  inside(x: number, y: number): boolean {
    return x >= 0 && y >= 0 && x < this.width && y < this.height;
  }

  /** Four walls around a rectangle of cells. */
  enclose(left: number, top: number, width: number, height: number): void {
    for (let x = left; x < left + width; x++) {
      this.set(x, top, wall());
      this.set(x, top + height - 1, wall());
    }
    for (let y = top; y < top + height; y++) {
      this.set(left, y, wall());
      this.set(left + width - 1, y, wall());
    }
  }

  /** Row by row, three hexadecimal digits a cell. */
  encode(): string {
    return this.cells.map((thing) => (thing?.code ?? 0x100).toString(16)).join('');
  }
}

function wall(): Thing {
  return new Thing('wall', 'grey');
}
