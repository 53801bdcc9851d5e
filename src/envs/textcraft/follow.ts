/**
 * The styles that work from the top down, as a rule over what has happened so far, whoever played it: advice can be had after any
 * action of anybody, and what somebody has done already is not advised again. Try a craft; when it fails get or craft what is
 * missing; try again. `attempt` tries again when there is enough of everything. `retry` counts nothing: it fetches each ingredient
 * once and tries again, and where that fails crafts once more all that cannot be got.
 */
import type { Expert } from '../environment.ts';
import type { Ingredient, Recipe, RecipeBook } from './book.ts';
import { craftAction, itemOfTag, shallowest } from './choose.ts';
import { itemId, spaced } from './commands.ts';
import type { World } from './world.ts';

export type FollowStyle = 'attempt' | 'retry';

const STACK = 64;
const never = -1;

export class Follower implements Expert {
  readonly follows = true;
  private advised: string | undefined;
  private done = false;
  private now = 0;
  /** What could not be got, and has to be crafted. */
  private readonly refused = new Set<string>();
  /** When a craft of an item last failed for want of its ingredients, and when an item was last got or crafted. */
  private readonly tried = new Map<string, number>();
  private readonly fetched = new Map<string, number>();

  /** `world` is the follower's own: it plays along in it. */
  constructor(
    private readonly world: World,
    private readonly style: FollowStyle,
  ) {}

  next(_observation?: string, played = this.advised): string | null {
    if (played !== undefined) this.play(played);
    this.advised = this.done ? undefined : this.make(this.world.goal, never);
    return this.advised ?? null;
  }

  private play(action: string): void {
    this.now++;
    const { observation, done } = this.world.step(action);
    this.done = done;
    const got = /^get [0-9]+ ([^\n]*)/.exec(action)?.[1];
    if (got !== undefined && observation.startsWith('Got')) this.fetched.set(itemId(got), this.now);
    if (got !== undefined && observation.startsWith('Could not find')) this.refused.add(itemId(got));
    const craft = /^craft (?:[0-9]+ )?([^\n]*) using ([^\n]*)/.exec(action);
    const output = itemId(craft?.[1] ?? '');
    if (observation.startsWith('Crafted')) this.fetched.set(output, this.now);
    if (observation.startsWith('Could not find enough') && this.isLineOf(output, craft?.[2] ?? ''))
      this.tried.set(output, this.now);
  }

  /** The next action towards an item. Tries that failed before `since` belong to an earlier round, and say nothing. */
  private make(item: string, since: number): string {
    const recipe = shallowest(this.world.book, item);
    if (!recipe) return `get ${STACK} ${spaced(item)}`;
    const failed = this.tried.get(item) ?? never;
    if (failed <= Math.max(since, this.fetched.get(item) ?? never)) return this.firstTry(recipe);
    const inputs = recipe.inputs.map((asked) => ({ asked, item: this.choose(asked) }));
    const wanted = inputs.find((input) => this.wants(input, inputs, failed));
    if (!wanted) return craftAction(recipe, this.chosen(recipe));
    const { name } = wanted.asked;
    return this.refused.has(name) ? this.make(wanted.item, failed) : `get ${STACK} ${spaced(name)}`;
  }

  /** As its line is written; an item takes the place of a kind when the kind was refused before. */
  private firstTry(recipe: Recipe): string {
    const known = recipe.inputs.every(({ tag, name }) => !tag || (this.style === 'retry' && this.refused.has(name)));
    return craftAction(recipe, known ? this.chosen(recipe) : []);
  }

  /** Has an ingredient still to be fetched before the craft that failed is tried again? */
  private wants(input: Wanted, inputs: readonly Wanted[], failed: number): boolean {
    const short = this.held(input.item) < input.asked.count;
    if (this.style === 'attempt') return short;
    if ((this.fetched.get(input.item) ?? never) > failed) return false;
    return short || (this.refused.has(input.asked.name) && !usesUp(this.world.book, input, inputs));
  }

  /** Do these words name the ingredients of the recipe that we would use, in whatever numbers? */
  private isLineOf(output: string, inputs: string): boolean {
    const recipe = shallowest(this.world.book, output);
    const names = inputs.split(',').map((input) => itemId(input.trim().replace(/^[0-9]+ /, '')));
    const { tagOf } = this.world.book;
    return (
      recipe?.inputs.length === names.length &&
      recipe.inputs.every(({ name, tag }) => names.some((said) => said === name || (tag && tagOf.get(said) === name)))
    );
  }

  private chosen({ inputs }: Recipe): string[] {
    return inputs.map((asked) => this.choose(asked));
  }

  private choose({ tag, name, count }: Ingredient): string {
    return tag ? itemOfTag(this.world.book, name, (item) => this.held(item), count) : name;
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
