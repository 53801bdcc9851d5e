/** What water runs from: sinks, the bathtub, the toilet and the fountain. */
import { Material } from '../substances/material.ts';
import { Substance } from '../substances/substance.ts';
import { Container, refill } from './containers.ts';
import { listed } from './listing.ts';
import { Drain } from './portal.ts';
import type { Device, Vessel } from './properties.ts';
import { device, openVessel } from './properties.ts';
import { Thing } from './thing.ts';
import type { World } from './thing.ts';

/** While it is on, fills itself and the open containers in it. */
export class Basin extends Thing {
  override vessel: Vessel = openVessel();
  override device: Device = device(true, false);

  constructor(world: World, kind: 'Sink' | 'Bathtub', drainsTo: Thing) {
    super(world, kind, kind.toLowerCase());
    this.material = new Material(kind === 'Sink' ? 'steel' : 'ceramic');
    this.movable = false;
    this.addPortal(new Drain(world, this, drainsTo));
  }

  override tick(): boolean {
    if (this.device.isActivated) run(this);
    return super.tick();
  }

  override referents(): readonly string[] {
    return [this.name, this.title(), this.kind.toLowerCase()];
  }

  override describe(detailed: boolean): string {
    const title = this.title();
    const power = `a ${title}, which is turned ${this.device.isActivated ? 'on' : 'off'}. `;
    const text = `${power}In the ${title} is: ${listed(this.contents, this)}.`;
    if (!detailed) return text;
    return text + this.portals.map((portal) => ` The ${portal.name} is ${portal.openOrClosed}.`).join('');
  }
}

const FLUSH_TICKS = 5;

export class Toilet extends Thing {
  override vessel: Vessel = openVessel();
  override device: Device = device(true, false);
  private readonly drain: Drain;
  /** Ticks since the flush began; 0 while it does not flush. */
  private stage = 0;

  constructor(world: World, drainsTo: Thing) {
    super(world, 'Toilet', 'toilet');
    this.material = new Material('steel');
    this.movable = false;
    this.drain = new Drain(world, this, drainsTo);
    this.addPortal(this.drain);
    this.add(new Substance(world, 'Water'));
  }

  override tick(): boolean {
    if (this.device.isActivated && this.stage === 0) {
      this.stage = 1;
      this.drain.portal.isOpen = true;
    }
    if (this.stage > 0) {
      run(this);
      this.stage += 1;
      if (this.stage > FLUSH_TICKS) {
        this.device.isActivated = false;
        this.stage = 0;
      }
    }
    if (this.stage === 0) this.drain.portal.isOpen = false;
    return super.tick();
  }

  override referents(): readonly string[] {
    return ['toilet', this.name, this.title()];
  }

  override describe(_detailed: boolean): string {
    const title = this.title();
    const start = `a ${title}${this.stage > 0 ? ', which is flushing' : ''}. `;
    if (this.contents.length === 0) return start;
    return `${start}In the ${title} is: ${listed(this.contentsAndPortals, this)}.`;
  }
}

function run(basin: Thing): void {
  for (const thing of basin.contents) {
    if (thing.vessel?.isContainer === true && thing.vessel.isOpen) refill(thing);
  }
  refill(basin);
}

export class Fountain extends Container {
  constructor(world: World) {
    super(world, 'Fountain', 'fountain', ['fountain']);
    this.material = new Material('ceramic');
  }

  override tick(): boolean {
    refill(this);
    return super.tick();
  }
}
