/** How plants grow: from seed to reproduction with water, soil and warmth, or to death without them. */
import { materialOf } from '../substances/material-of.ts';
import type { Thing } from '../things/thing.ts';
import { Flower } from './flower.ts';
import type { LifeStage } from './life-cycle.ts';
import { LifeCycle } from './life-cycle.ts';
import type { LivingThing } from './living-thing.ts';

/** What a stage needs, in ticks: to grow, and to survive without something. */
interface Needs {
  readonly growsAfter: number;
  readonly withoutWater: number;
  readonly withoutSoil: number;
  readonly outOfTemperature: number;
  /** A seedling does not grow while it is dry; a grown plant only once it has been dry for half its limit. */
  readonly thirsty: boolean;
}

const SEED_GROWS_AFTER = 10;
const SEEDLING: Needs = { growsAfter: 10, withoutWater: 20, withoutSoil: 5, outOfTemperature: 5, thirsty: true };
const GROWN: Needs = { growsAfter: 5, withoutWater: 50, withoutSoil: 5, outOfTemperature: 5, thirsty: false };

export function plantCycle(plant: LivingThing): LifeCycle {
  return new LifeCycle([
    seed(plant),
    growing(plant, 'seedling', SEEDLING, (cycle, water) => {
      water?.delete();
      cycle.enter('adult');
    }),
    growing(plant, 'adult', GROWN, (cycle) => cycle.enter('reproducing')),
    growing(plant, 'reproducing', GROWN, () => {
      if (!plant.contents.some((thing) => thing instanceof Flower)) plant.add(new Flower(plant));
    }),
    { name: 'dead', tick: () => decay(plant) },
  ]);
}

function beside(plant: Thing, name: string): Thing | undefined {
  return plant.container?.contents.find((thing) => thing.name === name);
}

function seed(plant: LivingThing): LifeStage {
  let grown = 0;
  return {
    name: 'seed',
    tick(cycle) {
      const water = beside(plant, 'water');
      if (water === undefined || beside(plant, 'soil') === undefined) return;
      grown += 1;
      if (grown < SEED_GROWS_AFTER) return;
      water.delete();
      cycle.enter('seedling');
    },
  };
}

function growing(
  plant: LivingThing,
  name: string,
  needs: Needs,
  grow: (cycle: LifeCycle, water: Thing | undefined) => void,
): LifeStage {
  let grown = 0;
  let dry = 0;
  let bare = 0;
  let outside = 0;
  return {
    name,
    tick(cycle) {
      let stressed = false;
      let sickly = false;

      const water = beside(plant, 'water');
      if (water !== undefined) {
        dry = 0;
        // Grown plants drink at every tick.
        if (!needs.thirsty) water.delete();
      } else {
        dry += 1;
        const long = dry >= needs.withoutWater / 2;
        stressed = needs.thirsty || long;
        sickly = long;
        if (dry >= needs.withoutWater) cycle.enter('dead');
      }

      if (beside(plant, 'soil') !== undefined) {
        bare = 0;
      } else {
        stressed = true;
        bare += 1;
        if (bare >= Math.floor(needs.withoutSoil / 2)) sickly = true;
        if (bare >= needs.withoutSoil) cycle.enter('dead');
      }

      const { temperature } = materialOf(plant);
      if (temperature >= plant.life.hottest || temperature <= plant.life.coldest) {
        outside += 1;
        sickly = true;
        if (outside >= needs.outOfTemperature) cycle.enter('dead');
      } else {
        outside = 0;
      }

      plant.life.isSickly = sickly;
      if (stressed) return;
      grown += 1;
      if (grown < needs.growsAfter) return;
      grown = name === 'reproducing' ? 0 : grown;
      grow(cycle, water);
    },
  };
}

/** A dead plant drops what it bears; its flowers fall apart. */
function decay(plant: LivingThing): void {
  plant.life.isDead = true;
  const place = plant.container;
  if (place === undefined) return;
  for (const thing of plant.contents) {
    if (thing instanceof Flower) {
      thing.moveContentsTo(place);
      thing.delete();
    } else {
      place.add(thing);
    }
  }
}
