/** The ground, holes in it, soil, and the fire pit. */
import { Material } from '../substances/material.ts';
import { Container } from './containers.ts';
import { listed } from './listing.ts';
import type { Vessel } from './properties.ts';
import { openVessel } from './properties.ts';
import { Thing } from './thing.ts';
import type { World } from './thing.ts';

/** What is put on the ground lies in the place itself after a tick. */
export class Ground extends Thing {
  override vessel: Vessel = openVessel();

  constructor(world: World) {
    super(world, 'Ground', 'ground');
    this.material = new Material('soil');
  }

  override tick(): boolean {
    if (this.container !== undefined) this.moveContentsTo(this.container);
    return super.tick();
  }

  override referents(): readonly string[] {
    return ['ground', this.name, this.title()];
  }

  override describe(_detailed: boolean): string {
    return `the ${this.title()}`;
  }
}

export class Hole extends Container {
  constructor(world: World) {
    super(world, 'Hole', 'hole', ['hole']);
  }

  override describe(_detailed: boolean): string {
    if (this.contents.length === 0) return `a hole ${this.title()}`;
    return `a ${this.title()} (containing ${listed(this.contents, this)})`;
  }
}

export class Soil extends Thing {
  constructor(world: World) {
    super(world, 'Soil', 'soil');
    this.material = new Material('soil');
  }

  override referents(): readonly string[] {
    return ['soil', this.name, this.title()];
  }

  override describe(_detailed: boolean): string {
    return this.title();
  }
}

export function firePit(world: World): Container {
  const made = new Container(world, 'FirePit', 'fire pit', ['fire pit']);
  made.material = new Material('ceramic');
  return made;
}
