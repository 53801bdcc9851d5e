/** Places: rooms, the outside, and the universe that holds them all. */
import { Substance } from '../substances/substance.ts';
import { lines, portalLines } from '../things/listing.ts';
import { Ground } from '../things/outdoors.ts';
import type { Vessel } from '../things/properties.ts';
import { openVessel } from '../things/properties.ts';
import { Thing } from '../things/thing.ts';
import type { World } from '../things/thing.ts';

export class Location extends Thing {
  override vessel: Vessel = openVessel();

  constructor(world: World, kind: string, name: string) {
    super(world, kind, name);
    this.movable = false;
  }
}

/** Holds every place. */
export class Universe extends Location {
  constructor(world: World) {
    super(world, 'Universe', 'universe');
  }

  override referents(): readonly string[] {
    return ['universe', this.title()];
  }

  override describe(_detailed: boolean): string {
    return `A ${this.title()}. In this Universe, you see: ${lines(this.contentsAndPortals, this)}.`;
  }
}

const AIR_TEMPERATURE = 25;

/** A place with air in it: a room, or the outside, which has ground as well. */
export abstract class Place extends Location {
  protected abstract readonly call: string;
  protected abstract readonly start: string;

  constructor(world: World, kind: string, name: string) {
    super(world, kind, name);
    const air = new Substance(world, 'Air');
    air.material.temperature = AIR_TEMPERATURE;
    this.add(air);
  }

  override referents(): readonly string[] {
    return [this.call, this.name, this.title()];
  }

  override describe(_detailed: boolean): string {
    const [before, after] = this.start.split('|');
    const things = lines(this.contents, this);
    return `${before ?? ''}${this.title()}${after ?? ''}${things}You also see:\n${portalLines(this.portals, this)}`;
  }
}

export class Room extends Place {
  protected override readonly call = 'room';
  protected override readonly start = 'This room is called the |. In it, you see: \n';

  constructor(world: World, name: string) {
    super(world, 'Room', name);
  }
}

export class Outside extends Place {
  protected override readonly call = 'outside';
  protected override readonly start = 'This outside location is called the |. Here you see: \n';

  constructor(world: World) {
    super(world, 'Outside', 'outside');
    this.add(new Ground(world));
  }
}
