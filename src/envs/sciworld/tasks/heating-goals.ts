/** Optional goals of tasks that heat or cool something. */
import * as around from '../goals/around.ts';
import * as focused from '../goals/focused.ts';
import type { Goal } from '../goals/goal.ts';

const HEATERS = ['stove', 'blast furnace', 'oven', 'hot plate'];

/** Switch on a heater, or light a fire. */
export function startHeating(): readonly Goal[] {
  return [
    ...HEATERS.map((heater) => around.isOn(heater, `activate heater (${heater})`)),
    around.holds('inventory', 'lighter', 'have lighter in inventory'),
    around.holds('fire pit', 'wood', 'move wood into fire pit', { key: 'wood1' }),
    around.burns('wood', 'ignite wood', { key: 'ignite', after: ['wood1'] }),
  ];
}

/** Have the focused thing on a heater; `what` is what the original calls it. */
export function beOnHeater(what: string, after: readonly string[] = []): readonly Goal[] {
  return [...HEATERS, 'fire pit'].map((heater) =>
    focused.beWithin(heater, { description: `have ${what} on heater (${heater})`, after }),
  );
}

export function beInCooler(): readonly Goal[] {
  return ['fridge', 'freezer'].map((cooler) => focused.beWithin(cooler, { description: `have object in cooler (${cooler})` }));
}
