/** Heat: sources warm or cool what is in them, and things that touch exchange heat, limited by the worse conductor of the two. */
import type { Material } from '../substances/material.ts';
import type { ThermalSource } from '../things/properties.ts';
import type { Thing } from '../things/thing.ts';

/** Share of a difference in temperature that passes in a tick, and the most degrees that do. */
const SHARE = 0.1;
const MOST = 1000;

export function heatBy(source: Thing, heater: ThermalSource, thing: Thing): void {
  if (source.device?.isActivated === false || heater.set === undefined) return;
  const material = thing.material;
  if (material !== undefined && material.temperature < heater.set) approach(material, heater.set);
}

export function coolBy(source: Thing, cooler: ThermalSource, thing: Thing): void {
  if (source.device?.isActivated === false || cooler.set === undefined) return;
  const material = thing.material;
  if (material !== undefined && material.temperature > cooler.set) approach(material, cooler.set);
}

/** Two touching materials; the second sees what the first has become. */
export function exchange(first: Material, second: Material): void {
  const conductivity = Math.min(first.conductivity, second.conductivity);
  first.temperature += bounded((second.temperature - first.temperature) * conductivity * SHARE);
  second.temperature += bounded((first.temperature - second.temperature) * conductivity * SHARE);
}

function approach(material: Material, temperature: number): void {
  material.temperature += bounded((temperature - material.temperature) * SHARE);
}

function bounded(step: number): number {
  return Math.abs(step) > MOST ? MOST * Math.sign(step) : step;
}
