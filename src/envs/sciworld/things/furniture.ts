/** Tables, seats, shelves and cupboards. */
import { Material } from '../substances/material.ts';
import type { MaterialKind } from '../substances/materials.ts';
import { Container, Cup } from './containers.ts';
import { lines, listed } from './listing.ts';
import type { Vessel } from './properties.ts';
import { closedVessel, openVessel } from './properties.ts';
import { Thing } from './thing.ts';
import type { World } from './thing.ts';

/** Furniture that things lie on: `a table. On the table is: a glass cup.` */
class Surface extends Container {
  override describe(detailed: boolean): string {
    const title = this.title();
    const start = `a ${title}. On the ${title} is: `;
    return detailed ? `${start}\n${lines(this.contents, this)}` : `${start}${listed(this.contents, this)}.`;
  }
}

/** Furniture with a door: its contents show while it is open. */
class Cabinet extends Container {
  override describe(detailed: boolean): string {
    const title = this.title();
    const start = `a ${title}. The ${title} door is ${this.vessel.isOpen ? 'open' : 'closed'}. `;
    if (!this.vessel.isOpen) return start;
    if (detailed) return `${start}In the ${title} is: \n${lines(this.contents, this)}`;
    return `${start}In the ${title} is: ${listed(this.contents, this)}.`;
  }
}

class Drawer extends Container {
  override describe(detailed: boolean): string {
    const title = this.title();
    if (!detailed) return `a ${title}`;
    if (!this.vessel.isOpen) return `a ${title}.  The drawer is closed.`;
    return `a ${title}. In the ${title} is: \n${lines(this.contents, this)}`;
  }
}

class Seat extends Container {
  override describe(_detailed: boolean): string {
    const title = this.title();
    return `a ${title}. On the ${title} is: ${listed(this.contentsAndPortals, this)}.`;
  }
}

class Pillow extends Thing {
  constructor(world: World) {
    super(world, 'Pillow', 'pillow');
    this.material = new Material('cottonCloth');
  }

  override describe(_detailed: boolean): string {
    return `a ${this.material?.color ?? ''} ${this.title()}`;
  }
}

function furnish<T extends Container>(
  make: new (world: World, kind: string, name: string, calls: readonly string[], vessel: Vessel) => T,
  world: World,
  kind: string,
  name: string,
  material: MaterialKind,
  options: { readonly calls?: readonly string[]; readonly door?: true; readonly drawer?: true } = {},
): T {
  const made = new Material(material);
  const calls = options.calls ?? [name, `${made.substance} ${name}`];
  const thing = new make(world, kind, name, calls, options.door === true ? closedVessel() : openVessel());
  thing.material = made;
  if (options.drawer === true) {
    const drawer = furnish(Drawer, world, 'Drawer', 'drawer', 'wood', { calls: ['drawer', 'wood table'], door: true });
    thing.add(drawer);
  }
  return thing;
}

const SEAT_CALLS = (material: MaterialKind): readonly string[] => ['sittable', `${new Material(material).substance} sittable`];

export const woodTable = (world: World): Container => furnish(Surface, world, 'WoodTable', 'table', 'wood');
export const steelTable = (world: World): Container => furnish(Surface, world, 'SteelTable', 'table', 'steel');
export const desk = (world: World): Container => furnish(Surface, world, 'Desk', 'desk', 'wood', { drawer: true });
export const counter = (world: World): Container => furnish(Surface, world, 'Counter', 'counter', 'wood', { drawer: true });
export const cupboard = (world: World): Container =>
  furnish(Cabinet, world, 'Cupboard', 'cupboard', 'wood', { drawer: true, door: true });
export const closet = (world: World): Container => furnish(Cabinet, world, 'Closet', 'closet', 'wood', { door: true });
export const beeHive = (world: World): Container =>
  furnish(Cabinet, world, 'BeeHive', 'bee hive', 'wood', { calls: ['bee hive', 'hive', 'beehive'], door: true });
export const chair = (world: World): Container => furnish(Seat, world, 'Chair', 'chair', 'wood', { calls: SEAT_CALLS('wood') });

export function couch(world: World): Container {
  const made = furnish(Seat, world, 'Couch', 'couch', 'cottonCloth', { calls: SEAT_CALLS('cottonCloth') });
  made.add(new Pillow(world));
  return made;
}

export function bed(world: World): Container {
  const made = furnish(Seat, world, 'Bed', 'bed', 'wood', { calls: SEAT_CALLS('wood') });
  const mattress = furnish(Seat, world, 'Mattress', 'mattress', 'cottonCloth', { calls: SEAT_CALLS('cottonCloth') });
  made.add(mattress);
  mattress.add(new Pillow(world));
  return made;
}

export function bookShelf(world: World): Container {
  return furnish(Cup, world, 'BookShelf', 'book shelf', 'wood', { calls: ['shelf', 'book shelf'] });
}
