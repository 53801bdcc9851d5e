/**
 * The expert's hand: it plays a session of its own with full sight of the world, and keeps the commands that it used. Every command is
 * spelled so that it has one reading; where names are too alike, the number of the right reading follows it.
 */
import type { Location } from '../places/location.ts';
import { Place } from '../places/location.ts';
import type { Simulation } from '../simulation.ts';
import type { Passage } from '../things/thing.ts';
import type { Thing } from '../things/thing.ts';
import { byText } from '../language/java-strings.ts';
import { allWithin } from '../things/within.ts';

/** A command as words and things: `['move', pot, 'to', stove]`. */
export type Command = readonly (string | Thing)[];

/** Commands after which the expert gives up: far more than any task needs. */
const MOST_COMMANDS = 2000;

export class GivesUp extends Error {}

export class Hand {
  readonly commands: string[] = [];

  constructor(
    readonly simulation: Simulation,
    private readonly after: () => void = () => undefined,
  ) {}

  get here(): Thing {
    return this.simulation.agent.container ?? this.simulation.universe;
  }

  get isDone(): boolean {
    return this.simulation.goals.isCompleted || this.simulation.goals.hasFailed;
  }

  /** Types a text as it is. */
  type(text: string): void {
    if (this.commands.length >= MOST_COMMANDS) throw new GivesUp('too many commands');
    this.commands.push(text);
    this.simulation.step(text);
    this.after();
  }

  /** Carries a command out, in the shortest words that mean just these things. */
  do(...command: Command): void {
    if (this.isDone) return;
    const things = command.filter((part) => typeof part !== 'string');
    let numbered: readonly [string, number] | undefined;
    for (const text of this.spellings(command)) {
      const parsed = this.simulation.interpret(text);
      if (parsed.kind === 'action' && same(parsed.reading.things, things)) {
        this.type(text);
        return;
      }
      if (parsed.kind !== 'ambiguous' || numbered !== undefined) continue;
      const at = parsed.readings.findIndex((reading) => same(reading.things, things));
      if (at >= 0) numbered = [text, at];
    }
    if (numbered === undefined) throw new GivesUp(`no words for ${this.spellings(command)[0] ?? ''}`);
    this.type(numbered[0]);
    this.type(String(numbered[1]));
  }

  private spellings(command: Command): readonly string[] {
    return command.reduce<readonly string[]>(
      (texts, part) => {
        const options = typeof part === 'string' ? [part] : this.names(part);
        return texts.flatMap((text) => options.map((option) => (text === '' ? option : `${text} ${option}`)));
      },
      [''],
    );
  }

  /** What a thing can be called, its own name first, then from short to long; a few are enough. */
  private names(thing: Thing): readonly string[] {
    const own = thing.title().toLowerCase();
    const all = [...thing.referentsFrom(this.here)].filter((name) => name !== own && !name.includes('containing'));
    const called = all.filter((name) => name.startsWith(own));
    const rest = all.filter((name) => !name.startsWith(own));
    const short = (names: string[]): string[] => names.sort((a, b) => a.length - b.length || byText(a, b));
    return [own, ...short(called), ...short(rest)].slice(0, 12);
  }

  // --- places ------------------------------------------------------------------------------------------------------------

  place(name: string): Location {
    const found = this.simulation.universe.contents.find((thing) => thing instanceof Place && thing.name === name);
    if (!(found instanceof Place)) throw new GivesUp(`no place ${name}`);
    return found;
  }

  /** The place that a thing is in. */
  placeOf(thing: Thing): Location {
    const found = [thing, ...thing.containers].find((around) => around instanceof Place);
    if (!(found instanceof Place)) throw new GivesUp(`${thing.name} is nowhere`);
    return found;
  }

  /** Goes to a place by the fewest doors, opening those on the way. */
  goTo(place: Thing): void {
    for (const door of this.way(this.here, place)) {
      const to = door.leadsTo(this.here);
      if (to === undefined) throw new GivesUp('lost the way');
      if (!door.isPassable) this.type(`open door to ${to.name}`);
      this.type(`go to ${to.name}`);
    }
  }

  /** Doors between two places. */
  way(from: Thing, to: Thing): readonly Passage[] {
    const reached = new Map<Thing, readonly Passage[]>([[from, []]]);
    for (const [at, doors] of reached) {
      if (at === to) return doors;
      for (const door of at.portals) {
        const next = door.leadsTo(at);
        if (next !== undefined && !reached.has(next)) reached.set(next, [...doors, door]);
      }
    }
    throw new GivesUp(`no way to ${to.name}`);
  }

  // --- things ------------------------------------------------------------------------------------------------------------

  /** All things that show, in whatever they are, the nearest first. */
  things(fits: (thing: Thing) => boolean): readonly Thing[] {
    const found = allWithin(this.simulation.universe).filter((thing) => fits(thing) && this.isSomewhere(thing));
    const distance = (thing: Thing): number => this.way(this.here, this.placeOf(thing)).length;
    return found.sort((a, b) => distance(a) - distance(b) || a.id - b.id);
  }

  find(fits: (thing: Thing) => boolean): Thing {
    const found = this.things(fits)[0];
    if (found === undefined) throw new GivesUp('there is no such thing');
    return found;
  }

  named(name: string): Thing {
    return this.find((thing) => thing.name === name);
  }

  private isSomewhere(thing: Thing): boolean {
    return thing.containers.some((around) => around instanceof Place);
  }

  isCarried(thing: Thing): boolean {
    return thing.containers.includes(this.simulation.agent.inventory);
  }

  /** Goes where a thing is and opens what it is in. */
  reach(thing: Thing): void {
    if (!this.isCarried(thing)) this.goTo(this.placeOf(thing));
    for (const around of [...thing.containers].reverse()) this.open(around);
  }

  open(thing: Thing): void {
    if (thing.vessel?.isClosable === true && !thing.vessel.isOpen) this.do('open', thing);
  }

  switchOn(thing: Thing): void {
    if (thing.device?.isActivable === true && !thing.device.isActivated) this.do('activate', thing);
  }

  pickUp(thing: Thing): void {
    if (thing.container === this.simulation.agent.inventory) return;
    this.reach(thing);
    this.do('pick up', thing);
  }

  /** Puts a solid thing into a container, wherever either is. */
  put(thing: Thing, container: Thing): void {
    this.reach(thing);
    if (!this.isCarried(container) && this.placeOf(container) !== this.here) this.pickUp(thing);
    this.reach(container);
    this.open(container);
    this.do('move', thing, 'to', container);
  }

  focusOn(thing: Thing): void {
    this.reach(thing);
    this.do('focus on', thing);
  }

  /** Waits until something holds, or the task is done. */
  waitUntil(holds: () => boolean, most = 400): void {
    for (let waited = 0; !holds() && !this.isDone; waited++) {
      if (waited > most) throw new GivesUp('waited in vain');
      this.type('wait1');
    }
  }
}

function same(a: readonly Thing[], b: readonly Thing[]): boolean {
  return a.length === b.length && a.every((thing, i) => thing === b[i]);
}
