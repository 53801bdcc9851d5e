/** Flowers make pollen, take pollen of other plants of their kind, wilt, and become fruit. */
import { listed } from '../things/listing.ts';
import { Material } from '../substances/material.ts';
import type { Vessel } from '../things/properties.ts';
import { noVessel, openVessel } from '../things/properties.ts';
import { Thing } from '../things/thing.ts';
import { collapse, trim } from '../language/java-strings.ts';
import type { ChromosomePair } from './genetics.ts';
import { ChromosomePair as Pair } from './genetics.ts';
import type { LivingThing } from './living-thing.ts';

export class Pollen extends Thing {
  readonly plant: LivingThing;

  constructor(plant: LivingThing) {
    super(plant.world, 'Pollen', 'pollen');
    this.plant = plant;
    this.vessel = noVessel();
    this.material = new Material('pollenMatter');
  }

  override referents(): readonly string[] {
    return ['pollen', this.name, `${this.plant.life.species} pollen`, this.title()];
  }

  override describe(detailed: boolean): string {
    return detailed ? this.plant.life.species + this.title() : this.title();
  }
}

/** Ticks from pollination to fruit. */
const RIPENS_AFTER = 5;

export class Flower extends Thing {
  override vessel: Vessel = openVessel();
  private readonly plant: LivingThing;
  /** Ticks since pollination, counted from 1; 0 before it. */
  private ripening = 0;
  private otherParent: ChromosomePair | undefined = undefined;

  constructor(plant: LivingThing) {
    super(plant.world, 'Flower', 'flower');
    this.plant = plant;
    this.material = new Material('flowerMatter');
  }

  override tick(): boolean {
    if (this.ripening > 0) this.ripen();
    else this.awaitPollen();
    return super.tick();
  }

  private ripen(): void {
    this.ripening += 1;
    if (this.ripening <= RIPENS_AFTER || this.container === undefined) return;
    const parents = [this.plant.chromosomes, this.otherParent];
    const fruit = this.world.laws.bearFruit(this.world, this.plant.life.species, parents);
    if (fruit !== undefined) this.container.add(fruit);
    this.delete(true);
  }

  private awaitPollen(): void {
    this.makePollen();
    for (const thing of this.contents) {
      if (thing instanceof Pollen) {
        if (this.pollinate(thing)) return;
      } else {
        for (const carried of thing.contents) if (carried instanceof Pollen && this.pollinate(carried)) return;
      }
    }
  }

  private makePollen(): void {
    const hasOwn = this.contents.some((thing) => thing instanceof Pollen && thing.plant === this.plant);
    if (!hasOwn) this.add(new Pollen(this.plant));
  }

  private pollinate(pollen: Pollen): boolean {
    if (pollen.plant === this.plant || pollen.plant.life.species !== this.plant.life.species) return false;
    pollen.delete();
    this.ripening = 1;
    this.otherParent = pollen.plant.chromosomes ?? new Pair([], []);
    return true;
  }

  override referents(): readonly string[] {
    const plain = ['flower', this.name, this.title()];
    return this.ripening > 0 ? [...plain, ...plain.map((referent) => `wilting ${referent}`)] : plain;
  }

  override describe(detailed: boolean): string {
    const genes = this.plant.chromosomes;
    const traits = [genes?.phenotype('flower size'), genes?.phenotype('flower color')].filter((trait) => trait !== undefined);
    const text = `a ${this.ripening > 0 ? 'wilting ' : ''}${traits.join(' ')} ${this.title()}`;
    const inside = detailed ? `. Inside the flower is: ${listed(this.visible, this)}` : '';
    return trim(collapse(text + inside));
  }
}
