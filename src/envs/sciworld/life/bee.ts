/** Bees wander through open doors, visit flowers, and carry pollen from one to the next. */
import { Location } from '../places/location.ts';
import type { Thing, World } from '../things/thing.ts';
import { Animal } from './animals.ts';
import { Flower, Pollen } from './flower.ts';
import { accessible } from '../things/within.ts';

const MOST_POLLEN = 5;

export class Bee extends Animal {
  constructor(world: World, name: string) {
    super(world, 'Bee', { name: 'bee', lifespan: 0.1, cycle: 'forever' });
    this.name = name;
  }

  override tick(): boolean {
    if (this.ticked) return false;
    const here = this.container;
    const coin = this.world.random.nextInt(2);
    if (here instanceof Flower) {
      if (coin === 0) this.collectPollen(here);
      else this.wander(here);
    } else if (here !== undefined) {
      if (coin === 1) this.enterFlower(here);
      else this.wander(here);
    }
    return super.tick();
  }

  private wander(here: Thing): void {
    const ways = here.portals.filter((portal) => portal.isPassable);
    if (ways.length > 0) {
      const way = ways[this.world.random.nextInt(ways.length)];
      way?.leadsTo(here)?.add(this);
      return;
    }
    if (here instanceof Location || here.vessel?.isOpen !== true) return;
    locationAround(here)?.add(this);
  }

  private enterFlower(here: Thing): void {
    const flowers = accessible(here, false).filter((thing) => thing instanceof Flower);
    if (flowers.length > 0) flowers[this.world.random.nextInt(flowers.length)]?.add(this);
  }

  private collectPollen(flower: Flower): void {
    if (this.pollen.length > MOST_POLLEN) return;
    const pollens = flower.contents.filter((thing) => thing instanceof Pollen);
    const pollen = pollens.length === 0 ? undefined : pollens[this.world.random.nextInt(pollens.length)];
    if (pollen !== undefined) this.add(pollen);
  }

  private get pollen(): readonly Thing[] {
    return accessible(this, false).filter((thing) => thing instanceof Pollen);
  }

  override referents(): readonly string[] {
    return ['living thing', 'organism', this.name, this.life.species, this.title()];
  }

  override describe(detailed: boolean): string {
    if (this.life.isDead) return `a dead ${this.title()}`;
    const unwell = this.life.isSickly ? ' (that looks unwell)' : '';
    const covered = detailed && this.pollen.length > 0 ? ', that is covered in pollen' : '';
    return `a ${this.title()}${unwell}${covered}`;
  }
}

/** The place around a container, as far as the containers between are open. */
function locationAround(container: Thing): Location | undefined {
  for (let at = container; at.container !== undefined; at = at.container) {
    if (at.container instanceof Location) return at.container;
    if (at.vessel?.isOpen !== true) return undefined;
  }
  return undefined;
}
