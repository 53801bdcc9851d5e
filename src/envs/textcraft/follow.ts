/**
 * The styles that work from the top down, as a player who looks at what really came of each action. Because nothing is planned
 * ahead, advice can be had after any action of anybody: a step that was played otherwise is advised again for as long as it
 * is needed. Try a craft; when it fails get or craft what is missing; try again. `attempt` tries again when there is enough of
 * everything. `retry` counts nothing: it fetches each ingredient once and tries again, and where that fails crafts once more all
 * that cannot be got.
 */
import type { Expert } from '../environment.ts';
import type { Ingredient, RecipeBook } from './book.ts';
import { itemId, spaced } from './commands.ts';
import { craftAction, itemOfTag, shallowest } from './choose.ts';
import type { World } from './world.ts';

export type FollowStyle = 'attempt' | 'retry';

/** An action to be advised; what comes back says whether it was the one that was played. */
type Advice = Generator<string, void, boolean>;

const STACK = 64;
/** Tries at one craft before the advice ends: only a world that somebody has spoiled needs so many. */
const MOST_TRIES = 40;

export class Follower implements Expert {
  readonly follows = true;
  private readonly advice: Advice;
  private advised: string | undefined;
  /** What could not be got, and has to be crafted. */
  private readonly refused = new Set<string>();

  /** `world` is the follower's own: it plays along in it. */
  constructor(
    private readonly world: World,
    private readonly style: FollowStyle,
  ) {
    this.advice = this.make(world.goal);
  }

  next(_observation?: string, played = this.advised): string | null {
    const asAdvised = played === this.advised;
    if (played !== undefined) this.play(played);
    this.advised = this.advice.next(asAdvised).value ?? undefined;
    return this.advised ?? null;
  }

  private play(action: string): void {
    const { observation } = this.world.step(action);
    const asked = /^get [0-9]+ ([^\n]*)/.exec(action)?.[1];
    if (asked !== undefined && observation.startsWith('Could not find')) this.refused.add(itemId(asked));
  }

  private *make(item: string): Advice {
    const recipe = shallowest(this.world.book, item);
    if (!recipe) throw new Error(`no recipe makes ${item}`);
    const before = this.held(item);
    const missing = (): boolean => this.held(item) <= before;
    // As its line is written first; an item takes the place of a kind when the kind was refused.
    const known = recipe.inputs.every(({ tag, name }) => !tag || (this.style === 'retry' && this.refused.has(name)));
    yield* this.advise(craftAction(recipe, known ? this.chosen(recipe.inputs) : []), missing);
    for (let tries = 0; missing(); tries++) {
      if (tries > MOST_TRIES) return;
      const inputs = recipe.inputs.map((asked) => ({ asked, item: this.choose(asked) }));
      yield* this.fetchAll(inputs);
      yield* this.advise(craftAction(recipe, this.chosen(recipe.inputs)), missing);
    }
  }

  private *fetchAll(inputs: readonly Wanted[]): Advice {
    if (this.style === 'attempt') {
      // Making one ingredient may use up another that was ready: look again until all are there.
      for (let tries = 0, missing; tries < MOST_TRIES && (missing = inputs.find((input) => this.short(input))); tries++)
        yield* this.fetch(missing);
      return;
    }
    for (const input of inputs)
      if (this.short(input) || (this.refused.has(input.asked.name) && !usesUp(this.world.book, input, inputs)))
        yield* this.fetch(input);
  }

  private *fetch({ item, asked }: Wanted): Advice {
    const wanted = { item, asked };
    yield* this.advise(`get ${STACK} ${spaced(asked.name)}`, () => !this.refused.has(asked.name) && this.short(wanted));
    if (this.refused.has(asked.name)) yield* this.make(item);
  }

  /** The same advice until it is taken, or until the world no longer needs it. */
  private *advise(action: string, needed: () => boolean): Advice {
    while (needed()) if (yield action) return;
  }

  private chosen(inputs: readonly Ingredient[]): string[] {
    return inputs.map((asked) => this.choose(asked));
  }

  private choose({ tag, name, count }: Ingredient): string {
    return tag ? itemOfTag(this.world.book, name, (item) => this.held(item), count) : name;
  }

  private short({ item, asked }: Wanted): boolean {
    return this.held(item) < asked.count;
  }

  private held(item: string): number {
    return Number(this.world.inventory.get(item) ?? 0n);
  }
}

/** Whether crafting one ingredient may take from another: then more of the one would mean less of the other, without end. */
function usesUp(book: RecipeBook, { item }: Wanted, inputs: readonly Wanted[]): boolean {
  const names = new Set(inputs.flatMap((input) => [input.item, input.asked.name, book.tagOf.get(input.item) ?? input.item]));
  return book.closure(item).some((recipe) => recipe.inputs.some(({ name }) => names.has(name)));
}

/** An ingredient as its line asks for it, and the item that serves. */
interface Wanted {
  readonly asked: Ingredient;
  readonly item: string;
}
