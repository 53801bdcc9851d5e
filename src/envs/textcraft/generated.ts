/**
 * Random worlds: a recipe tree of a chosen depth, counts, names that share words, and distractors made to be confused with
 * what is needed. Nothing in them can be memorised, so a policy has to read the commands. The words are those of the real
 * items. Cheap enough to draw a fresh world for every episode; the difficulty is an argument, so a curriculum can grow it.
 */
import type { Random } from '../../core/random/random.ts';
import { RecipeBook, type Ingredient, type Recipe } from './book.ts';
import { recipeLine } from './commands.ts';
import { recipeTable } from './recipes.ts';

/** Ranges include both ends; one value of each is drawn per world. */
export interface Difficulty {
  /** Crafts from base items to the goal. */
  readonly depth: Range;
  /** Ingredients of a recipe. */
  readonly inputs: Range;
  /** Recipes listed that the goal does not need. */
  readonly distractors: Range;
  /** Largest count of an ingredient. */
  readonly maxCount: number;
  /** Most actions that the expert may need. */
  readonly maxTurns: number;
  /** Chance that an ingredient that must be crafted is needed more than once per craft's yield. */
  readonly repeats: number;
  /** Chance that an ingredient is a kind ("planks") of which several items can be crafted. */
  readonly kinds: number;
  /** Chance that a name shares words with one already in the world. */
  readonly likeness: number;
  /** Chance that a distractor is a needed recipe with one word replaced, as red and black terracotta differ. */
  readonly siblings?: number;
}

export type Range = readonly [low: number, high: number];

/** As varied as the real goals: 1 to 4 deep, up to ten distractors. */
export const MIXED: Difficulty = {
  depth: [1, 4],
  inputs: [1, 3],
  distractors: [0, 10],
  maxCount: 9,
  maxTurns: 24,
  repeats: 0.25,
  kinds: 0.08,
  likeness: 0.5,
};

/** Two to five actions and few lines: for demonstrations that must learn within a minute. */
export const SHORT: Difficulty = {
  depth: [1, 2],
  inputs: [1, 2],
  distractors: [0, 3],
  maxCount: 4,
  maxTurns: 5,
  repeats: 0,
  kinds: 0,
  likeness: 0.3,
};

export interface GeneratedWorld {
  readonly book: RecipeBook;
  readonly goal: string;
  readonly commands: string;
  /** Crafts from base items to the goal. */
  readonly depth: number;
  /** Recipes that the goal needs. */
  readonly needed: number;
}

/** A world that the generator decides entirely: the same stream and difficulty give the same world. */
export function generateWorld(random: Random, difficulty: Difficulty = MIXED): GeneratedWorld {
  const depth = random.between(...difficulty.depth);
  for (let tries = 0; ; tries++) {
    const draft = new Draft(random, difficulty);
    const goal = draft.freshName();
    const turns = draft.grow(goal, depth, 1);
    // A tree that came out too long is drawn again, simpler after some tries.
    if (turns > difficulty.maxTurns && tries < 20) continue;
    if (turns > difficulty.maxTurns)
      return generateWorld(random, { ...difficulty, maxTurns: Infinity, inputs: [1, 1], repeats: 0, kinds: 0 });
    const needed = draft.lines.length;
    draft.distract(goal, random.between(...difficulty.distractors));
    return { book: draft.book(), goal, commands: random.shuffle(draft.lines).join('\n'), depth, needed };
  }
}

class Draft {
  readonly lines: string[] = [];
  private readonly recipes = new Map<string, Recipe[]>();
  private readonly tagRecipes = new Map<string, Recipe[]>();
  private readonly tagOf = new Map<string, string>();
  private readonly names = new Set<string>();
  private readonly bases: string[] = [];
  /** What one craft of an item gives, where the amount needed was chosen with it. */
  private readonly yields = new Map<string, number>();

  constructor(
    private readonly random: Random,
    private readonly difficulty: Difficulty,
  ) {}

  /** Adds recipes until an item can be crafted in `depth` crafts; returns the actions of `runs` uses of its recipe. */
  grow(item: string, depth: number, runs: number): number {
    const { random, difficulty } = this;
    const width = random.between(...difficulty.inputs);
    const deepest = depth > 1 ? random.below(width) : -1;
    const inputs: Ingredient[] = [];
    let turns = runs;
    for (let i = 0; i < width; i++) {
      const below = i === deepest ? depth - 1 : random.below(Math.max(1, depth - 1));
      if (below > 0) {
        const kind = below === 1 && random.float() < difficulty.kinds;
        const name = kind ? this.freshWord() : this.freshName(item);
        const yields = this.yield();
        const uses = random.float() < difficulty.repeats ? random.between(2, 3) : 1;
        const count = uses === 1 ? random.between(1, yields) : Math.min(64, yields * (uses - 1) + random.between(1, yields));
        inputs.push({ name, tag: kind, count });
        turns += kind ? this.growKind(name, yields, runs * uses) : this.growItem(name, below, yields, runs * uses);
      } else {
        const name = this.baseName(item, inputs);
        inputs.push({ name, tag: false, count: this.count() });
        turns += 1;
      }
    }
    this.record({ output: item, count: this.yields.get(item) ?? this.yield(), inputs });
    return turns;
  }

  /** Adds recipes that look like the needed ones and lead nowhere. */
  distract(goal: string, count: number): void {
    const { random } = this;
    const known = [...this.names];
    const needed = [...this.recipes.values()].flat();
    const { siblings = 0 } = this.difficulty;
    for (let i = 0; i < count; i++) {
      if (siblings > 0 && random.float() < siblings) {
        this.sibling(random.pick(needed));
        continue;
      }
      const output = this.freshName(random.float() < 0.4 ? goal : random.pick(known));
      const inputs: Ingredient[] = [];
      for (let k = random.between(...this.difficulty.inputs); k > 0; k--) {
        const name = random.float() < 0.6 ? random.pick(known) : this.baseName(output, inputs);
        if (name !== goal && !inputs.some((input) => input.name === name)) {
          inputs.push({ name, tag: this.tagRecipes.has(name), count: this.count() });
        }
      }
      if (inputs.length === 0) inputs.push({ name: this.baseName(output, inputs), tag: false, count: this.count() });
      this.record({ output, count: this.yield(), inputs });
    }
  }

  /** The same recipe for another item: one word of the output is replaced, and in the ingredients that have it too. */
  private sibling({ output, count, inputs }: Recipe): void {
    const { random } = this;
    const parts = output.split('_');
    const shared = parts.filter((part) => inputs.some((input) => input.name.split('_').includes(part)));
    const old = random.pick(shared.length > 0 ? shared : parts);
    const renamed = (name: string, word: string): string =>
      name
        .split('_')
        .map((part) => (part === old ? word : part))
        .join('_');
    for (let tries = 0; tries < 8; tries++) {
      const word = random.pick(words().first);
      const name = renamed(output, word);
      if (this.names.has(name)) continue;
      this.names.add(name);
      const others = inputs.map((input) => (input.tag ? input : { ...input, name: renamed(input.name, word) }));
      for (const { name: input } of others) this.names.add(input);
      this.record({ output: name, count, inputs: others });
      return;
    }
  }

  book(): RecipeBook {
    const tags = new Set(this.tagRecipes.keys());
    const items = new Set<string>();
    for (const name of this.names) if (!tags.has(name)) items.add(name);
    return new RecipeBook({ recipes: this.recipes, tagRecipes: this.tagRecipes, tagOf: this.tagOf, tags, items });
  }

  /** A name that no item has; with `like`, often one that shares words with it. */
  freshName(like?: string): string {
    const { random } = this;
    const { first, last } = words();
    for (;;) {
      let name: string;
      if (like !== undefined && random.float() < this.difficulty.likeness) {
        const parts = like.split('_');
        parts[random.below(parts.length)] = random.pick(random.float() < 0.5 ? first : last);
        name = parts.join('_');
      } else {
        const draw = random.float();
        name = random.pick(last);
        if (draw < 0.75) name = `${random.pick(first)}_${name}`;
        if (draw < 0.15) name = `${random.pick(first)}_${name}`;
      }
      if (this.names.has(name)) continue;
      this.names.add(name);
      return name;
    }
  }

  private growItem(name: string, depth: number, yields: number, runs: number): number {
    this.yields.set(name, yields);
    return this.grow(name, depth, runs);
  }

  /** A kind: two to four items, each from one base item, any of which will do. */
  private growKind(tag: string, yields: number, runs: number): number {
    for (let k = this.random.between(2, 4); k > 0; k--) {
      const member = this.memberName(tag);
      this.tagOf.set(member, tag);
      this.record({ output: member, count: yields, inputs: [{ name: this.baseName(member, []), tag: false, count: 1 }] }, tag);
    }
    return runs + 1;
  }

  private memberName(tag: string): string {
    for (;;) {
      const name = `${this.random.pick(words().first)}_${tag}`;
      if (this.names.has(name)) continue;
      this.names.add(name);
      return name;
    }
  }

  private freshWord(): string {
    for (;;) {
      const name = this.random.pick(words().last);
      if (this.names.has(name)) continue;
      this.names.add(name);
      return name;
    }
  }

  /** A base item: now and then one that the world has already. */
  private baseName(like: string, taken: readonly Ingredient[]): string {
    const { random } = this;
    if (this.bases.length > 0 && random.float() < 0.25) {
      const again = random.pick(this.bases);
      if (!taken.some((input) => input.name === again)) return again;
    }
    const name = this.freshName(like);
    this.bases.push(name);
    return name;
  }

  private count(): number {
    const { random, difficulty } = this;
    return random.float() < 0.4 ? 1 : random.between(1, difficulty.maxCount);
  }

  private yield(): number {
    const { random } = this;
    return random.float() < 0.6 ? 1 : random.between(1, Math.min(6, this.difficulty.maxCount));
  }

  private record(recipe: Recipe, tag?: string): void {
    this.recipes.set(recipe.output, [recipe]);
    if (tag !== undefined) {
      const list = this.tagRecipes.get(tag);
      if (list) list.push(recipe);
      else this.tagRecipes.set(tag, [recipe]);
    }
    this.lines.push(recipeLine(recipe));
  }
}

let wordLists: { first: readonly string[]; last: readonly string[] } | undefined;

/** Words that only join others. */
export const joiningWords: ReadonlySet<string> = new Set(['a', 'and', 'of', 'on', 'the', 'o', 'using']);

/** The words that begin and end the names of real items. */
export function words(): { first: readonly string[]; last: readonly string[] } {
  if (!wordLists) {
    const first = new Set<string>();
    const last = new Set<string>();
    for (const { output, inputs } of recipeTable()) {
      for (const name of [output, ...inputs.map((input) => input.name)]) {
        const parts = name.split('_').filter((part) => !joiningWords.has(part));
        parts.forEach((part, i) => (i === parts.length - 1 ? last : first).add(part));
      }
    }
    wordLists = { first: [...first], last: [...last] };
  }
  return wordLists;
}
