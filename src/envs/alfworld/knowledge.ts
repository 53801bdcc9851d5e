/**
 * What a player knows of a home: the receptacles, what was seen in them, what is held. It learns from the texts alone; an informed
 * player begins with the facts instead of with nothing.
 */
import type { World } from './world/world.ts';

/** `mug 2` is a `mug`. */
export function kindOfName(name: string): string {
  return name.replace(/ \d+$/, '');
}

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

  /** Takes in what came of an action. */
  observe(text: string, action: string): void {
    const room = /^You are in the middle of a room\. .*? you see (.*)\.$/m.exec(text);
    if (room?.[1] !== undefined && this.receptacles.length === 0) this.receptacles = [...new Set(listOf(room[1]))];
    if (text === 'Nothing happens.') {
      // One cannot go to where one is.
      const target = /^go to (.*)$/.exec(action)?.[1];
      if (target !== undefined) this.here.add(target);
      return;
    }
    const [, taken, from] = /^You pick up the (.*) from the (.*)\.$/.exec(text) ?? [];
    if (taken !== undefined && from !== undefined) {
      this.holding = taken;
      this.contents.set(
        from,
        (this.contents.get(from) ?? []).filter((one) => one !== taken),
      );
    }
    const [, put, into] = /^You (?:put|move) the (.*) (?:in\/on|to) the (.*)\.$/.exec(text) ?? [];
    if (put !== undefined && into !== undefined) {
      this.holding = undefined;
      this.contents.set(into, [...(this.contents.get(into) ?? []), put]);
    }
    const changed = /^You (?:clean|heat|cool) the (.*) using the /.exec(text)?.[1];
    if (changed !== undefined) this.changed.add(changed);
    const shut = /^You close the (.*)\.$/.exec(text)?.[1];
    if (shut !== undefined) this.closed.add(shut);
    this.observeReceptacle(text, action);
  }

  private observeReceptacle(text: string, action: string): void {
    const [, open, inside] = /The ([^.]*) is open\. In it, you see (.*)\.$/.exec(text) ?? [];
    const [, top, upon] = /On the ([^,.]*), you see (.*)\.$/.exec(text) ?? [];
    const closed = /The ([^.]*) is closed\.$/.exec(text)?.[1];
    const name = open ?? top ?? closed;
    if (name === undefined) return;
    if (!/^(?:open|examine|close) /.test(action) && !text.startsWith('You open ')) this.here.clear();
    this.here.add(name);
    const place = this.places.get(name);
    if (place !== undefined) for (const [other, at] of this.places) if (at === place) this.here.add(other);
    if (closed !== undefined) this.closed.add(name);
    else {
      this.closed.delete(name);
      this.contents.set(name, listOf(inside ?? upon ?? ''));
    }
  }
}

/** `a mug 2, and a mug 1` → `mug 2`, `mug 1`. */
function listOf(text: string): string[] {
  if (text === 'nothing') return [];
  return text.split(', ').map((part) => part.replace(/^and /, '').replace(/^a /, ''));
}

function numberOf(name: string): number {
  return Number(/\d+$/.exec(name)?.[0] ?? 0);
}
