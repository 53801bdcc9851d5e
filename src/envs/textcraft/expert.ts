/**
 * A solver for any book of recipes. It plans from an inventory (empty, or whatever an agent has collected so far, so it can
 * also take over in the middle), gets each base item once in the amount that the whole plan needs, and crafts from the
 * bottom up. The `stack` style gets 64 at a time instead: the world does not limit it, and a learner need not multiply. The
 * `attempt` style works from the top down: it tries a craft as its line is written, and when that fails gets what is missing,
 * or crafts it where it cannot be got. It needs more actions, but each can be read off the last ones and one line of the prompt,
 * where the first action of a bottom-up plan follows from the whole tree; and it shows what to do after a failure. `retry` does
 * the same without counting: it tries again sooner, and fetches more when that was not enough.
 */
import type { Ingredient, Recipe, RecipeBook } from './book.ts';
import { spaced } from './commands.ts';

export const expertStyles = ['exact', 'stack', 'attempt', 'retry'] as const;

export type ExpertStyle = (typeof expertStyles)[number];

export interface PlanOptions {
  readonly style?: ExpertStyle;
  /** What is held already; left as it is. */
  readonly inventory?: ReadonlyMap<string, bigint | number>;
}

const STACK = 64;

/** The actions that craft the goal, the last one crafting it. Throws only for a goal that no recipe of the book makes. */
export function plan(book: RecipeBook, goal: string, { style = 'exact', inventory }: PlanOptions = {}): string[] {
  if (style === 'attempt' || style === 'retry') return attempts(book, goal, style, inventory);
  const steps = crafts(book, goal, inventory);
  const actions: string[] = [];
  const held = counts(inventory);
  steps.forEach(({ recipe, chosen }, at) => {
    recipe.inputs.forEach((input, i) => {
      const item = chosen[i] ?? input.name;
      if (book.isCraftable(item) || (held.get(item) ?? 0) >= input.count) return;
      const short = style === 'exact' ? demand(steps, at, item) - (held.get(item) ?? 0) : STACK;
      for (let times = style === 'exact' ? 1 : Math.ceil((input.count - (held.get(item) ?? 0)) / STACK); times > 0; times--) {
        actions.push(`get ${short} ${spaced(item)}`);
        held.set(item, (held.get(item) ?? 0) + short);
      }
    });
    recipe.inputs.forEach((input, i) => {
      const item = chosen[i] ?? input.name;
      held.set(item, (held.get(item) ?? 0) - input.count);
    });
    held.set(recipe.output, (held.get(recipe.output) ?? 0) + recipe.count);
    actions.push(craftAction(recipe, chosen));
  });
  return actions;
}

/**
 * From the top down: try, fetch what is missing, try again. `attempt` tries again when it counts enough of everything. `retry`
 * counts nothing: it gets or crafts each ingredient once and tries again, and where that fails crafts once more all that cannot
 * be got; the answer of the world says whether more is needed.
 */
function attempts(book: RecipeBook, goal: string, style: 'attempt' | 'retry', inventory: PlanOptions['inventory']): string[] {
  const actions: string[] = [];
  const held = counts(inventory);
  /** What could not be got, and has to be crafted. */
  const refused = new Set<string>();
  const short = ({ item, asked }: Wanted): boolean => (held.get(item) ?? 0) < asked.count;
  const fetch = ({ item, asked }: Wanted): void => {
    if (!refused.has(asked.name)) actions.push(`get ${STACK} ${spaced(asked.name)}`);
    if (book.isCraftable(item) || asked.tag) {
      refused.add(asked.name);
      make(item);
    } else held.set(item, (held.get(item) ?? 0) + STACK);
  };
  const fetchAll = (inputs: readonly Wanted[]): void => {
    if (style === 'retry') {
      for (const input of inputs)
        if (short(input) || (refused.has(input.asked.name) && !usesUp(book, input, inputs))) fetch(input);
    }
    // Making one ingredient may use up another that was ready: look again until all are there.
    if (style === 'attempt') for (let missing; (missing = inputs.find(short));) fetch(missing);
  };
  const make = (item: string): void => {
    const recipe = shallowest(book, item);
    if (!recipe) throw new Error(`no recipe makes ${item}`);
    const inputs = recipe.inputs.map((asked) => ({
      asked,
      item: asked.tag ? itemOfTag(book, asked.name, held, asked.count) : asked.name,
    }));
    const chosen = inputs.map((input) => input.item);
    // As its line is written first; an item takes the place of a kind when the kind was refused.
    const known = inputs.every(({ asked }) => !asked.tag || (style === 'retry' && refused.has(asked.name)));
    actions.push(craftAction(recipe, known ? chosen : []));
    for (let failed = !known || inputs.some(short); failed;) {
      fetchAll(inputs);
      actions.push(craftAction(recipe, chosen));
      failed = inputs.some(short);
    }
    for (const input of inputs) held.set(input.item, (held.get(input.item) ?? 0) - input.asked.count);
    held.set(item, (held.get(item) ?? 0) + recipe.count);
  };
  make(goal);
  return actions;
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

function counts(inventory: PlanOptions['inventory']): Map<string, number> {
  return new Map(Array.from(inventory ?? [], ([item, count]) => [item, Number(count)]));
}

function craftAction(recipe: Recipe, chosen: readonly string[] = []): string {
  const inputs = recipe.inputs.map((input, i) => `${input.count} ${spaced(chosen[i] ?? input.name)}`);
  return `craft ${recipe.count} ${spaced(recipe.output)} using ${inputs.join(', ')}`;
}

/** One use of a recipe, with the item chosen for each ingredient (tags are replaced by one of their items). */
interface Craft {
  readonly recipe: Recipe;
  readonly chosen: readonly string[];
}

/** The crafts of a plan in post-order; what is left over of one craft serves the next. */
function crafts(book: RecipeBook, goal: string, inventory: PlanOptions['inventory']): Craft[] {
  const steps: Craft[] = [];
  const held = counts(inventory);
  const make = (item: string): void => {
    const recipe = shallowest(book, item);
    if (!recipe) throw new Error(`no recipe makes ${item}`);
    const chosen = recipe.inputs.map((input) => (input.tag ? itemOfTag(book, input.name, held, input.count) : input.name));
    // Making one ingredient may use up another that was ready (sticks use planks): look again until all are there.
    for (;;) {
      const short = chosen.find((name, i) => book.isCraftable(name) && (held.get(name) ?? 0) < (recipe.inputs[i]?.count ?? 0));
      if (short === undefined) break;
      make(short);
    }
    chosen.forEach((name, i) => held.set(name, (held.get(name) ?? 0) - (recipe.inputs[i]?.count ?? 0)));
    held.set(item, (held.get(item) ?? 0) + recipe.count);
    steps.push({ recipe, chosen });
  };
  make(goal);
  return steps;
}

/** How many of a base item the plan still uses from a step on. */
function demand(steps: readonly Craft[], from: number, item: string): number {
  let total = 0;
  for (const { recipe, chosen } of steps.slice(from)) {
    chosen.forEach((name, i) => (total += name === item ? (recipe.inputs[i]?.count ?? 0) : 0));
  }
  return total;
}

function shallowest(book: RecipeBook, item: string): Recipe | undefined {
  let best: Recipe | undefined;
  let bestDepth = Infinity;
  for (const recipe of book.recipes.get(item) ?? []) {
    const depth = Math.max(...recipe.inputs.map((input) => book.depth(input.name)));
    if (depth < bestDepth) [best, bestDepth] = [recipe, depth];
  }
  return best;
}

/** An item of the tag that is held in the needed number, else the one that is easiest to craft. */
function itemOfTag(book: RecipeBook, tag: string, held: ReadonlyMap<string, number>, count: number): string {
  let best: string | undefined;
  for (const [item, itsTag] of book.tagOf) {
    if (itsTag !== tag) continue;
    if ((held.get(item) ?? 0) >= count) return item;
    if (book.recipes.has(item) && (best === undefined || book.depth(item) < book.depth(best))) best = item;
  }
  return best ?? tag;
}
