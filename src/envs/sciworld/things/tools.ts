/** What is used on other things: thermometer, lighter, shovel and axe; and the stopwatch. */
import { chop, dig } from '../processes/digging.ts';
import { ignite } from '../processes/fire.ts';
import { Material } from '../substances/material.ts';
import type { MaterialKind } from '../substances/materials.ts';
import type { Device, UseResult } from './properties.ts';
import { device, noVessel } from './properties.ts';
import { Thing } from './thing.ts';
import { rounded } from '../language/java-strings.ts';
import type { World } from './thing.ts';

abstract class Tool extends Thing {
  override device: Device;

  constructor(world: World, kind: string, name: string, material: MaterialKind) {
    super(world, kind, name);
    this.device = device(false, false, true);
    this.material = new Material(material);
    this.vessel = noVessel();
  }

  override referents(): readonly string[] {
    return [this.kind.toLowerCase(), this.name, this.title()];
  }

  override describe(_detailed: boolean): string {
    return `a ${this.title()}`;
  }
}

export class Thermometer extends Tool {
  constructor(world: World) {
    super(world, 'Thermometer', 'thermometer', 'glass');
  }

  override useOn(patient: Thing): UseResult {
    const text =
      patient.material === undefined
        ? "That thing doesn't appear to have a temperature that the thermometer can read. "
        : `the thermometer measures a temperature of ${reading(patient.material)}`;
    return { done: true, text };
  }

  override describe(_detailed: boolean): string {
    if (this.material === undefined) return `a ${this.title()}`;
    return `a ${this.title()}, currently reading a temperature of ${reading(this.material)}`;
  }
}

function reading(material: Material): string {
  return `${rounded(material.temperature)} degrees celsius`;
}

/** Flame of a lighter, in degrees Celsius, and how much it warms what it cannot set on fire. */
const FLAME = 2200;
const WARMTH = 10;

export class Lighter extends Tool {
  constructor(world: World) {
    super(world, 'Lighter', 'lighter', 'metal');
    this.heater = { limit: FLAME, set: undefined };
  }

  override useOn(patient: Thing): UseResult {
    const material = patient.material;
    if (material === undefined) return { done: true, text: "It's not clear how to use those items together." };
    if (material.combustion <= FLAME) return { done: true, text: ignite(patient) };
    material.temperature += Math.max(0, Math.min(WARMTH, FLAME - material.temperature));
    return { done: true, text: `The lighter heats up the ${patient.name} a small amount.` };
  }
}

export class Shovel extends Tool {
  constructor(world: World) {
    super(world, 'Shovel', 'shovel', 'steel');
  }

  override useOn(patient: Thing): UseResult {
    return dig(patient);
  }
}

export class Axe extends Tool {
  constructor(world: World) {
    super(world, 'Axe', 'axe', 'steel');
  }

  override useOn(patient: Thing): UseResult {
    return chop(patient);
  }

  override describe(_detailed: boolean): string {
    return `an ${this.title()}`;
  }
}

export class StopWatch extends Thing {
  override device: Device = device(true, false);
  private running = 0;
  /** What the watch shows: the time of the last run. */
  time = 0;

  constructor(world: World) {
    super(world, 'StopWatch', 'stopwatch');
    this.vessel = noVessel();
  }

  override tick(): boolean {
    if (this.device.isActivated) {
      this.running += 1;
      this.time = this.running;
    } else {
      this.running = 0;
    }
    return super.tick();
  }

  override referents(): readonly string[] {
    return ['stopwatch', 'watch', 'timer', this.name, this.title()];
  }

  override describe(detailed: boolean): string {
    const text = `a ${this.title()}, which is ${this.device.isActivated ? 'activated' : 'deactivated'}. `;
    return detailed ? `${text}The time reads ${this.time} ticks.` : text;
  }
}
