/**
 * Says of some tasks why nobody can solve them in words. Two slips lead there: the text layer can neither open a box nor
 * close a door, and some levels lay a key behind the door it opens. Things in the way count as movable, so what is not
 * named here may still be hard.
 */
import type { Thing } from '../world/things.ts';
import { DeedVerifier, type Verifier } from '../world/verifier.ts';
import type { World } from '../world/world.ts';

/** The reason, or undefined where none is known. Looks at a world that has not been played yet. */
export function whyImpossible(world: World): string | undefined {
  const everywhere = explore(world, null);
  for (const deed of deedsOf(world.verifier)) {
    if (!isWithin(world, everywhere, deed)) return `nothing leads to "${deed.deed.do}": the key that it needs cannot be got`;
  }
  return orders(world.verifier).some((order) => !canBeInOrder(world, order))
    ? 'a door that is to be opened later has to be opened before, and in words no door can be closed again'
    : undefined;
}

interface Order {
  readonly earlier: readonly DeedVerifier[];
  readonly later: readonly DeedVerifier[];
}

function deedsOf(verifier: Verifier): DeedVerifier[] {
  return verifier instanceof DeedVerifier ? [verifier] : [...deedsOf(verifier.first), ...deedsOf(verifier.second)];
}

function orders(verifier: Verifier): Order[] {
  if (verifier instanceof DeedVerifier || verifier.order === 'and') return [];
  const [first, second] = [deedsOf(verifier.first), deedsOf(verifier.second)];
  return [verifier.order === 'then' ? { earlier: first, later: second } : { earlier: second, later: first }];
}

/** Each door to be opened later needs a candidate that the earlier deeds can do without, or that one of them opens. */
function canBeInOrder(world: World, { earlier, later }: Order): boolean {
  return later
    .filter(({ deed }) => deed.do === 'open')
    .every(({ what }) =>
      what.things.some((door) => {
        const without = explore(world, door);
        return earlier.every(
          (deed) => (deed.deed.do === 'open' && deed.what.things.includes(door)) || isWithin(world, without, deed),
        );
      }),
    );
}

/** The cells that can be walked on, things being moved and doors opened, with `shut` staying shut. */
function explore(world: World, shut: Thing | null): Set<number> {
  const { grid, x, y } = world.maze;
  const keys = new Set(world.carrying?.kind === 'key' ? [world.carrying.colour] : []);
  for (;;) {
    const reached = new Set([y * grid.width + x]);
    for (const cell of reached) {
      for (const next of beside(grid.width, cell)) {
        const thing = grid.cells[next];
        if (thing?.kind === 'wall' || (thing === shut && thing !== null)) continue;
        if (thing?.state === 'locked' && !keys.has(thing.colour)) continue;
        reached.add(next);
      }
    }
    const found = [...reached].map((cell) => grid.cells[cell]).filter((thing) => thing?.kind === 'key');
    if (found.every((key) => key && keys.has(key.colour))) return reached;
    for (const key of found) if (key) keys.add(key.colour);
  }
}

function isWithin({ maze, carrying }: World, reached: ReadonlySet<number>, { deed, what, fixed }: DeedVerifier): boolean {
  const { width, cells } = maze.grid;
  const near = (cell: number): boolean => beside(width, cell).some((next) => reached.has(next));
  const has = (fits: (thing: Thing) => boolean): boolean =>
    cells.some((thing, cell) => thing && what.things.includes(thing) && fits(thing) && near(cell));
  switch (deed.do) {
    case 'go to':
      return what.cells.some(near);
    case 'open':
      // A locked door that can be opened was walked through.
      return cells.some(
        (thing, cell) => thing && what.things.includes(thing) && (reached.has(cell) || (thing.state === 'closed' && near(cell))),
      );
    case 'pick up':
      return has((thing) => thing.portable);
    case 'put next to':
      return (
        (has((thing) => thing.portable) || (carrying !== null && what.things.includes(carrying))) &&
        (fixed?.cells.some(near) ?? false)
      );
  }
}

function beside(width: number, cell: number): number[] {
  return [cell + 1, cell - 1, cell + width, cell - width];
}
