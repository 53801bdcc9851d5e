/** The choices that all of TextCraft's experts make alike: which recipe makes an item, and which item serves for a kind. */
import type { Recipe, RecipeBook } from './book.ts';
import { spaced } from './commands.ts';

/** The recipe whose ingredients need the fewest crafts. */
export function shallowest(book: RecipeBook, item: string): Recipe | undefined {
  let best: Recipe | undefined;
  let bestDepth = Infinity;
  for (const recipe of book.recipes.get(item) ?? []) {
    const depth = Math.max(...recipe.inputs.map((input) => book.depth(input.name)));
    if (depth < bestDepth) [best, bestDepth] = [recipe, depth];
  }
  return best;
}

/** An item of the tag that is held in the needed number, else the one that is easiest to craft. */
export function itemOfTag(book: RecipeBook, tag: string, held: (item: string) => number, count: number): string {
  let best: string | undefined;
  for (const [item, itsTag] of book.tagOf) {
    if (itsTag !== tag) continue;
    if (held(item) >= count) return item;
    if (book.recipes.has(item) && (best === undefined || book.depth(item) < book.depth(best))) best = item;
  }
  return best ?? tag;
}

/** The action that crafts by a recipe, with an item in the place of each kind that was chosen for. */
export function craftAction(recipe: Recipe, chosen: readonly string[] = []): string {
  const inputs = recipe.inputs.map((input, i) => `${input.count} ${spaced(chosen[i] ?? input.name)}`);
  return `craft ${recipe.count} ${spaced(recipe.output)} using ${inputs.join(', ')}`;
}
