/**
 * Decides what to do next from the full state: which deed of the mission, and what stands in its way. Locked doors call
 * for their key, things in the way are carried aside, the hand is emptied when it is needed. What was begun is finished
 * before the deed goes on, so a thing laid aside is not picked up again too early.
 */
import { at } from '../../../core/at.ts';
import type { Grid } from '../world/grid.ts';
import type { Thing } from '../world/things.ts';
import { DeedVerifier, type Verifier } from '../world/verifier.ts';
import type { Objective } from './approach.ts';
import type { Known } from './known.ts';
import { ahead, cellOf, cheapestRoute, isFree, type Route } from './route.ts';

type Task =
  | { readonly kind: 'deed'; readonly deed: DeedVerifier }
  | { readonly kind: 'unlock'; readonly door: Thing }
  /** Takes a thing out of the way, `way` being the cells that it must not be put onto. */
  | { readonly kind: 'clear'; readonly thing: Thing; readonly from: number; readonly way: readonly number[] };

/** Which cells to face, at what price, and what to do there. */
interface Aim {
  readonly price: (front: number) => number;
  readonly then: Objective['then'];
  readonly needsHand: boolean;
  /** Locked doors of this colour are no way, because the aim is their key. */
  readonly sealed: string;
}

/** Either something to do at once or a task that has to be finished first. */
type Decision = { readonly now: Objective } | { readonly first: Task };

/** How a planner weighs things. What one style makes a mess of, another may solve. */
export interface Style {
  /** Steps that moving a thing out of the way counts for. */
  readonly moving: number;
  /** Steps that leaving a thing beside a door counts for. */
  readonly besideDoor: number;
  /** Start with the second of two deeds that may be done in any order. */
  readonly secondFirst: boolean;
}

const priceOfReserved = 300;

export class Planner {
  private deed: DeedVerifier | null = null;
  private tasks: Task[] = [];
  /** Where the thing in the hand is being taken, so that it is not decided anew at each turn. */
  private spot: { readonly thing: Thing; readonly cell: number } | null = null;

  constructor(
    private readonly world: Known,
    private readonly style: Style,
  ) {}

  /** The next thing to do, or null when nothing leads on. */
  next(): Objective | null {
    const found = pendingDeeds(this.world.verifier);
    const pending = this.style.secondFirst ? found.reverse() : found;
    const order = pending.filter((deed) => deed === this.deed).concat(pending.filter((deed) => deed !== this.deed));
    for (const deed of order) {
      if (deed !== this.deed) this.tasks = [];
      this.deed = deed;
      const objective = this.pursue({ kind: 'deed', deed });
      if (objective) return objective;
    }
    this.deed = null;
    return null;
  }

  private pursue(deed: Task): Objective | null {
    for (let rounds = 0; rounds < 30; rounds++) {
      const task = this.tasks.at(-1) ?? deed;
      if (this.isFinished(task)) {
        this.tasks.pop();
        continue;
      }
      const decision = this.decide(task, this.tasks.at(-2) ?? deed);
      if (!decision) return null;
      if ('now' in decision) return decision.now;
      if (this.tasks.length > 8 || this.tasks.some((other) => isSame(other, decision.first))) return null;
      this.tasks.push(decision.first);
    }
    return null;
  }

  private isFinished(task: Task): boolean {
    if (task.kind === 'unlock') return task.door.state !== 'locked';
    if (task.kind === 'deed') return false;
    return this.world.maze.grid.cells[task.from] !== task.thing && this.world.carrying !== task.thing;
  }

  private decide(task: Task, below: Task): Decision | null {
    const { carrying, maze } = this.world;
    const way = task.kind === 'clear' ? task.way : [];
    if (task.kind === 'clear' && carrying === task.thing) return this.layAside(carrying, below, way);
    const aim = this.aimOf(task);
    const route = aim && this.routeTo(aim);
    if (!route) return null;
    const hindrance = this.hindranceOn(route);
    if (hindrance) return hindrance;
    if (aim.needsHand && carrying) return this.layAside(carrying, task, way);
    const cell = ahead(maze.grid, at(route.states, route.states.length - 1));
    const thing = maze.grid.cells[cell];
    if (aim.then === 'toggle' && thing?.state === 'locked' && !this.holdsKey(thing.colour)) {
      return { first: { kind: 'unlock', door: thing } };
    }
    if (aim.then === 'drop' && thing) return { first: { kind: 'clear', thing, from: cell, way: [cell] } };
    return { now: { cell, then: aim.then } };
  }

  /** The first closed door or thing on a route, and what to do about it. */
  private hindranceOn({ states }: Route): Decision | null {
    const { grid } = this.world.maze;
    const way = states.map(cellOf);
    for (const cell of way) {
      const thing = grid.cells[cell];
      if (!thing || isFree(grid, cell)) continue;
      if (thing.kind !== 'door') return { first: { kind: 'clear', thing, from: cell, way } };
      if (thing.state === 'locked' && !this.holdsKey(thing.colour)) return { first: { kind: 'unlock', door: thing } };
      return { now: { cell, then: 'through' } };
    }
    return null;
  }

  private aimOf(task: Task): Aim | null {
    const { grid } = this.world.maze;
    const { carrying } = this.world;
    const things = (fits: (thing: Thing) => boolean) => (front: number) => {
      const thing = grid.cells[front];
      return thing && fits(thing) ? 0 : Infinity;
    };
    const pickUp = (fits: (thing: Thing) => boolean, sealed = ''): Aim => ({
      price: things(fits),
      then: 'pickup',
      needsHand: true,
      sealed,
    });
    if (task.kind === 'clear') return pickUp((thing) => thing === task.thing);
    if (task.kind === 'unlock') {
      const { door } = task;
      if (!this.holdsKey(door.colour)) return pickUp(({ kind, colour }) => kind === 'key' && colour === door.colour, door.colour);
      const isDeed = this.deed?.deed.do === 'open' && this.deed.what.things.includes(door);
      return { price: things((thing) => thing === door), then: isDeed ? 'toggle' : 'through', needsHand: false, sealed: '' };
    }
    const { deed, what, fixed } = task.deed;
    switch (deed.do) {
      case 'go to':
        return { price: (front) => (this.has(what.cells, front) ? 0 : Infinity), then: 'nothing', needsHand: false, sealed: '' };
      case 'open':
        return { price: (front) => this.priceOfOpening(what.things, front), then: 'toggle', needsHand: false, sealed: '' };
      case 'pick up':
        return pickUp((thing) => thing.portable && what.things.includes(thing));
      case 'put next to':
        if (!carrying || !what.things.includes(carrying)) return pickUp((thing) => thing.portable && what.things.includes(thing));
        return { price: (front) => this.priceOfPutting(fixed?.cells ?? [], front), then: 'drop', needsHand: false, sealed: '' };
    }
  }

  private priceOfOpening(doors: readonly Thing[], front: number): number {
    const door = this.world.maze.grid.cells[front];
    if (!door || door.state === 'open' || !doors.includes(door)) return Infinity;
    return door.state === 'locked' ? this.priceOfKey(door.colour, '') : 0;
  }

  private priceOfPutting(fixed: readonly number[], front: number): number {
    const { grid } = this.world.maze;
    const thing = grid.cells[front];
    if (thing && (!thing.portable || fixed.includes(front))) return Infinity;
    const beside = [1, -1, grid.width, -grid.width].some((step) => this.has(fixed, front + step));
    return beside ? (thing ? this.style.moving : 0) : Infinity;
  }

  private routeTo({ price, sealed }: Aim): Route | null {
    const { maze } = this.world;
    const start = ((maze.y * maze.grid.width + maze.x) << 2) | maze.direction;
    const reserved = reservedDoors(this.world.verifier);
    const keys = new Map<string, number>();
    const enter = (cell: number): number => {
      const thing = maze.grid.cells[cell];
      if (!thing || isFree(maze.grid, cell)) return 1;
      if (thing.kind === 'wall') return Infinity;
      if (thing.kind !== 'door') return this.style.moving;
      const extra = reserved.includes(thing) ? priceOfReserved : 0;
      if (thing.state === 'closed') return 2 + extra;
      if (sealed.includes(thing.colour)) return Infinity;
      const key = keys.get(thing.colour) ?? this.priceOfKey(thing.colour, sealed);
      keys.set(thing.colour, key);
      return 2 + extra + key;
    };
    return cheapestRoute(maze.grid, start, enter, price);
  }

  /** What it costs to get the key of a colour, doors of that colour and of the sealed ones being no way to it. */
  private priceOfKey(colour: string, sealed: string): number {
    if (this.holdsKey(colour)) return 0;
    const { grid } = this.world.maze;
    const isKey = (front: number): boolean => {
      const thing = grid.cells[front];
      return thing?.kind === 'key' && thing.colour === colour;
    };
    const route = this.routeTo({
      price: (front) => (isKey(front) ? 0 : Infinity),
      then: 'pickup',
      needsHand: true,
      sealed: `${sealed} ${colour}`,
    });
    return route ? 10 + 2 * route.cost : Infinity;
  }

  /** Puts what is carried where it hinders least: near, off the way that comes next, not beside a door. */
  private layAside(thing: Thing, next: Task, way: readonly number[]): Decision | null {
    if (this.spot?.thing !== thing || this.world.maze.grid.cells[this.spot.cell]) {
      const cell = this.freeSpot(thing, next, way) ?? this.freeSpot(thing, next, []);
      this.spot = cell === null ? null : { thing, cell };
    }
    return this.spot && { now: { cell: this.spot.cell, then: 'drop' } };
  }

  private freeSpot(thing: Thing, next: Task, way: readonly number[]): number | null {
    const { maze } = this.world;
    const { grid } = maze;
    const aim = this.aimOf(next);
    const before = (aim && this.routeTo(aim))?.cost ?? 0;
    const start = ((maze.y * grid.width + maze.x) << 2) | maze.direction;
    const refused = new Set(way);
    let best: { cell: number; price: number } | null = null;
    for (let tries = 0; tries < 40; tries++) {
      const route = cheapestRoute(
        grid,
        start,
        (cell) => (isFree(grid, cell) ? 1 : Infinity),
        (front) => (grid.cells[front] || refused.has(front) ? Infinity : isBesideDoor(grid, front) ? this.style.besideDoor : 0),
      );
      const last = route?.states.at(-1);
      if (!route || last === undefined || route.cost > (best?.price ?? Infinity)) break;
      const cell = ahead(grid, last);
      grid.cells[cell] = thing;
      const after = aim && this.routeTo(aim);
      grid.cells[cell] = null;
      const price = route.cost + (after ? after.cost - before : 1000);
      if (price < (best?.price ?? Infinity)) best = { cell, price };
      refused.add(cell);
    }
    return best?.cell ?? null;
  }

  /** Is this one of the cells, and known to be? */
  private has(cells: readonly number[], cell: number): boolean {
    return cells.includes(cell) && (this.world.knows?.(cell) ?? true);
  }

  private holdsKey(colour: string): boolean {
    return this.world.carrying?.kind === 'key' && this.world.carrying.colour === colour;
  }
}

/** The deeds that count now. */
export function pendingDeeds(verifier: Verifier): DeedVerifier[] {
  if (verifier instanceof DeedVerifier) return [verifier];
  const { order, first, second, firstDone, secondDone } = verifier;
  if (order === 'and') return [...(firstDone ? [] : pendingDeeds(first)), ...(secondDone ? [] : pendingDeeds(second))];
  const [earlier, later, earlierDone] = order === 'then' ? [first, second, firstDone] : [second, first, secondDone];
  return pendingDeeds(earlierDone ? later : earlier);
}

/** Doors that a later deed wants opened: they must not be opened before, since the text layer cannot close a door. */
function reservedDoors(verifier: Verifier): Thing[] {
  if (verifier instanceof DeedVerifier) return [];
  const { order, first, second, firstDone, secondDone } = verifier;
  if (order === 'and') return [];
  const [later, earlierDone] = order === 'then' ? [second, firstDone] : [first, secondDone];
  if (earlierDone) return [];
  return allDeeds(later).flatMap(({ deed, what }) => (deed.do === 'open' ? what.things : []));
}

function allDeeds(verifier: Verifier): DeedVerifier[] {
  return verifier instanceof DeedVerifier ? [verifier] : [...allDeeds(verifier.first), ...allDeeds(verifier.second)];
}

function isBesideDoor(grid: Grid, cell: number): boolean {
  return [1, -1, grid.width, -grid.width].some((step) => grid.cells[cell + step]?.kind === 'door');
}

function isSame(a: Task, b: Task): boolean {
  if (a.kind === 'unlock') return b.kind === 'unlock' && a.door === b.door;
  return a.kind === 'clear' && b.kind === 'clear' && a.thing === b.thing;
}
