/** Plants and animals have a life: a species and a cycle of stages. */
import type { LifeTraits } from './traits.ts';
import { Thing } from '../things/thing.ts';
import type { LifeCycle } from './life-cycle.ts';

export abstract class LivingThing extends Thing {
  abstract override life: LifeTraits;
  abstract cycle: LifeCycle;

  get stage(): string {
    return this.cycle.stage.name;
  }
}
