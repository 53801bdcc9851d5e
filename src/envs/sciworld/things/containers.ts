/** Cups, pots, jars and boxes: what substances are kept, carried and mixed in. */
import { Material } from '../substances/material.ts';
import type { MaterialKind } from '../substances/materials.ts';
import { Substance } from '../substances/substance.ts';
import { listed } from './listing.ts';
import type { Vessel } from './properties.ts';
import { closedVessel, openVessel } from './properties.ts';
import { Thing } from './thing.ts';
import { byText } from '../language/java-strings.ts';
import type { World } from './thing.ts';

export class Container extends Thing {
  override vessel: Vessel;
  /** What it is called besides its name. */
  protected readonly calls: readonly string[];

  constructor(world: World, kind: string, name: string, calls: readonly string[], vessel: Vessel = openVessel()) {
    super(world, kind, name);
    this.calls = calls;
    this.vessel = vessel;
  }

  override referents(): readonly string[] {
    return [...this.calls, this.name, this.title()];
  }

  override describe(_detailed: boolean): string {
    const things = this.contentsAndPortals;
    if (things.length === 0) return `an empty ${this.title()}`;
    return `a ${this.title()} (containing ${listed(things, this)})`;
  }
}

/** A container that is also called by what is in it, equal names once: `glass cup containing water`. */
export class Cup extends Container {
  override referents(): readonly string[] {
    const names = [...new Set(this.visible.map((thing) => thing.title()))].sort(byText);
    const containing = ` containing ${names.length === 0 ? 'nothing' : names.join(' and ')}`;
    return super.referents().flatMap((referent) => [referent, referent + containing]);
  }
}

interface CupRow {
  readonly name: string;
  readonly calls: readonly string[];
  readonly material: MaterialKind;
  readonly lid?: true;
}

const CUPS = {
  MetalPot: { name: 'metal pot', calls: ['pot', 'metal pot'], material: 'steel' },
  GlassCup: { name: 'glass cup', calls: ['cup', 'glass cup'], material: 'glass' },
  PlasticCup: { name: 'plastic cup', calls: ['cup', 'plastic cup'], material: 'plastic' },
  WoodCup: { name: 'wood cup', calls: ['cup', 'wood cup'], material: 'wood' },
  TinCup: { name: 'tin cup', calls: ['cup', 'tin cup'], material: 'tin' },
  PaperCup: { name: 'paper cup', calls: ['cup', 'paper cup'], material: 'paper' },
  CeramicCup: { name: 'ceramic cup', calls: ['cup', 'ceramic cup'], material: 'ceramic' },
  WoodBowl: { name: 'bowl', calls: ['bowl', 'wood bowl'], material: 'wood' },
  Jug: { name: 'jug', calls: ['jug'], material: 'plastic' },
  GlassJar: { name: 'glass jar', calls: ['jar', 'glass jar'], material: 'glass', lid: true },
} as const satisfies Readonly<Record<string, CupRow>>;

export type CupKind = keyof typeof CUPS;

export function cup(world: World, kind: CupKind): Cup {
  const row: CupRow = CUPS[kind];
  const made = new Cup(world, kind, row.name, row.calls, row.lid === true ? closedVessel() : openVessel());
  made.material = new Material(row.material);
  return made;
}

const ANY_CUP: readonly CupKind[] = ['MetalPot', 'GlassCup', 'PlasticCup', 'TinCup', 'PaperCup', 'CeramicCup', 'Jug'];

/** A substance in a cup drawn at random, as warm as the substance. */
export function cupOf(world: World, substance: Thing): Cup {
  const draw = world.random.nextInt(ANY_CUP.length);
  // The original makes a wooden cup first and throws it away; it takes three identities.
  cup(world, 'WoodCup');
  const made = cup(world, ANY_CUP[draw] as CupKind);
  if (made.material !== undefined && substance.material !== undefined) {
    made.material.temperature = substance.material.temperature;
  }
  made.add(substance);
  return made;
}

export class FlowerPot extends Cup {
  private readonly watersItself: boolean;

  constructor(world: World, watersItself = false) {
    super(world, watersItself ? 'SelfWateringFlowerPot' : 'FlowerPot', watersItself ? 'self watering flower pot' : 'flower pot', [
      'pot',
      'flower pot',
    ]);
    this.watersItself = watersItself;
    this.material = new Material('ceramic');
  }

  override tick(): boolean {
    if (this.watersItself || this.world.selfWatering) refill(this);
    return super.tick();
  }
}

export class AnswerBox extends Container {
  constructor(world: World, color: string) {
    super(world, 'AnswerBox', `${color} box`, []);
    this.material = new Material('ceramic');
  }
}

export class Sewer extends Container {
  constructor(world: World) {
    super(world, 'Sewer', 'sewer', []);
    this.material = new Material('steel');
  }
}

/** Puts water into a container that has none. */
export function refill(thing: Thing): void {
  if (thing.contentsOfKind('Water').length === 0) thing.add(new Substance(thing.world, 'Water'));
}
