/**
 * TextCraft's rules, message for message: an inventory, a goal, and the actions craft, get and inventory. No limit on
 * steps, and playing on after the goal is allowed, as in the original. Any text is an action; none throws.
 */
import type { Ingredient, Recipe, RecipeBook } from './book.ts';
import { spaced } from './commands.ts';
import { pythonRepr } from '../../core/python/repr.ts';
import { pythonStrip } from '../../core/python/strings.ts';

export interface WorldStep {
  readonly observation: string;
  readonly reward: 0 | 1;
  readonly done: boolean;
}

export interface WorldOptions {
  /**
   * Servers before September 2025 let the goal, and every item on the way to it, also be crafted by the recipes of its
   * ingredients (the list they collected recipes in was the list they looked recipes up in).
   */
  readonly quirk?: boolean;
  /** What is held at the start; copied. */
  readonly inventory?: ReadonlyMap<string, bigint | number> | undefined;
}

/** Counts are whole numbers of any size, as in Python. */
type Offered = { name: string; tag: boolean; count: bigint };

export class World {
  /** Item → how many, in the order of first getting. */
  readonly inventory = new Map<string, bigint>();
  private readonly extended: ReadonlyMap<string, readonly Recipe[]>;

  constructor(
    readonly book: RecipeBook,
    readonly goal: string,
    { quirk = false, inventory }: WorldOptions = {},
  ) {
    for (const [item, count] of inventory ?? []) this.inventory.set(item, BigInt(count));
    this.extended = quirk ? extendedRecipes(book, goal) : NOTHING_EXTENDED;
  }

  step(action: string): WorldStep {
    const craft = /^craft ([^\n]*) using ([^\n]*)/.exec(action);
    if (craft) return this.craft(craft[1] ?? '', craft[2] ?? '', action);
    const get = /^get ([0-9]+) ([^\n]*)/.exec(action);
    if (get) return this.get(get[1] ?? '', get[2] ?? '', action);
    if (action.startsWith('inventory')) return told(this.describeInventory());
    return told(`Could not execute ${action}`);
  }

  describeInventory(): string {
    if (this.inventory.size === 0) return 'Inventory: You are not carrying anything.';
    let text = 'Inventory: ';
    for (const [item, count] of this.inventory) text += `[${spaced(item)}] (${count}) `;
    return text;
  }

  private craft(outputText: string, inputsText: string, action: string): WorldStep {
    const counted = COUNTED.exec(outputText);
    const output = this.named(counted?.[2] ?? outputText);
    const inputs: Offered[] = [];
    for (const part of inputsText.split(',')) {
      const input = pythonStrip(part);
      const match = COUNTED.exec(input);
      if (!match) return told(`Wrong item format: ${input}`);
      const count = wholeNumber(match[1] ?? '');
      if (count === undefined) return told(`Could not execute ${action}`);
      inputs.push({ ...this.named(match[2] ?? ''), count });
    }
    const asked = counted ? wholeNumber(counted[1] ?? '') : 1n;
    if (asked === undefined) return told(`Could not execute ${action}`);
    if (inputs.some(({ name, tag, count }) => tag || (this.inventory.get(name) ?? -1n) < count)) {
      return told(`Could not find enough items to craft ${output.tag ? 'None' : `minecraft:${output.name}`}`);
    }
    const recipe = output.tag ? undefined : this.matching(output.name, inputs);
    if (!recipe || !this.remove(inputs)) {
      const id = pythonRepr(`minecraft:${output.name}`);
      const itemTag = output.tag ? `tag=${id}, item_id=None` : `tag=None, item_id=${id}`;
      return told(`Could not find a valid recipe for ItemTagWithCount(item_tag=ItemTag(${itemTag}), count=${asked})`);
    }
    this.add(recipe.output, BigInt(recipe.count));
    return this.after(`Crafted ${recipe.count} minecraft:${recipe.output}`, recipe.output);
  }

  private get(countText: string, text: string, action: string): WorldStep {
    const { name, tag } = this.named(text);
    if (tag || this.book.isCraftable(name) || !this.book.items.has(name)) return told(`Could not find ${text}`);
    const count = wholeNumber(countText);
    if (count === undefined) return told(`Could not execute ${action}`);
    this.add(name, count);
    return this.after(`Got ${count} ${text}`, name);
  }

  private after(observation: string, item: string): WorldStep {
    return item === this.goal ? { observation, reward: 1, done: true } : told(observation);
  }

  private named(text: string): { name: string; tag: boolean } {
    const name = text.replaceAll(' ', '_');
    return { name, tag: this.book.tags.has(name) };
  }

  private matching(output: string, offered: readonly Offered[]): Recipe | undefined {
    const recipes = this.extended.get(output) ?? this.book.recipes.get(output) ?? [];
    return recipes.find((recipe) => {
      if (recipe.inputs.length !== offered.length) return false;
      const left = [...offered];
      for (const needed of recipe.inputs) {
        const at = left.findIndex((offer) => this.fits(needed, offer));
        if (at < 0 || left[at]?.count !== BigInt(needed.count)) return false;
        left.splice(at, 1);
      }
      return true;
    });
  }

  private fits(needed: Ingredient, { name }: Offered): boolean {
    return needed.tag ? this.book.tagOf.get(name) === needed.name : name === needed.name;
  }

  private add(item: string, count: bigint): void {
    this.inventory.set(item, (this.inventory.get(item) ?? 0n) + count);
  }

  /** False, and nothing changed, when one item was offered twice and there is not enough for both. */
  private remove(offered: readonly Offered[]): boolean {
    const total = new Map<string, bigint>();
    for (const { name, count } of offered) total.set(name, (total.get(name) ?? 0n) + count);
    for (const [name, count] of total) if ((this.inventory.get(name) ?? 0n) < count) return false;
    for (const [name, count] of total) {
      const left = (this.inventory.get(name) ?? 0n) - count;
      if (left === 0n) this.inventory.delete(name);
      else this.inventory.set(name, left);
    }
    return true;
  }
}

const COUNTED = /^([0-9]+) ([^\n]*)/;
const NOTHING_EXTENDED: ReadonlyMap<string, readonly Recipe[]> = new Map();
/** Python refuses to read longer numbers. */
const MAX_DIGITS = 4300;

function told(observation: string): WorldStep {
  return { observation, reward: 0, done: false };
}

function wholeNumber(digits: string): bigint | undefined {
  return digits.length > MAX_DIGITS ? undefined : BigInt(digits);
}

/** Own recipes first, then those of everything below, for the goal and every item that it names on the way. */
function extendedRecipes(book: RecipeBook, goal: string): ReadonlyMap<string, readonly Recipe[]> {
  const names = new Set([goal]);
  for (const { inputs } of book.closure(goal)) for (const input of inputs) names.add(input.name);
  const extended = new Map<string, readonly Recipe[]>();
  for (const name of names) if (book.recipes.has(name)) extended.set(name, book.closure(name));
  return extended;
}
