/**
 * What all things of one session share: the random numbers, the counter of identities, the clock and the laws of nature.
 * Two sessions never share a world, so nothing that happens in one can be seen in another.
 */
import { JavaRandom } from '../../../core/random/java.ts';
import type { ChromosomePair } from '../life/genetics.ts';

/** What happens to things as time passes; given to the world so that a thing needs not know every process, nor the world what a thing is. */
export interface Laws<Thing> {
  /** One tick of fire, heat, states of matter and current for a thing; returns the contents, which have their ticks next. */
  pass(thing: Thing): readonly Thing[];
  /** The fruit that a pollinated flower of this kind of plant becomes. */
  bearFruit(world: World<Thing>, plant: string, parents: readonly (ChromosomePair | undefined)[]): Thing | undefined;
}

export class World<Thing> {
  random = new JavaRandom(0);
  /** Ticks passed; a thing that remembers the present number has had its tick. */
  clock = 0;
  /** Simplification: flower pots water themselves. */
  selfWatering = false;
  /** Identities given so far. */
  ids = 0;
  readonly laws: Laws<Thing>;

  constructor(laws: Laws<Thing>) {
    this.laws = laws;
  }

  seed(seed: number): void {
    this.random = new JavaRandom(seed);
  }

  /** Identities count up in order of creation; every listing is ordered by them in the end. */
  nextId(): number {
    return ++this.ids;
  }

  skipIds(count: number): void {
    this.ids += count;
  }

  /** A new world under the same laws. */
  blank(random: JavaRandom): World<Thing> {
    const world = new World(this.laws);
    world.random = random;
    return world;
  }
}
