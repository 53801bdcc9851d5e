/** What connects two places: doors between rooms, and drains that carry liquids off. */
import { Thing, type Passage, type World } from './thing.ts';

/** What the original answers where a portal is named without a point of view (its terminals name it so). */
const NO_VIEW = 'ERROR: SHOULD USE OVERRIDE FOR PORTAL.';

export abstract class Portal extends Thing implements Passage {
  readonly from: Thing;
  readonly to: Thing;
  override portal: { isOpen: boolean; readonly isOpenable: boolean };

  constructor(world: World, kind: string, name: string, isOpen: boolean, from: Thing, to: Thing) {
    super(world, kind, name);
    this.from = from;
    this.to = to;
    this.portal = { isOpen, isOpenable: true };
    this.movable = false;
  }

  get isPassable(): boolean {
    return this.portal.isOpen;
  }

  get openOrClosed(): string {
    return this.portal.isOpen ? 'open' : 'closed';
  }

  /** Where one gets to from a place, or from a place that holds one of the two. */
  leadsTo(place: Thing): Thing | undefined {
    if (place === this.from) return this.to;
    if (place === this.to) return this.from;
    if (this.from.container === place) return this.to;
    if (this.to.container === place) return this.from;
    return undefined;
  }

  override title(_override = ''): string {
    return `door between ${this.from.name} and ${this.to.name}`;
  }

  override referents(): readonly string[] {
    return [NO_VIEW];
  }

  override describe(_detailed: boolean): string {
    return NO_VIEW;
  }

  protected override referentsSeenFrom(place: Thing): readonly string[] {
    const to = this.leadsTo(place);
    if (to !== undefined) return [this.name, `${this.name} to ${to.name}`, `${to.name} ${this.name}`];
    return [
      this.name,
      `${this.name} from ${this.from.name} to ${this.to.name}`,
      `${this.name} from ${this.to.name} to ${this.from.name}`,
    ];
  }

  /** The one name used in generated actions. */
  canonicalReferent(place: Thing): string {
    const to = this.leadsTo(place);
    if (to !== undefined) return `${this.name} to ${to.name}`;
    return `${this.name} from ${this.from.name} to ${this.to.name}`;
  }

  override describeFrom(_detailed: boolean, place: Thing): string | undefined {
    if (this.hidden) return undefined;
    const to = this.leadsTo(place);
    if (to !== undefined) return `A ${this.name} to the ${to.name} (that is ${this.openOrClosed})`;
    return `A ${this.name} that connects the ${this.from.name} to the ${this.to.name} (that is ${this.openOrClosed})`;
  }
}

export class Door extends Portal {
  constructor(world: World, from: Thing, to: Thing) {
    super(world, 'Door', 'door', false, from, to);
  }
}

/** Carries every liquid of what it is in to where it leads, while it is open. */
export class Drain extends Portal {
  constructor(world: World, from: Thing, to: Thing) {
    super(world, 'LiquidDrain', 'drain', true, from, to);
  }

  override tick(): boolean {
    if (this.portal.isOpen) {
      for (const thing of this.from.contents) if (thing.material?.state === 'liquid') this.to.add(thing);
    }
    return super.tick();
  }

  protected override referentsSeenFrom(place: Thing): readonly string[] {
    const holder = this.holderSeenFrom(place);
    return holder === undefined ? [this.name] : [this.name, `${holder.name} ${this.name}`];
  }

  private holderSeenFrom(place: Thing): Thing | undefined {
    if (place === this.from || this.from.container === place) return this.from;
    if (place === this.to || this.to.container === place) return this.to;
    return undefined;
  }

  override describeFrom(_detailed: boolean, _place: Thing): string | undefined {
    return this.hidden ? undefined : `A ${this.name}, which is ${this.openOrClosed}`;
  }
}
