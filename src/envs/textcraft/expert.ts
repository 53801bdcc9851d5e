/**
 * A solver for any book of recipes. It plans from an inventory (empty, or whatever an agent has collected so far, so it can
 * also take over in the middle), gets each base item once in the amount that the whole plan needs, and crafts from the
 * bottom up. The `stack` style gets 64 at a time instead: the world does not limit it, and a learner need not multiply. The
 * `attempt` style works from the top down: it tries a craft as its line is written, and when that fails gets what is missing,
 * or crafts it where it cannot be got. It needs more actions, but each can be read off the last ones and one line of the prompt,
 * where the first action of a bottom-up plan follows from the whole tree; and it shows what to do after a failure.
 */
import type { Recipe, RecipeBook } from './book.ts';
import { spaced } from './commands.ts';

export const expertStyles = ['exact', 'stack', 'attempt'] as const;

export type ExpertStyle = (typeof expertStyles)[number];

export interface PlanOptions {
  readonly style?: ExpertStyle;
  /** What is held already; left as it is. */
  readonly inventory?: ReadonlyMap<string, bigint | number>;
}

const STACK = 64;

/** The actions that craft the goal, the last one crafting it. Throws only for a goal that no recipe of the book makes. */
export function plan(book: RecipeBook, goal: string, { style = 'exact', inventory }: PlanOptions = {}): string[] {
  if (style === 'attempt') return attempts(book, goal, inventory);
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

/** From the top down: try, fetch what is missing, try again. */
function attempts(book: RecipeBook, goal: string, inventory: PlanOptions['inventory']): string[] {
  const actions: string[] = [];
  const held = counts(inventory);
  const has = (item: string, count: number): boolean => (held.get(item) ?? 0) >= count;
  /** What could not be got, and has to be crafted. */
  const tried = new Set<string>();
  const make = (item: string): void => {
    const recipe = shallowest(book, item);
    if (!recipe) throw new Error(`no recipe makes ${item}`);
    const tries = actions.push(craftAction(recipe));
    const chosen = recipe.inputs.map((input) => (input.tag ? itemOfTag(book, input.name, held, input.count) : input.name));
    // Making one ingredient may use up another that was ready: look again until all are there.
    for (;;) {
      const short = chosen.findIndex((name, i) => !has(name, recipe.inputs[i]?.count ?? 0));
      const name = chosen[short];
      if (name === undefined) break;
      const { name: asked, tag } = recipe.inputs[short] ?? { name, tag: false };
      if (!tried.has(asked)) actions.push(`get ${STACK} ${spaced(asked)}`);
      if (book.isCraftable(name) || tag) {
        tried.add(asked);
        make(name);
      } else held.set(name, (held.get(name) ?? 0) + STACK);
    }
    chosen.forEach((name, i) => held.set(name, (held.get(name) ?? 0) - (recipe.inputs[i]?.count ?? 0)));
    held.set(item, (held.get(item) ?? 0) + recipe.count);
    // The first try succeeded where nothing was missing and no kind had to be replaced by one of its items.
    if (actions.length > tries || recipe.inputs.some(({ tag }) => tag)) actions.push(craftAction(recipe, chosen));
  };
  make(goal);
  return actions;
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
