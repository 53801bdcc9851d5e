/** The laws of nature: what a tick does to every thing, in the order of the original. */
import { fruitOf } from '../life/reproduction.ts';
import { conductCurrent } from '../things/electrical.ts';
import type { Thing } from '../things/thing.ts';
import type { Laws } from '../things/world.ts';
import { burn } from './fire.ts';
import { exchange } from './heat.ts';
import { settleState } from './states.ts';

export const LAWS: Laws<Thing> = {
  pass(thing) {
    burn(thing);
    const contents = thing.contents;
    const own = thing.material;
    if (own !== undefined) {
      for (const inner of contents) if (inner.material !== undefined) exchange(own, inner.material);
    }
    const materials = contents.flatMap((inner) => inner.material ?? []);
    materials.forEach((first, i) => {
      for (const second of materials.slice(0, i)) exchange(first, second);
    });
    settleState(thing);
    conductCurrent(thing);
    return contents;
  },
  bearFruit: fruitOf,
};
