/** Parts of circuits. Polarized parts have an anode and a cathode, wires two like terminals; generators drive the current. */
import { Material } from '../substances/material.ts';
import type { Device } from './properties.ts';
import { device } from './properties.ts';
import { Terminal, Thing, VOLTAGE_OF_GENERATORS, VOLTAGE_OF_GROUND } from './thing.ts';
import type { World } from './thing.ts';

export class PolarizedPart extends Thing {
  readonly anode: Terminal;
  readonly cathode: Terminal;
  override device: Device = device(false, false);
  /** What the part is called besides its name. */
  private readonly calls: readonly string[];

  constructor(world: World, kind: string, name: string, calls: readonly string[]) {
    super(world, kind, name, false);
    this.calls = calls;
    this.anode = new Terminal(world, this, 'anode', 'Anode');
    this.cathode = new Terminal(world, this, 'cathode', 'Cathode');
    this.add(this.anode);
    this.add(this.cathode);
  }

  override get isElectricalPart(): boolean {
    return true;
  }

  override get isConnected(): boolean {
    return this.anode.connections.length > 0 || this.cathode.connections.length > 0;
  }

  override otherTerminal(terminal: Thing): Terminal | undefined {
    if (terminal === this.anode) return this.cathode;
    if (terminal === this.cathode) return this.anode;
    return undefined;
  }

  override contactPoints(_hidden: boolean): readonly Terminal[] {
    return [this.anode, this.cathode];
  }

  override disconnect(): void {
    this.anode.release();
    this.cathode.release();
  }

  override tick(): boolean {
    if (this.role === 'user') {
      this.device.isActivated = false;
      if (this.anode.isGrounded() && this.cathode.hasVoltage) {
        this.anode.voltage = VOLTAGE_OF_GENERATORS;
        this.device.isActivated = true;
      }
    }
    return super.tick();
  }

  override referents(): readonly string[] {
    return [...this.calls, this.name, this.title()];
  }

  override describe(detailed: boolean): string {
    const text = `a ${this.title()}${this.showsPower ? `, which is ${this.device.isActivated ? 'on' : 'off'}` : ''}`;
    if (!detailed) return text;
    const anode = `its anode is connected to: ${this.anode.connectedTo()}. `;
    return `${text}. ${anode}its cathode is connected to: ${this.cathode.connectedTo()}. `;
  }

  protected get showsPower(): boolean {
    return true;
  }
}

export function lightBulb(world: World, color: string): PolarizedPart {
  return new PolarizedPart(world, 'LightBulb', `${color} light bulb`, ['light', 'light bulb']);
}

export function electricMotor(world: World): PolarizedPart {
  return new PolarizedPart(world, 'ElectricMotor', 'electric motor', ['motor', 'electric motor']);
}

export function electricBuzzer(world: World): PolarizedPart {
  return new PolarizedPart(world, 'ElectricBuzzer', 'electric buzzer', ['buzzer', 'electric buzzer']);
}

/** Lets the current through only while it is on. */
export class Switch extends PolarizedPart {
  constructor(world: World) {
    super(world, 'Switch', 'switch', ['component']);
    this.role = 'switch';
    this.device = device(true, false);
  }

  override otherTerminal(terminal: Thing): Terminal | undefined {
    return this.device.isActivated ? super.otherTerminal(terminal) : undefined;
  }
}

export class Generator extends PolarizedPart {
  constructor(world: World, kind: string, name: string) {
    super(world, kind, name, ['generator']);
    this.role = 'generator';
    this.device = device(true, false);
  }

  override tick(): boolean {
    this.anode.voltage = this.device.isActivated ? VOLTAGE_OF_GENERATORS : undefined;
    this.cathode.voltage = this.device.isActivated ? VOLTAGE_OF_GROUND : undefined;
    return super.tick();
  }
}

/** Always on, and does not say so. */
export class Battery extends Generator {
  constructor(world: World) {
    super(world, 'Battery', 'battery');
    this.device = device(false, true);
  }

  protected override get showsPower(): boolean {
    return false;
  }
}

export const gasGenerator = (world: World): Generator => new Generator(world, 'GasGenerator', 'gas generator');
export const nuclearGenerator = (world: World): Generator => new Generator(world, 'NuclearGenerator', 'nuclear generator');

const DEEPEST = 10;

/** Runs while nothing but open containers lies between it and the open air. */
class OutdoorGenerator extends Generator {
  constructor(world: World, kind: string, name: string) {
    super(world, kind, name);
    this.device = device(false, false);
  }

  override tick(): boolean {
    this.device.isActivated = this.isOutdoors();
    return super.tick();
  }

  private isOutdoors(): boolean {
    let at = this.container;
    for (let depth = 0; depth < DEEPEST; depth++) {
      if (at === undefined) return false;
      if (at.kind === 'Outside') return true;
      if (at.vessel?.isOpen !== true) return false;
      at = at.container;
    }
    return false;
  }
}

export const solarPanel = (world: World): OutdoorGenerator => new OutdoorGenerator(world, 'SolarPanel', 'solar panel');
export const windGenerator = (world: World): OutdoorGenerator => new OutdoorGenerator(world, 'WindGenerator', 'wind generator');

export class Wire extends Thing {
  override device: Device = device(false, false);

  constructor(world: World) {
    super(world, 'Wire', 'wire');
    this.material = new Material('metal');
    if (this.terminal1 !== undefined) this.terminal1.hidden = false;
    if (this.terminal2 !== undefined) this.terminal2.hidden = false;
  }

  override get isElectricalPart(): boolean {
    return true;
  }

  override contactPoints(_hidden: boolean): readonly Terminal[] {
    return super.contactPoints(true);
  }

  override tick(): boolean {
    this.device.isActivated = false;
    if (conductCurrent(this)) this.device.isActivated = true;
    return super.tick();
  }

  override referents(): readonly string[] {
    return ['component', this.name, this.title()];
  }

  override describe(detailed: boolean): string {
    if (!detailed) return `a ${this.title()}`;
    const first = `its terminal 1 is connected to: ${this.terminal1?.connectedTo() ?? ''}. `;
    return `a ${this.title()}${first}its terminal 2 is connected to: ${this.terminal2?.connectedTo() ?? ''}. `;
  }
}

/** Carries voltage through a thing with two like terminals; says whether current flows. */
export function conductCurrent(thing: Thing): boolean {
  const { terminal1, terminal2 } = thing;
  if (terminal1 === undefined || terminal2 === undefined) return false;
  if (!thing.isElectricalPart && thing.material?.conducts !== true) {
    terminal1.voltage = undefined;
    terminal2.voltage = undefined;
    return false;
  }
  if (thing.role !== 'user') return false;
  if (terminal1.isGrounded() && terminal2.hasVoltage) {
    terminal1.voltage = VOLTAGE_OF_GENERATORS;
    return true;
  }
  if (terminal2.isGrounded() && terminal1.hasVoltage) {
    terminal2.voltage = VOLTAGE_OF_GENERATORS;
    return true;
  }
  return false;
}
