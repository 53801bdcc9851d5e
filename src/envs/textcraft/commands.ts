/** The text of the first observation: recipe lines, distractors that use the same ingredients, and the goal. */
import { Random } from '../../core/random/random.ts';
import { minecraftBook, RecipeBook, type BookParts, type Recipe } from './book.ts';
import { recipeTable } from './recipes.ts';

/** At most so many recipes that the goal does not need are listed, as in the original. */
const MAX_DISTRACTORS = 10;

/** `craft 4 birch planks using 1 birch logs`. */
export function recipeLine({ output, count, inputs }: Recipe): string {
  return `craft ${count} ${spaced(output)} using ${inputs.map((input) => `${input.count} ${spaced(input.name)}`).join(', ')}`;
}

/**
 * The recipes a goal needs and up to ten that share ingredients with them, shuffled: a function of book, goal and seed.
 * (The original's draw hangs on Python's string hashing and cannot be repeated.)
 */
export function commandList(book: RecipeBook, goal: string, seed: number): string {
  const needed = book.closure(goal);
  const lines = new Set(needed.map(recipeLine));
  const others = new Set<string>();
  for (const { inputs } of needed) {
    for (const input of inputs) {
      for (const use of book.usesOf(input.name)) {
        const line = recipeLine(use);
        if (!lines.has(line)) others.add(line);
      }
    }
  }
  const random = Random.of(seed, 'textcraft', goal);
  const distractors = random.shuffle([...others]).slice(0, MAX_DISTRACTORS);
  return random.shuffle([...lines, ...distractors]).join('\n');
}

export function firstObservation(commands: string, goal: string): string {
  return `Crafting commands:\n${commands}\n\nGoal: craft ${spaced(goal)}.`;
}

/** Commands and goal from a first observation (an older recorder put `Instruction:` before it), or undefined. */
export function parseFirstObservation(observation: string): { commands: string; goal: string } | undefined {
  const match = /^(?:Instruction:\n)?Crafting commands:\n([\s\S]*)\n\nGoal: craft ([^\n]*)\.$/.exec(observation);
  return match?.[1] === undefined || match[2] === undefined ? undefined : { commands: match[1], goal: itemId(match[2]) };
}

/** The book that a list of commands shows: its recipes alone; whatever has none is got. For trees that kept other recipes. */
export function bookShown(commands: string): RecipeBook {
  const lines = new Set(commands.split('\n'));
  const shows = (name: string): boolean => recipeTable().some((recipe) => recipe.name === name && lines.has(recipeLine(recipe)));
  const all = minecraftBook({
    honey: shows('honey_bottle') ? 'honey_bottle' : 'honey_block',
    gold: shows('gold_nugget') ? 'gold_nugget' : 'gold_ingot_from_nuggets',
    iron: shows('iron_nugget') ? 'iron_nugget' : 'iron_ingot_from_nuggets',
  });
  const { tagOf, tags, items } = all;
  const shown = (table: BookParts['recipes']): BookParts['recipes'] =>
    new Map(
      [...table]
        .map(([name, recipes]) => [name, recipes.filter((recipe) => lines.has(recipeLine(recipe)))] as const)
        .filter(([, recipes]) => recipes.length > 0),
    );
  return new RecipeBook({ recipes: shown(all.recipes), tagRecipes: shown(all.tagRecipes), tagOf, tags, items });
}

/** `birch_planks` → `birch planks`. */
export function spaced(name: string): string {
  return name.replaceAll('_', ' ');
}

/** A name as people or the wire write it (`birch planks`, `minecraft:birch_planks`) → `birch_planks`. */
export function itemId(text: string): string {
  return text.replace(/^minecraft:/, '').replaceAll(' ', '_');
}
