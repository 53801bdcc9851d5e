/**
 * What a player knows of a home: the receptacles, what was seen in them, what is held. It learns from the texts alone; an informed
 * player begins with the facts instead of with nothing.
 */
import { kindOfName, listOf, numberOf } from './names.ts';
import { furnitureOf } from './short.ts';
import type { World } from './world/world.ts';

export class Knowledge {
  /** In the order of the first observation, which counts down. */
  receptacles: string[] = [];
  /** What was last seen in each; a receptacle that was not looked into is missing. */
  readonly contents = new Map<string, string[]>();
  readonly closed = new Set<string>();
  /** Receptacles within reach, as far as is known. */
  readonly here = new Set<string>();
  holding: string | undefined;
  /** Objects that were cleaned, heated or cooled. */
  readonly changed = new Set<string>();
  /** Receptacles by standing place, where that is known. */
  private readonly places = new Map<string, string>();

  /** Begins with every fact of the world as it is. */
  static informed(world: World): Knowledge {
    const known = new Knowledge();
    const { game } = world;
    const name = (thing: number): string => game.names[thing] ?? '';
    for (const receptacle of game.receptacles) {
      known.contents.set(name(receptacle), world.inside(receptacle).map(name));
      known.places.set(name(receptacle), game.placesOf.get(receptacle)?.join() ?? '');
      if (world.isOpenable(receptacle) && !world.isOpen(receptacle)) known.closed.add(name(receptacle));
    }
    return known;
  }

  /** Receptacles of a kind, `cabinet 1` first. */
  ofKind(kind: string): string[] {
    return this.receptacles.filter((name) => kindOfName(name) === kind).sort((a, b) => numberOf(a) - numberOf(b));
  }

  /** Where things of a kind were seen. */
  *seen(kind: string): Iterable<{ readonly object: string; readonly receptacle: string }> {
    for (const [receptacle, objects] of this.contents) {
      for (const object of objects) if (kindOfName(object) === kind) yield { object, receptacle };
    }
  }

  /** Takes in what came of an action, in full or short texts. */
  observe(text: string, action: string): void {
    if (this.receptacles.length === 0) this.observeRoom(text);
    if (/^nothing happens\.?$/i.test(text)) {
      // One cannot go to where one is.
      const target = /^go to (.*)$/.exec(action)?.[1];
      if (target !== undefined) this.here.add(target);
      return;
    }
    const taken = /^(?:You pick up the|took) (.*? \d+)/.exec(text)?.[1];
    if (taken !== undefined) {
      this.holding = taken;
      const from = /^take .* from (.*)$/.exec(action)?.[1];
      const places = from === undefined ? [...this.here] : [from];
      for (const place of places)
        this.contents.set(
          place,
          (this.contents.get(place) ?? []).filter((one) => one !== taken),
        );
    }
    const put = /^(?:You (?:put|move) the|put) (.*? \d+)/.exec(text)?.[1];
    if (put !== undefined) {
      this.holding = undefined;
      const into = / (?:in\/on|to) (.*)$/.exec(action)?.[1] ?? [...this.here][0] ?? '';
      this.contents.set(into, [...(this.contents.get(into) ?? []), put]);
    }
    const changed = /^(?:You )?(?:clean|heat|cool) (?:the )?(.*? \d+)/.exec(text)?.[1];
    if (changed !== undefined) this.changed.add(changed);
    const shut = /^You close the (.*)\.$/.exec(text)?.[1];
    if (shut !== undefined) this.closed.add(shut);
    this.observeReceptacle(text, action);
  }

  private observeRoom(text: string): void {
    const full = /^You are in the middle of a room\. .*? you see (.*)\.$/m.exec(text)?.[1];
    const short = /^Room: (.*)$/m.exec(text)?.[1];
    if (full !== undefined) this.receptacles = [...new Set(listOf(full))];
    else if (short !== undefined) this.receptacles = furnitureOf(short);
  }

  private observeReceptacle(text: string, action: string): void {
    const [, open, inside] = /The ([^.]*) is open\. In it, you see (.*)\.$/.exec(text) ?? [];
    const [, top, upon] = /On the ([^,.]*), you see (.*)\.$/.exec(text) ?? [];
    const [, brief, list] = /^([a-z]+ \d+): (.*)$/.exec(text) ?? [];
    const closed = /The ([^.]*) is closed\.$/.exec(text)?.[1] ?? (list === 'closed' ? brief : undefined);
    const name = open ?? top ?? closed ?? brief;
    if (name === undefined) return;
    if (!/^(?:open|examine|close) /.test(action) && !text.startsWith('You open ')) this.here.clear();
    this.here.add(name);
    const place = this.places.get(name);
    if (place !== undefined) for (const [other, at] of this.places) if (at === place) this.here.add(other);
    if (closed !== undefined) this.closed.add(name);
    else {
      this.closed.delete(name);
      this.contents.set(name, listOf(inside ?? upon ?? list ?? ''));
    }
  }
}
