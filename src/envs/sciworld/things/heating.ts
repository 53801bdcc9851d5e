/** Stoves, ovens, fridges and freezers: they warm or cool what is in them while they are on. */
import { coolBy, heatBy } from '../processes/heat.ts';
import { lines, listed } from './listing.ts';
import type { Device, ThermalSource, Vessel } from './properties.ts';
import { closedVessel, device, openVessel } from './properties.ts';
import { Thing } from './thing.ts';
import type { World } from './thing.ts';

/** Reached temperatures in degrees Celsius. */
const HEATERS = {
  Stove: { name: 'stove', calls: ['stove'], limit: 260, door: false },
  HotPlate: { name: 'hot plate', calls: ['hot plate'], limit: 260, door: false },
  Oven: { name: 'oven', calls: ['oven'], limit: 540, door: true },
  BlastFurnace: { name: 'blast furnace', calls: ['furnace'], limit: 3000, door: true },
} as const;

const COOLERS = {
  Fridge: { name: 'fridge', calls: ['fridge'], limit: 2 },
  Freezer: { name: 'freezer', calls: ['freezer'], limit: -18 },
  UltraColdFreezer: { name: 'ultra low temperature freezer', calls: ['freezer'], limit: -86 },
} as const;

export class Heater extends Thing {
  override heater: ThermalSource;
  override vessel: Vessel;
  override device: Device = device(true, false);
  private readonly calls: readonly string[];
  private readonly hasDoor: boolean;

  constructor(world: World, kind: keyof typeof HEATERS) {
    const row = HEATERS[kind];
    super(world, kind, row.name);
    this.heater = { limit: row.limit, set: undefined };
    this.vessel = row.door ? closedVessel() : openVessel();
    this.movable = false;
    this.calls = row.calls;
    this.hasDoor = row.door;
  }

  override tick(): boolean {
    this.heater.set = this.device.isActivated ? this.heater.limit : undefined;
    for (const thing of this.contents) heatBy(this, this.heater, thing);
    return super.tick();
  }

  override referents(): readonly string[] {
    return this.hasDoor ? [...this.calls, this.name, this.title()] : [...this.calls, this.name];
  }

  override describe(detailed: boolean): string {
    const power = `, which is turned ${this.device.isActivated ? 'on' : 'off'}. `;
    if (!this.hasDoor) {
      return `a ${this.name}${power}On the ${this.calls[0] ?? ''} is: ${listed(this.contentsAndPortals, this)}.`;
    }
    const title = this.title();
    const door = `a ${title}${power}The ${title} door is ${this.vessel.isOpen ? 'open' : 'closed'}. `;
    if (!this.vessel.isOpen) return door;
    if (detailed) return `${door}In the ${title} is: \n${lines(this.contentsAndPortals, this)}`;
    return `${door}In the ${title} is: ${listed(this.contentsAndPortals, this)}.`;
  }
}

export class Cooler extends Thing {
  override cooler: ThermalSource;
  override vessel: Vessel = closedVessel();
  override device: Device = device(true, true);
  private readonly calls: readonly string[];

  constructor(world: World, kind: keyof typeof COOLERS) {
    const row = COOLERS[kind];
    super(world, kind, row.name);
    this.cooler = { limit: row.limit, set: row.limit };
    this.movable = false;
    this.calls = row.calls;
  }

  override tick(): boolean {
    this.cooler.set = this.device.isActivated ? this.cooler.limit : undefined;
    for (const thing of this.contents) coolBy(this, this.cooler, thing);
    return super.tick();
  }

  override referents(): readonly string[] {
    return [...this.calls, this.name, this.title()];
  }

  override describe(_detailed: boolean): string {
    const title = this.title();
    const power = this.device.isActivated ? '' : ', which is turned off';
    const start = `a ${title}${power}. The ${title} door is ${this.vessel.isOpen ? 'open' : 'closed'}. `;
    if (!this.vessel.isOpen) return start;
    return `${start}In the ${title} is: ${listed(this.contentsAndPortals, this)}.`;
  }
}
