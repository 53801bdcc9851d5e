/**
 * A book of recipes: what can be crafted from what, which names are items and which are tags (kinds of items), how deep a
 * craft is. Built from the table as TextCraft builds its tree (recipes that would close a circle are left out, so the
 * order of three pairs decides which one stays), or directly from a world of one's own.
 */
import { recipeTable, type Ingredient, type TableRecipe } from './recipes.ts';

export type { Ingredient };

export interface Recipe {
  readonly output: string;
  readonly count: number;
  readonly inputs: readonly Ingredient[];
}

export interface BookParts {
  /** Recipes by item, in the order in which they are tried. */
  readonly recipes: ReadonlyMap<string, readonly Recipe[]>;
  /** Recipes by tag of their output. */
  readonly tagRecipes: ReadonlyMap<string, readonly Recipe[]>;
  /** The tag of an item, where it has one. */
  readonly tagOf: ReadonlyMap<string, string>;
  readonly tags: ReadonlySet<string>;
  readonly items: ReadonlySet<string>;
}

export class RecipeBook {
  readonly recipes: BookParts['recipes'];
  readonly tagRecipes: BookParts['tagRecipes'];
  readonly tagOf: BookParts['tagOf'];
  readonly tags: BookParts['tags'];
  readonly items: BookParts['items'];
  private readonly depths = new Map<string, number>();
  private uses: Map<string, Recipe[]> | undefined;

  constructor(parts: BookParts) {
    this.recipes = parts.recipes;
    this.tagRecipes = parts.tagRecipes;
    this.tagOf = parts.tagOf;
    this.tags = parts.tags;
    this.items = parts.items;
  }

  isCraftable(name: string): boolean {
    return this.recipes.has(name) || this.tagRecipes.has(name);
  }

  /** Recipes of an item, or of the items of a tag; none for what can only be got. */
  recipesOf(name: string): readonly Recipe[] {
    return this.recipes.get(name) ?? this.tagRecipes.get(name) ?? [];
  }

  /** Crafts from base items to this one along the shallowest recipes; 0 for base items. */
  depth(name: string): number {
    let depth = this.depths.get(name);
    if (depth === undefined) {
      depth = Infinity;
      for (const { inputs } of this.recipesOf(name)) {
        depth = Math.min(depth, Math.max(...inputs.map((input) => this.depth(input.name) + 1)));
      }
      if (depth === Infinity) depth = 0;
      this.depths.set(name, depth);
    }
    return depth;
  }

  /** Every item that has a recipe. */
  goals(): string[] {
    return [...this.recipes.keys()];
  }

  /** Every recipe that a craft of this item may need, each once, the item's own first. */
  closure(name: string): readonly Recipe[] {
    const found = new Set<Recipe>();
    const seen = new Set<string>();
    const visit = (item: string): void => {
      if (seen.has(item)) return;
      seen.add(item);
      const recipes = this.recipesOf(item);
      for (const recipe of recipes) found.add(recipe);
      for (const { inputs } of recipes) for (const input of inputs) visit(input.name);
    };
    visit(name);
    return [...found];
  }

  /** Recipes that use an item or tag as an ingredient. */
  usesOf(name: string): readonly Recipe[] {
    if (!this.uses) {
      this.uses = new Map();
      for (const recipes of this.recipes.values()) {
        for (const recipe of recipes) {
          for (const input of recipe.inputs) {
            const uses = this.uses.get(input.name);
            if (uses) uses.push(recipe);
            else this.uses.set(input.name, [recipe]);
          }
        }
      }
    }
    return this.uses.get(name) ?? [];
  }
}

/** In each pair only the recipe read first stays; the values are table names. */
export interface OrderChoices {
  readonly honey: 'honey_block' | 'honey_bottle';
  readonly gold: 'gold_ingot_from_nuggets' | 'gold_nugget';
  readonly iron: 'iron_ingot_from_nuggets' | 'iron_nugget';
}

export const CHOICES_2024: OrderChoices = { honey: 'honey_bottle', gold: 'gold_ingot_from_nuggets', iron: 'iron_nugget' };
export const CHOICES_2025: OrderChoices = {
  honey: 'honey_block',
  gold: 'gold_ingot_from_nuggets',
  iron: 'iron_ingot_from_nuggets',
};

/** TextCraft's tree from the table of recipes. */
export function minecraftBook(choices: OrderChoices = CHOICES_2025): RecipeBook {
  const first = new Set<string>(Object.values(choices));
  const table = recipeTable();
  return bookFrom([...table.filter(({ name }) => first.has(name)), ...table.filter(({ name }) => !first.has(name))]);
}

/** Builds a book from recipes in reading order, as the original does. */
export function bookFrom(table: readonly TableRecipe[]): RecipeBook {
  const recipes = new Map<string, Recipe[]>();
  const tagRecipes = new Map<string, Recipe[]>();
  const tagOf = new Map<string, string>();
  const tags = new Set<string>();
  const items = new Set<string>();
  const dependencies = new Map<string, Set<string>>();
  for (const { output, count, group, inputs } of table) {
    for (const { name, tag } of inputs) (tag ? tags : items).add(name);
    items.add(output);
    // A single block taken apart again would undo another recipe.
    if (inputs.length === 1 && inputs[0]?.name.endsWith('_block')) continue;
    if (group !== undefined && group !== output) {
      tags.add(group);
      tagOf.set(output, group);
    }
    const own = entry(dependencies, output, () => new Set<string>());
    if (inputs.some(({ name }) => dependencies.get(name)?.has(output))) continue;
    for (const { name } of inputs) {
      own.add(name);
      for (const deeper of dependencies.get(name) ?? []) own.add(deeper);
    }
    const recipe: Recipe = { output, count, inputs };
    entry(recipes, output, () => []).push(recipe);
    if (group !== undefined) entry(tagRecipes, group, () => []).push(recipe);
  }
  return withoutEmptyTags({ recipes, tagRecipes, tagOf, tags, items });
}

/** A tag of which no item can be crafted becomes an item of that name (`birch logs` can be got). */
function withoutEmptyTags(parts: BookParts): RecipeBook {
  const filled = new Set([...parts.tagOf].filter(([item]) => parts.recipes.has(item)).map(([, tag]) => tag));
  const tags = new Set(parts.tags);
  const items = new Set(parts.items);
  const replaced = new Map<Recipe, Recipe>();
  const asItem = (input: Ingredient): Ingredient => {
    if (!input.tag || filled.has(input.name)) return input;
    tags.delete(input.name);
    items.add(input.name);
    return { ...input, tag: false };
  };
  const clean = (list: readonly Recipe[]): readonly Recipe[] =>
    list.map((recipe) => entry(replaced, recipe, () => ({ ...recipe, inputs: recipe.inputs.map(asItem) })));
  const recipes = new Map([...parts.recipes].map(([item, list]) => [item, clean(list)]));
  const tagRecipes = new Map([...parts.tagRecipes].map(([tag, list]) => [tag, clean(list)]));
  return new RecipeBook({ recipes, tagRecipes, tagOf: parts.tagOf, tags, items });
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
