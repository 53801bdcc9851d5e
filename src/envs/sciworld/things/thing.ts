/**
 * A thing of ScienceWorld: it has a name, may contain other things, and carries the properties that the processes act on.
 * Containers keep their contents ordered by identity. Terminals, the points of contact of a circuit, are things on things.
 */
import type { ChromosomePair } from '../life/genetics.ts';
import type { LifeTraits } from '../life/traits.ts';
import type { Material } from '../substances/material.ts';
import { byId, inserted } from './order.ts';
import type { Device, ElectricalRole, PortalState, ThermalSource, UseResult, Vessel } from './properties.ts';
import { trim, withoutArticles } from '../language/java-strings.ts';
import type { World as WorldOf } from './world.ts';

export type World = WorldOf<Thing>;

/** A way out of a place, as things see it: doors and drains (portal.ts). */
export interface Passage extends Thing {
  readonly from: Thing;
  readonly to: Thing;
  readonly isPassable: boolean;
  readonly openOrClosed: string;
  leadsTo(place: Thing): Thing | undefined;
  canonicalReferent(place: Thing): string;
}

const NOTHING: readonly Thing[] = [];
const NO_PORTALS: readonly Passage[] = [];

export class Thing {
  // Declared here and set in the constructor: thousands of things are made for a session, and fields with initializers cost
  // several times as much.
  declare readonly world: World;
  declare readonly id: number;
  /** Name of the kind in the original's table of types (`GlassCup`). */
  declare readonly kind: string;
  declare name: string;
  declare type: string;
  declare deleted: boolean;
  declare hidden: boolean;

  declare container: Thing | undefined;
  /** Ordered by identity; replaced, never changed in place, so that a loop over it sees what was there at its start. */
  declare contents: readonly Thing[];
  declare portals: readonly Passage[];

  declare readonly terminal1: Terminal | undefined;
  declare readonly terminal2: Terminal | undefined;
  declare role: ElectricalRole;

  declare material: Material | undefined;
  declare edible: boolean | undefined;
  declare vessel: Vessel | undefined;
  declare device: Device | undefined;
  declare heater: ThermalSource | undefined;
  declare cooler: ThermalSource | undefined;
  declare portal: PortalState | undefined;
  declare movable: boolean;
  declare life: LifeTraits | undefined;
  declare chromosomes: ChromosomePair | undefined;

  declare private tickedAt: number;

  constructor(world: World, kind: string, name = '', hasTerminals = true) {
    this.world = world;
    this.kind = kind;
    this.name = name;
    this.type = '';
    this.deleted = false;
    this.hidden = false;
    this.container = undefined;
    this.portals = NO_PORTALS;
    this.role = 'user';
    this.material = undefined;
    this.edible = undefined;
    this.vessel = undefined;
    this.device = undefined;
    this.heater = undefined;
    this.cooler = undefined;
    this.portal = undefined;
    this.movable = true;
    this.life = undefined;
    this.chromosomes = undefined;
    this.tickedAt = -1;
    this.terminal1 = hasTerminals ? hiddenTerminal(world, this, 'terminal 1') : undefined;
    this.terminal2 = hasTerminals ? hiddenTerminal(world, this, 'terminal 2') : undefined;
    this.contents = this.terminal1 === undefined || this.terminal2 === undefined ? NOTHING : [this.terminal1, this.terminal2];
    // After the terminals': a thing comes after its parts.
    this.id = world.nextId();
  }

  // --- containment -------------------------------------------------------------------------------------------------------

  add(thing: Thing): void {
    if (thing === this) return;
    thing.leave();
    this.contents = inserted(this.contents, thing);
    thing.container = this;
  }

  /** Takes this thing out of what it is in. */
  leave(): void {
    const from = this.container;
    if (from === undefined) return;
    from.contents = from.contents.filter((other) => other !== this);
    this.container = undefined;
  }

  addPortal(portal: Passage): void {
    this.portals = inserted(this.portals, portal);
  }

  /** Contents that are not hidden: what one sees. */
  get visible(): readonly Thing[] {
    return this.contents.filter((thing) => !thing.hidden);
  }

  get contentsAndPortals(): readonly Thing[] {
    return this.portals.length === 0 ? this.contents : byId([...this.contents, ...this.portals]);
  }

  contentsOfKind(kind: string): readonly Thing[] {
    return this.contents.filter((thing) => thing.kind === kind);
  }

  /** Terminals that can be reached: electrical parts show theirs, other things only when hidden ones count. */
  contactPoints(hidden: boolean): readonly Terminal[] {
    if (!hidden || this.terminal1 === undefined || this.terminal2 === undefined) return [];
    return [this.terminal1, this.terminal2];
  }

  /** The containers around this thing, from the inside out. */
  get containers(): readonly Thing[] {
    const out: Thing[] = [];
    for (let at = this.container; at !== undefined; at = at.container) out.push(at);
    return out;
  }

  moveContentsTo(other: Thing): void {
    for (const thing of this.contents) other.add(thing);
  }

  /** Removes the thing from the simulation, leaving its contents behind if asked. */
  delete(expelContents = false): void {
    if (expelContents && this.container !== undefined) this.moveContentsTo(this.container);
    this.disconnect();
    this.leave();
    this.name += ' (deleted)';
    this.deleted = true;
  }

  // --- electricity -------------------------------------------------------------------------------------------------------

  /** Parts made for circuits conduct by themselves; other things do if their material does. */
  get isElectricalPart(): boolean {
    return false;
  }

  get isConnected(): boolean {
    return (this.terminal1?.connections.length ?? 0) > 0 || (this.terminal2?.connections.length ?? 0) > 0;
  }

  otherTerminal(terminal: Thing): Terminal | undefined {
    if (terminal === this.terminal1) return this.terminal2;
    if (terminal === this.terminal2) return this.terminal1;
    return undefined;
  }

  get freeTerminal(): Terminal | undefined {
    if (this.terminal1?.connections.length === 0) return this.terminal1;
    if (this.terminal2?.connections.length === 0) return this.terminal2;
    return undefined;
  }

  disconnect(): void {
    this.terminal1?.release();
    this.terminal2?.release();
  }

  // --- trees, devices and fire --------------------------------------------------------------------------------------------------

  /** Using this thing on another; most things cannot be used. */
  useOn(_patient: Thing): UseResult {
    return { done: false, text: '' };
  }

  /** Set for what an axe can fell. */
  get tree(): { readonly isSeed: boolean } | undefined {
    return undefined;
  }

  // --- time --------------------------------------------------------------------------------------------------------------

  /** One tick for this thing, what it contains, and its portals. A thing has at most one per tick of the world. */
  tick(): boolean {
    if (this.ticked) return false;
    const contents = this.world.laws.pass(this);
    for (const thing of contents) thing.tick();
    for (const portal of this.portals) portal.tick();
    this.tickedAt = this.world.clock;
    return true;
  }

  get ticked(): boolean {
    return this.tickedAt === this.world.clock;
  }

  // --- words -------------------------------------------------------------------------------------------------------------

  /** The name with what fire did to the thing; `override` replaces the name. */
  title(override = ''): string {
    const name = override === '' ? this.name : override;
    if (this.material === undefined) return name;
    if (this.material.burning) return `${name} (on fire)`;
    return this.material.burned ? `burned ${name}` : name;
  }

  /** What the thing can be called. */
  referents(): readonly string[] {
    return ['object', this.name, this.title()];
  }

  /** What the thing can be called from where the agent stands, also as "in" and "on" what holds it. Lower case, no duplicates. */
  referentsFrom(place: Thing): ReadonlySet<string> {
    const out = new Set<string>();
    const holders = this.container?.referents() ?? [];
    for (const referent of this.referentsSeenFrom(place)) {
      if (trim(referent).length === 0) continue;
      out.add(referent.toLowerCase());
      for (const holder of holders) {
        out.add(`${referent} in ${holder}`.toLowerCase());
        out.add(`${referent} on ${holder}`.toLowerCase());
      }
    }
    for (const referent of out) if (referent.length <= 1) out.delete(referent);
    return out;
  }

  /** Equal keys mean equal `referentsFrom`. */
  referentsKey(place: Thing): string {
    return `${this.referentsSeenFrom(place).join('\n')}\t${this.container?.referents().join('\n') ?? ''}`;
  }

  /** Portals are called differently from either side. */
  protected referentsSeenFrom(_place: Thing): readonly string[] {
    return this.referents();
  }

  /** Whether a text without articles can name the thing: it must contain one of the referents. */
  mayBeNamedIn(text: string, place: Thing): boolean {
    return this.referentsSeenFrom(place).some((referent) => text.includes(withoutArticles(referent.toLowerCase())));
  }

  describe(_detailed: boolean): string {
    return `An object, called ${this.title()}, of type ${this.type}`;
  }

  /** The description, or undefined for hidden things. Portals need the place they are seen from. */
  describeFrom(detailed: boolean, _place: Thing): string | undefined {
    return this.hidden ? undefined : this.describe(detailed);
  }
}

function hiddenTerminal(world: World, part: Thing, name: string): Terminal {
  const terminal = new Terminal(world, part, name);
  terminal.hidden = true;
  terminal.container = part;
  return terminal;
}

const NO_TERMINALS: readonly Terminal[] = [];

/** Most connections of one terminal. */
const MOST_CONNECTIONS = 1;
const LONGEST_PATH = 10;

export const VOLTAGE_OF_GENERATORS = 9;
export const VOLTAGE_OF_GROUND = 0;

export class Terminal extends Thing {
  declare readonly part: Thing;
  declare connections: readonly Terminal[];
  declare voltage: number | undefined;

  constructor(world: World, part: Thing, name: string, kind = 'Terminal') {
    super(world, kind, name, false);
    this.part = part;
    this.connections = NO_TERMINALS;
    this.voltage = undefined;
    this.movable = false;
  }

  get isFull(): boolean {
    return this.connections.length >= MOST_CONNECTIONS;
  }

  connect(other: Terminal): void {
    if (!this.isFull) this.connections = inserted(this.connections, other);
  }

  release(): void {
    const others = this.connections;
    this.connections = NO_TERMINALS;
    for (const other of others) other.connections = other.connections.filter((terminal) => terminal !== this);
  }

  get hasVoltage(): boolean {
    return this.connections.some((other) => other.voltage === VOLTAGE_OF_GENERATORS);
  }

  /** Whether a path leads from here to the ground of a generator. */
  isGrounded(steps = LONGEST_PATH): boolean {
    for (const other of this.connections) {
      const part = other.part;
      if (part.role === 'generator') return other.voltage === VOLTAGE_OF_GROUND;
      if (!part.isElectricalPart && part.material?.conducts !== true) return false;
      const onward = part.otherTerminal(other);
      if (onward === undefined) return false;
      if (steps > 0 && onward.isGrounded(steps - 1)) return true;
    }
    return false;
  }

  override referents(): readonly string[] {
    const on = ` on ${this.part.name}`;
    return ['terminal', this.name, this.name + on, `${this.part.name} ${this.name}`, this.title(), this.title() + on];
  }

  override mayBeNamedIn(text: string, place: Thing): boolean {
    return (text.includes('terminal') || text.includes(this.name)) && super.mayBeNamedIn(text, place);
  }

  override describe(detailed: boolean): string {
    if (detailed) return `a ${this.title()}.  it is connected to: ${this.connectedTo()}. `;
    return `a ${this.title()} on ${this.part.name}`;
  }

  connectedTo(): string {
    if (this.connections.length === 0) return 'nothing';
    return this.connections.map((other) => other.describe(false)).join(', ');
  }
}
