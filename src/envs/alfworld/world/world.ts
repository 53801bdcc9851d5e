/**
 * The rules of ALFWorld: what can be done now, what it changes, and what the player is told. Facts follow the original to its
 * oddities: an object may lie in two receptacles, `look` away from furniture sees nothing, and what was once taken from a
 * receptacle is listed next to it when it is put down at the same place.
 */
import { appliances, marks, type Change } from './change.ts';
import type { Game } from './game.ts';
import { listed, wordings, type Edition, type Wording } from './wording.ts';

/** A command that can be given now. */
export interface Command {
  readonly text: string;
  /** Makes the change and says what the player is told. */
  run(): string;
}

export class World {
  /** Objects in a receptacle, by id. */
  private readonly contents = new Map<number, number[]>();
  private readonly places = new Map<number, number[]>();
  private readonly opened: Set<number>;
  /** Properties that actions set: isclean, ishot, iscool, issliced, istoggled, ison, checked. */
  private readonly marked = new Map<string, Set<number>>();
  /** Pairs of an object and a receptacle it was taken from and not put back into. */
  private readonly takenFrom = new Map<number, Set<number>>();
  private readonly wording: Wording;
  private commandsNow: ReadonlyMap<string, Command> | undefined;
  place: number;
  held: number | undefined;

  constructor(
    readonly game: Game,
    edition: Edition,
  ) {
    this.wording = wordings[edition];
    this.place = game.agentPlace;
    const start = (predicate: string) => game.start.get(predicate) ?? [];
    for (const [object, receptacle] of start('inreceptacle')) added(this.contents, receptacle, object);
    for (const [object, place] of start('objectatlocation')) added(this.places, object, place);
    this.opened = new Set(start('opened').map(([receptacle]) => receptacle));
    for (const mark of ['isclean', 'ishot', 'iscool', 'issliced', 'istoggled', 'ison', 'checked']) {
      this.marked.set(mark, new Set(start(mark).map(([object]) => object)));
    }
    this.held = start('holds')[0]?.[1];
  }

  /** The first text: where the player is, and the task. */
  get intro(): string {
    const facing =
      this.here.length > 0 ? this.look() : this.middle(this.game.receptacles.flatMap((one) => this.timesPlaced(one)));
    return `-= Welcome to TextWorld, ALFRED! =-\n\n${facing}\n\nYour task is to: ${this.game.goalSentence}`;
  }

  /** What can be done now, as the original lists it: sorted, without repetition. */
  get commands(): readonly string[] {
    return [...this.possible().keys()].sort();
  }

  get won(): boolean {
    return this.game.isWon(this);
  }

  /** Does the command; anything that cannot be done now changes nothing. */
  step(command: string): string {
    const found = this.possible().get(command);
    if (!found) return 'Nothing happens.';
    const told = found.run();
    this.commandsNow = undefined;
    return told;
  }

  isOpen(receptacle: number): boolean {
    return this.opened.has(receptacle);
  }

  isOpenable(receptacle: number): boolean {
    return this.game.held('openable', receptacle);
  }

  has(mark: string, object: number): boolean {
    return this.marked.get(mark)?.has(object) ?? false;
  }

  /** What is in or on a receptacle, seen or not. */
  inside(receptacle: number): readonly number[] {
    return this.contents.get(receptacle) ?? [];
  }

  /** Receptacles at the player's place. */
  get here(): readonly number[] {
    return this.game.standingAt.get(this.place) ?? [];
  }

  /** Is a fact true now? Things are numbers of the game. */
  holds(predicate: string, first: number, second: number): boolean {
    switch (predicate) {
      case 'atlocation':
        return second === this.place;
      case 'holds':
        return second === this.held;
      case 'holdsany':
        return this.held !== undefined;
      case 'opened':
        return this.opened.has(first);
      case 'inreceptacle':
        return this.contents.get(second)?.includes(first) ?? false;
      case 'objectatlocation':
        return this.places.get(first)?.includes(second) ?? false;
      default:
        return this.marked.get(predicate)?.has(first) ?? this.game.held(predicate, first, second);
    }
  }

  private possible(): ReadonlyMap<string, Command> {
    this.commandsNow ??= new Map([...this.possibleNow()].reverse().map((command) => [command.text, command]));
    return this.commandsNow;
  }

  private *possibleNow(): Iterable<Command> {
    const { game, wording, here, held } = this;
    const name = (thing: number): string => game.names[thing] ?? '';
    yield { text: 'look', run: () => this.look() };
    yield {
      text: 'inventory',
      run: () => (held === undefined ? 'You are not carrying anything.' : `You are carrying: a ${name(held)}.`),
    };
    const { help } = wording;
    if (help !== undefined) yield { text: 'help', run: () => help };
    for (const receptacle of game.receptacles) {
      for (const place of game.placesOf.get(receptacle) ?? []) {
        if (place !== this.place) yield { text: `go to ${name(receptacle)}`, run: () => this.goTo(receptacle, place) };
      }
    }
    for (const receptacle of here) {
      yield { text: `examine ${name(receptacle)}`, run: () => this.check(receptacle) };
      if (this.isOpenable(receptacle)) {
        if (this.isOpen(receptacle)) yield { text: `close ${name(receptacle)}`, run: () => this.close(receptacle) };
        else yield { text: `open ${name(receptacle)}`, run: () => this.open(receptacle) };
      }
      for (const object of this.inside(receptacle)) {
        if (game.held('toggleable', object)) yield { text: `use ${name(object)}`, run: () => this.use(object) };
        if (held === undefined && this.isReachable(receptacle) && game.held('pickupable', object)) {
          yield { text: `take ${name(object)} from ${name(receptacle)}`, run: () => this.take(object, receptacle) };
        }
      }
    }
    if (held !== undefined) yield* this.withHeld(held, name);
  }

  private *withHeld(held: number, name: (thing: number) => string): Iterable<Command> {
    const { game, wording, here } = this;
    yield { text: `examine ${name(held)}`, run: () => this.describe(held) };
    for (const receptacle of here) {
      if (this.isReachable(receptacle) && game.fits(receptacle, held)) {
        yield { text: wording.put(name(held), name(receptacle)), run: () => this.put(held, receptacle) };
      }
      const changing = (verb: Change, types: readonly string[]): Command[] => {
        if (!game.held(`${verb}able`, held) || !types.some((type) => game.isOf(receptacle, type))) return [];
        return [{ text: `${verb} ${name(held)} with ${name(receptacle)}`, run: () => this.change(verb, held, receptacle) }];
      };
      yield* changing('clean', wording.cleaning);
      yield* changing('heat', [`${appliances.heat}type`]);
      yield* changing('cool', [`${appliances.cool}type`]);
    }
    if (!game.isOf(held, 'knifetype') && !game.isOf(held, 'butterknifetype')) return;
    for (const [object] of game.start.get('sliceable') ?? []) {
      if (!this.places.get(object)?.includes(this.place)) continue;
      yield { text: `slice ${name(object)} with ${name(held)}`, run: () => this.slice(object, held) };
    }
  }

  private isReachable(receptacle: number): boolean {
    return !this.isOpenable(receptacle) || this.isOpen(receptacle);
  }

  private goTo(receptacle: number, place: number): string {
    this.place = place;
    const { names } = this.game;
    return this.wording.arrived(names[place] ?? '', names[receptacle] ?? '') + this.show(receptacle);
  }

  private open(receptacle: number): string {
    this.opened.add(receptacle);
    return `You open the ${this.game.names[receptacle] ?? ''}. ${this.check(receptacle)}`;
  }

  private close(receptacle: number): string {
    this.opened.delete(receptacle);
    return `You close the ${this.game.names[receptacle] ?? ''}.`;
  }

  private take(object: number, receptacle: number): string {
    const { names } = this.game;
    removed(this.contents, receptacle, object);
    removed(this.places, object, this.place);
    this.taken(object).add(receptacle);
    this.held = object;
    return `You pick up the ${names[object] ?? ''} from the ${names[receptacle] ?? ''}.`;
  }

  private put(object: number, receptacle: number): string {
    const { names } = this.game;
    added(this.contents, receptacle, object);
    added(this.places, object, this.place);
    this.taken(object).delete(receptacle);
    this.held = undefined;
    return this.wording.putDone(names[object] ?? '', names[receptacle] ?? '');
  }

  private change(verb: Change, object: number, receptacle: number): string {
    const { names } = this.game;
    this.marked.get(marks[verb])?.add(object);
    if (verb !== 'clean') this.marked.get(verb === 'heat' ? 'iscool' : 'ishot')?.delete(object);
    return `You ${verb} the ${names[object] ?? ''} using the ${names[receptacle] ?? ''}.`;
  }

  private use(object: number): string {
    this.marked.get('istoggled')?.add(object);
    const on = this.marked.get('ison');
    if (on?.delete(object) === false) on.add(object);
    return `You turn on the ${this.game.names[object] ?? ''}.`;
  }

  private slice(object: number, knife: number): string {
    const { names } = this.game;
    this.marked.get('issliced')?.add(object);
    return `You sliced the ${names[object] ?? ''} with the ${names[knife] ?? ''}.`;
  }

  private taken(object: number): Set<number> {
    let from = this.takenFrom.get(object);
    if (!from) this.takenFrom.set(object, (from = new Set()));
    return from;
  }

  private check(receptacle: number): string {
    this.marked.get('checked')?.add(receptacle);
    return this.show(receptacle);
  }

  /** What is told of a receptacle. Arriving shows it without having checked it. */
  private show(receptacle: number): string {
    const name = this.game.names[receptacle] ?? '';
    if (!this.isReachable(receptacle)) return `The ${name} is closed.`;
    const seen = this.withArticle(this.inside(receptacle));
    return this.isOpenable(receptacle) ? `The ${name} is open. In it, you see ${seen}.` : `On the ${name}, you see ${seen}.`;
  }

  private describe(object: number): string {
    const { game } = this;
    const name = game.names[object] ?? '';
    if (game.held('isreceptacleobject', object)) {
      const within = (game.start.get('inreceptacleobject') ?? []).filter(([, outer]) => outer === object);
      return `This is a normal ${name}. In it, you see ${this.withArticle(within.map(([inner]) => inner))}.`;
    }
    const [clean, hot, cool, sliced] = ['isclean', 'ishot', 'iscool', 'issliced'].map((mark) => this.has(mark, object));
    const warmth = hot ? 'hot' : cool ? (clean || sliced ? 'cool' : 'cold') : '';
    const state = [warmth, clean ? 'clean' : ''].filter(Boolean).join(' and ');
    if (state !== '') return `This is a ${state}${sliced ? ' sliced' : ''} ${name}.`;
    if (game.held('toggleable', object) && this.has('istoggled', object)) return `This ${name} is on.`;
    if (sliced && game.held('sliceable', object)) return `This is a sliced ${name}.`;
    return `There's nothing special about ${name}.`;
  }

  private look(): string {
    const { here, game } = this;
    if (here.length === 0) return this.middle([]);
    const beside: number[] = [];
    for (const [object, places] of [...this.places].sort(([a], [b]) => a - b)) {
      if (!places.includes(this.place)) continue;
      for (const receptacle of here) if (this.takenFrom.get(object)?.has(receptacle)) beside.push(object);
    }
    const facing = listed(here.map((receptacle) => game.names[receptacle] ?? ''));
    return `You are facing the ${facing}. Next to it, you see ${this.withArticle(beside)}.`;
  }

  private middle(receptacles: readonly number[]): string {
    return `You are in the middle of a room. Looking quickly around you, you see ${this.withArticle(receptacles)}.`;
  }

  /** A receptacle that stands in two places is seen twice. */
  private timesPlaced(receptacle: number): number[] {
    return (this.game.placesOf.get(receptacle) ?? []).map(() => receptacle);
  }

  private withArticle(things: readonly number[]): string {
    return listed(things.map((thing) => `a ${this.game.names[thing] ?? ''}`));
  }
}

/** Adds to a group that stays in ascending order. */
function added(groups: Map<number, number[]>, group: number, member: number): void {
  const members = groups.get(group);
  if (!members) groups.set(group, [member]);
  else if (!members.includes(member)) {
    const after = members.findIndex((one) => one > member);
    members.splice(after < 0 ? members.length : after, 0, member);
  }
}

function removed(groups: Map<number, number[]>, group: number, member: number): void {
  const members = groups.get(group);
  const place = members?.indexOf(member) ?? -1;
  if (place >= 0) members?.splice(place, 1);
}
