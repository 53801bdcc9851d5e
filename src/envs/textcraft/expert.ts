/**
 * A solver for any book of recipes. It plans from an inventory (empty, or whatever an agent has collected so far, so it can
 * also take over in the middle), gets each base item once in the amount that the whole plan needs, and crafts from the
 * bottom up. The `stack` style gets 64 at a time instead: the world does not limit it, and a learner need not multiply. The
 * `attempt` style works from the top down: it tries a craft as its line is written, and when that fails gets what is missing,
 * or crafts it where it cannot be got. It needs more actions, but each can be read off the last ones and one line of the prompt,
 * where the first action of a bottom-up plan follows from the whole tree; and it shows what to do after a failure. `retry` does
 * the same without counting: it tries again sooner, and fetches more when that was not enough (follow.ts).
 */
import { at } from '../../core/at.ts';
import type { Expert } from '../environment.ts';
import type { Recipe, RecipeBook } from './book.ts';
import { craftAction, itemOfTag, shallowest } from './choose.ts';
import { spaced } from './commands.ts';
import { Follower } from './follow.ts';
import type { TextCraftSettings } from './settings.ts';
import { World } from './world.ts';

export type ExpertStyle = TextCraftSettings['expert'];

export interface PlanOptions {
  readonly style?: ExpertStyle;
  /** What is held already; left as it is. */
  readonly inventory?: ReadonlyMap<string, bigint | number>;
}

const STACK = 64;

/** The actions that craft the goal, the last one crafting it. Throws only for a goal that no recipe of the book makes. */
export function plan(book: RecipeBook, goal: string, { style = 'exact', inventory }: PlanOptions = {}): string[] {
  if (style === 'attempt' || style === 'retry') return playedThrough(new World(book, goal, { inventory }), style);
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

/** Advises in a world of its own; `world` is left to the expert. */
export function expertIn(world: World, style: ExpertStyle): Expert {
  return style === 'attempt' || style === 'retry' ? new Follower(world, style) : new Planned(world, style);
}

/** Follows a plan, and makes a new one from the inventory when something else was played. */
class Planned implements Expert {
  readonly follows = true;
  private actions: string[];
  private advised: string | undefined;

  constructor(
    private readonly world: World,
    private readonly style: 'exact' | 'stack',
  ) {
    this.actions = plan(world.book, world.goal, { style });
  }

  next(_observation?: string, played = this.advised): string | null {
    const { world, style } = this;
    if (played !== undefined) world.step(played);
    if (played !== this.advised) this.actions = plan(world.book, world.goal, { style, inventory: world.inventory });
    this.advised = this.actions.shift();
    return this.advised ?? null;
  }
}

/** The actions of a follower whose advice is always taken. */
function playedThrough(world: World, style: 'attempt' | 'retry'): string[] {
  const follower = new Follower(world, style);
  const actions: string[] = [];
  for (let action = follower.next(); action !== null; action = follower.next()) actions.push(action);
  return actions;
}

function counts(inventory: PlanOptions['inventory']): Map<string, number> {
  return new Map(Array.from(inventory ?? [], ([item, count]) => [item, Number(count)]));
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
    const chosen = recipe.inputs.map((input) =>
      input.tag ? itemOfTag(book, input.name, (name) => held.get(name) ?? 0, input.count) : input.name,
    );
    // Making one ingredient may use up another that was ready (sticks use planks): look again until all are there.
    for (;;) {
      const short = chosen.find((name, i) => book.isCraftable(name) && (held.get(name) ?? 0) < at(recipe.inputs, i).count);
      if (short === undefined) break;
      make(short);
    }
    chosen.forEach((name, i) => held.set(name, (held.get(name) ?? 0) - at(recipe.inputs, i).count));
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
    chosen.forEach((name, i) => (total += name === item ? at(recipe.inputs, i).count : 0));
  }
  return total;
}
