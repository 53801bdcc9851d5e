/** An inclined plane: what is put on it starts at the top and slides down, slower on a rough surface. */
import { Material } from '../substances/material.ts';
import type { MaterialKind } from '../substances/materials.ts';
import type { Vessel } from './properties.ts';
import { openVessel } from './properties.ts';
import { Thing } from './thing.ts';
import { collapse, rounded, trim } from '../language/java-strings.ts';
import type { World } from './thing.ts';

/** Pull per tick; the original keeps it as a 32-bit number. */
const GRAVITY = Math.fround(0.1);
/** From here on a thing counts as being at the top. */
const NEAR_TOP = Math.fround(0.99);
const RADIANS = 0.017453292519943295;

export class InclinedPlane extends Thing {
  override vessel: Vessel = openVessel();
  readonly angle: number;
  readonly surface: Material;
  readonly label: string;
  /** Height of each thing that was put here, by identity: 1 at the top, 0 at the bottom. */
  private readonly heights = new Map<number, number>();

  constructor(world: World, angle: number, surface: MaterialKind = 'defaultFriction', label = '') {
    super(world, 'InclinedPlane', 'inclined plane');
    this.angle = angle;
    this.surface = new Material(surface);
    this.label = label;
    this.material = new Material('steel');
  }

  override add(thing: Thing): void {
    this.heights.set(thing.id, 1);
    super.add(thing);
  }

  heightOf(thing: Thing): number | undefined {
    return this.heights.get(thing.id);
  }

  override tick(): boolean {
    for (const thing of this.visible) this.slide(thing);
    return super.tick();
  }

  private slide(thing: Thing): void {
    const height = this.heights.get(thing.id);
    if (height === undefined) return;
    const state = thing.material?.state;
    if (state === 'liquid') this.heights.set(thing.id, 0);
    else if (state === 'gas') this.heights.set(thing.id, 1);
    else if (height > 0) {
      const pull = GRAVITY * Math.sin(this.angle * RADIANS);
      this.heights.set(thing.id, Math.max(height - pull * (1 - this.surface.friction), 0));
    }
  }

  override title(override = ''): string {
    if (override !== '') return super.title(override);
    const surface = this.surface.kind === 'defaultFriction' ? '' : ` with a ${this.surface.substance} surface`;
    return super.title(trim(collapse(`${this.name} ${this.label} ${surface}`)));
  }

  override referents(): readonly string[] {
    const plain = ['inclined plane', 'plane', this.name, this.title()];
    return this.label === '' ? plain : [...plain, ...plain.map((referent) => `${referent} ${this.label}`)];
  }

  override describe(_detailed: boolean): string {
    const things = this.visible;
    if (things.length === 0) return `an ${this.title()}`;
    const placed = things.map((thing) => ` a ${thing.title()}${position(this.heights.get(thing.id))}`);
    return `an ${this.title()}, with: ${placed.join(',')}`;
  }
}

function position(height: number | undefined): string {
  if (height === undefined) return '';
  if (height === 0) return ' at the bottom of the plane';
  if (height >= NEAR_TOP) return ' at the top of the plane';
  return ` approximately ${rounded(100 - 100 * height)}% down the plane`;
}
