/**
 * The actions the agent may take now, each with the primitive moves it stands for, and what it is told about actions that
 * it may not take. Order and numbers are AgentGym's: "pickup" and "go to" number only what can be reached, so their
 * numbers can differ from those of the description.
 */
import { Move } from '../world/grid.ts';
import type { World } from '../world/world.ts';
import { countUp } from './describe.ts';
import { waysFrom, type Ways } from './path.ts';
import type { Seen, Sight } from './sight.ts';

export interface Choices {
  readonly plans: ReadonlyMap<string, readonly Move[]>;
  readonly refusals: ReadonlyMap<string, string>;
  /** What each action that names a thing is about. */
  readonly targets: ReadonlyMap<string, Seen>;
}

const checkActions = 'check available actions';

export function choicesIn(world: World, sight: Sight): Choices {
  const { maze, carrying } = world;
  const book = new Book();
  const things = sight.things.filter(({ kind }) => kind !== 'wall');
  const ways = waysFrom(maze.x, maze.y, maze.direction, sight.area, sight.things);

  book.allow('turn left', [Move.left]);
  book.allow('turn right', [Move.right]);
  if (!sight.barrier || sight.barrier.ahead > 1) book.allow('move forward', [Move.forward]);
  else book.refuse('move forward', "There is a barrier in front of you, you can't move forward.");

  if (!carrying) {
    const portable = things.filter(({ kind }) => kind !== 'door');
    offerReachable(book, 'pickup', portable, ways, [Move.pickup]);
    book.refuse('drop', 'You cannot drop the object, as you are not carrying anything.');
  } else if (sight.things.some(({ kind, ahead, right }) => ahead === 1 && right === 0 && kind !== 'door')) {
    book.refuse('drop', 'You cannot drop the object, as there is already an object in front of you.');
  } else {
    book.allow('drop', [Move.drop]);
  }

  const doors = things.filter(({ kind }) => kind === 'door');
  offerDoors(book, doors, ways, carrying?.kind === 'key' ? carrying.colour : null);
  offerReachable(book, 'go to', things, ways, []);
  book.allow(checkActions, []);
  return book;
}

class Book implements Choices {
  readonly plans = new Map<string, readonly Move[]>();
  readonly refusals = new Map<string, string>();
  readonly targets = new Map<string, Seen>();

  allow(action: string, plan: readonly Move[], target?: Seen): void {
    this.plans.set(action, plan);
    if (target) this.targets.set(action, target);
  }

  refuse(action: string, reason: string): void {
    this.refusals.set(action, reason);
  }
}

function offerReachable(book: Book, verb: string, things: readonly Seen[], ways: Ways, last: readonly Move[]): void {
  const counts = new Map<string, number>();
  for (const thing of things) {
    const { name, x, y } = thing;
    const way = ways.facing(x, y);
    if (way) {
      book.allow(`${verb} ${name} ${countUp(counts, name)}`, [...way, ...last], thing);
    } else {
      const action = `${verb} ${name} ${(counts.get(name) ?? 0) + 1}`;
      book.refuse(action, `You cannot ${action}, as there is no path leading to it.`);
    }
  }
}

function offerDoors(book: Book, doors: readonly Seen[], ways: Ways, key: string | null): void {
  const counts = new Map<string, number>();
  for (const door of doors) {
    const { name, x, y } = door;
    const number = countUp(counts, name);
    const through = `go through ${name} ${number}`;
    const [colour, state] = name.split(' ');
    if (state === 'open') {
      const way = ways.onto(x, y);
      if (way) book.allow(through, way, door);
      else book.refuse(through, `You cannot ${through}, as there is no path leading to it.`);
      continue;
    }
    const toggle = `toggle and ${through}`;
    if (state === 'locked' && key === null) {
      book.refuse(toggle, `You cannot ${toggle}, as you are not carrying a key.`);
      continue;
    }
    if (state === 'locked' && key !== colour) {
      const reason = 'as the color of the key you are carrying does not match the color of door.';
      book.refuse(toggle, `You cannot ${toggle}, ${reason}`);
      continue;
    }
    const way = ways.facing(x, y);
    if (way) book.allow(toggle, [...way, Move.toggle, Move.forward], door);
    // The original prints its counters where the number should be.
    else book.refuse(toggle, `You cannot toggle and go through ${name} ${printed(counts)}, as there is no path leading to it.`);
    if (way?.length === 0) book.allow('toggle', [Move.toggle], door);
    if (state === 'closed') {
      book.refuse(through, `You cannot ${through}, as it is closed. You should toggle it first.`);
    }
  }
}

/** As Python prints a dictionary. */
function printed(counts: ReadonlyMap<string, number>): string {
  return `{${[...counts].map(([name, count]) => `'${name}': ${count}`).join(', ')}}`;
}
