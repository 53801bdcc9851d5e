/** What shovel and axe do. */
import { Substance } from '../substances/substance.ts';
import { Hole, Soil } from '../things/outdoors.ts';
import type { UseResult } from '../things/properties.ts';
import type { Thing } from '../things/thing.ts';

export function dig(thing: Thing): UseResult {
  if (thing.kind !== 'Ground') return { done: false, text: "It's not clear how to shovel that." };
  if (thing.container === undefined) {
    return { done: false, text: 'ERROR: The ground does not appear to be in a location.' };
  }
  thing.container.add(new Hole(thing.world));
  thing.container.add(new Soil(thing.world));
  return { done: true, text: 'You dig a hole in the ground, and place the soil nearby.' };
}

/** Trees become wood; devices break. */
export function chop(thing: Thing): UseResult {
  if (thing.tree !== undefined) {
    if (thing.container === undefined) {
      return { done: false, text: `ERROR: The ${thing.name} does not appear to be in a location.` };
    }
    if (thing.tree.isSeed) return { done: true, text: "You can't chop a seed." };
    thing.container.add(new Substance(thing.world, 'Wood'));
    const title = thing.title();
    thing.delete(true);
    return { done: true, text: `You chop down the ${title}, creating wood.` };
  }
  if (thing.device !== undefined) {
    thing.device.isBroken = true;
    return { done: true, text: `You hit the ${thing.name} with the axe, causing it to break.` };
  }
  return { done: false, text: "It's not clear how to use an axe with that." };
}
