/** What a variation changes in the house before the task begins: things placed in rooms, and devices broken. */
import type { Thing, World } from '../things/thing.ts';
import { allWithin, everythingInside } from '../things/within.ts';

/** Puts a thing into a room, or into a container there, unless one of that name is there already. */
export interface Placing {
  readonly kind: 'place';
  readonly name: string;
  readonly thing: Thing;
  readonly room: string;
  /** Names of containers to choose from at random; empty for the room itself. */
  readonly containers: readonly string[];
  /** Puts it there even if there is another of that name. */
  readonly force: boolean;
}

export interface Breaking {
  readonly kind: 'break';
  readonly name: string;
  readonly room: string;
}

export type Change = Placing | Breaking;

export interface PlacingOptions {
  /** What counts as being there already; the thing's own name unless given. */
  readonly as?: string;
  readonly containers?: readonly string[];
  readonly force?: boolean;
}

export function place(thing: Thing, room: string, options: PlacingOptions = {}): Placing {
  const { as = thing.name, containers = [], force = false } = options;
  return { kind: 'place', name: as, thing, room, containers, force };
}

export function breakDevice(name: string, room: string): Breaking {
  return { kind: 'break', name, room };
}

export function apply(change: Change, universe: Thing, world: World): void {
  if (change.kind === 'place') placeIn(change, universe, world);
  else breakIn(change, universe);
}

function placeIn({ name, thing, room: roomName, containers, force }: Placing, universe: Thing, world: World): void {
  const room = allWithin(universe).find((candidate) => candidate.name === roomName);
  if (room === undefined) return;
  const there = containers.length === 0 ? [room] : room.contents.filter((container) => containers.includes(container.name));
  if (!force && there.some((holder) => everythingInside(holder).some((inner) => inner.name === name))) return;
  if (containers.length === 0) {
    room.add(thing);
    return;
  }
  const shuffled = world.random.shuffle(everythingInside(room));
  shuffled.find((container) => containers.includes(container.name))?.add(thing);
}

function breakIn({ name, room }: Breaking, universe: Thing): void {
  for (const thing of allWithin(universe)) {
    if (thing.name !== name || thing.device === undefined) continue;
    if (thing.containers.some((container) => container.name === room)) thing.device.isBroken = true;
  }
}
