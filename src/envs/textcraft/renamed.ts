/**
 * A real goal under other names: its recipe tree, counts and look-alikes stay, every word becomes another one, and the distractors are
 * drawn anew. What was learned by heart about the real goals does not help here, so a policy has to read.
 */
import type { Random } from '../../core/random/random.ts';
import { RecipeBook, type BookParts, type Recipe } from './book.ts';
import { commandList, recipeLine } from './commands.ts';
import { joiningWords, words } from './generated.ts';

export interface RenamedWorld {
  readonly book: RecipeBook;
  readonly goal: string;
  readonly commands: string;
}

/** The same book, goal and stream give the same world. */
export function renamedWorld(book: RecipeBook, goal: string, random: Random): RenamedWorld {
  const lines = commandList(book, goal, random.below(0x7fffffff)).split('\n');
  const byLine = recipesByLine(book);
  const shown = lines.flatMap((line) => byLine.get(line) ?? []);
  const kinds = shown.flatMap(({ output }) => book.tagOf.get(output) ?? []);
  const names = new Set(shown.flatMap(({ output, inputs }) => [output, ...inputs.map((input) => input.name)]).concat(kinds));
  const rename = renaming(names, random);
  // A recipe of a kind stands in two tables and is one recipe.
  const others = new Map(
    shown.map((recipe): [Recipe, Recipe] => {
      const inputs = recipe.inputs.map((input) => ({ ...input, name: rename(input.name) }));
      return [recipe, { output: rename(recipe.output), count: recipe.count, inputs }];
    }),
  );
  // Most recipes of the book are not shown here: only the names of those that are get another.
  const table = (given: BookParts['recipes']): BookParts['recipes'] =>
    new Map(
      [...given]
        .filter(([, recipes]) => recipes.some((recipe) => others.has(recipe)))
        .map(([name, recipes]) => [rename(name), recipes.flatMap((recipe) => others.get(recipe) ?? [])]),
    );
  const there = (given: ReadonlySet<string>): Set<string> => new Set([...names].filter((name) => given.has(name)).map(rename));
  return {
    goal: rename(goal),
    commands: [...others.values()].map(recipeLine).join('\n'),
    book: new RecipeBook({
      recipes: table(book.recipes),
      tagRecipes: table(book.tagRecipes),
      tagOf: new Map([...names].flatMap((name) => kindOf(book, name)).map(([name, kind]) => [rename(name), rename(kind)])),
      tags: there(book.tags),
      items: there(book.items),
    }),
  };
}

function kindOf(book: RecipeBook, name: string): [name: string, kind: string][] {
  const kind = book.tagOf.get(name);
  return kind === undefined ? [] : [[name, kind]];
}

/** Each word of some names stands for one other word, no two for the same: names that shared a word still do. */
function renaming(names: ReadonlySet<string>, random: Random): (name: string) => string {
  const { first, last } = words();
  const fresh = { first: random.shuffle([...first]), last: random.shuffle([...last]) };
  const taken = new Set<string>();
  const other = new Map<string, string>();
  for (const name of names) {
    const parts = name.split('_');
    parts.forEach((part, i) => {
      if (joiningWords.has(part) || other.has(part)) return;
      const list = i === parts.length - 1 ? fresh.last : fresh.first;
      const word = list.find((one) => !taken.has(one)) ?? part;
      taken.add(word);
      other.set(part, word);
    });
  }
  return (name) =>
    name
      .split('_')
      .map((part) => other.get(part) ?? part)
      .join('_');
}

const lineTables = new WeakMap<RecipeBook, ReadonlyMap<string, Recipe>>();

function recipesByLine(book: RecipeBook): ReadonlyMap<string, Recipe> {
  let table = lineTables.get(book);
  if (!table) {
    const all = [...book.recipes.values()].flat();
    lineTables.set(book, (table = new Map(all.map((recipe) => [recipeLine(recipe), recipe]))));
  }
  return table;
}
