/** Solid, liquid or gas, by temperature; a change of state can change a thing's name. */
import type { StateOfMatter } from '../substances/material.ts';
import type { Thing } from '../things/thing.ts';

export function settleState(thing: Thing, rename = false): void {
  const material = thing.material;
  if (material === undefined) return;
  let state: StateOfMatter = 'liquid';
  if (material.temperature < material.melting) state = 'solid';
  else if (material.temperature > material.boiling) state = 'gas';
  if (state === material.state && !rename) return;
  material.state = state;
  thing.name = material.names[state] ?? thing.name;
}
