/** Fire: what is hot enough burns, heats itself, and leaves ash; liquid water beside it puts it out. */
import { Substance } from '../substances/substance.ts';
import type { Thing } from '../things/thing.ts';
import { byId } from '../things/order.ts';

/** How much hotter than its point of combustion a thing burns. */
const BURNS_HOTTER = 200;
const COOLS_TO_BELOW = 10;

/** Sets a thing on fire and says what happened. */
export function ignite(thing: Thing): string {
  const material = thing.material;
  if (material === undefined) return 'That is not flammable.';
  if (material.burning) return `The ${thing.name} is already on fire.`;
  if (material.fuel <= 0) return `The ${thing.name} is not flammable.`;
  material.burning = true;
  material.burned = true;
  return `The ${thing.name} catches fire.`;
}

export function burn(thing: Thing): void {
  const material = thing.material;
  if (material === undefined) return;
  if (material.temperature >= material.combustion && !material.burning) ignite(thing);
  if (!material.burning || material.fuel <= 0) return;

  material.fuel -= 1;
  material.temperature = Math.max(material.temperature, material.combustion + BURNS_HOTTER);
  if (material.fuel === 0) {
    material.burning = false;
    const ash = new Substance(thing.world, 'Ash');
    ash.material.temperature = material.temperature;
    thing.container?.add(ash);
    thing.delete(true);
  }
  const around = thing.container === undefined ? [] : thing.container.contents;
  const water = byId([...new Set([...thing.contents, ...around])]).find(isLiquidWater);
  if (water?.material === undefined) return;
  water.material.temperature = material.temperature;
  material.burning = false;
  material.temperature = material.combustion - COOLS_TO_BELOW;
}

function isLiquidWater(thing: Thing): boolean {
  return thing.material?.substance === 'water' && thing.material.state === 'liquid';
}
