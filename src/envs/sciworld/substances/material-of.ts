/** What a thing is made of, where it has to be made of something: a temperature that is missing never passes for 0 degrees. */
import type { Thing } from '../things/thing.ts';
import type { Material } from './material.ts';

export function materialOf({ material, name }: Thing): Material {
  if (material === undefined) throw new RangeError(`the ${name} is made of nothing`);
  return material;
}
