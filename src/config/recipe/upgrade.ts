/**
 * Recipes of earlier versions in today's words. What is refused today is rewritten. Where only a default has changed, a run keeps what it
 * began with, and a recipe is told; a key that is there stands. `upgrade-rules.ts` has the list.
 */
import { upgradeRules, type Edit, type Recipe } from './upgrade-rules.ts';

export interface Change {
  /** One sentence for people. */
  readonly note: string;
  /** What was written for it; empty where nothing was. */
  readonly edits: readonly Edit[];
  /** What would keep the behaviour of before, where it was not written. */
  readonly keep?: readonly Edit[];
}

export interface Upgraded {
  readonly config: unknown;
  readonly changes: readonly Change[];
}

/** `defaults: 'keep'` writes out what a default was, as a run needs it that goes on; `'tell'` leaves today's. */
export function upgradeRecipe(config: unknown, defaults: 'keep' | 'tell' = 'keep'): Upgraded {
  if (!isSection(config)) return { config, changes: [] };
  const changes: Change[] = [];
  let recipe = config;
  for (const rule of upgradeRules) {
    const found = rule.find(config);
    if (!found) continue;
    const { edits = [], note } = found;
    if (rule.only === 'default' && defaults === 'tell') {
      changes.push({ note, edits: [], keep: edits });
    } else {
      changes.push({ note, edits });
      recipe = edits.reduce(edited, recipe);
    }
  }
  return { config: recipe, changes };
}

/** What changed and what was written for it, or would be. */
export function changeInWords({ note, edits, keep = [] }: Change): string {
  if (keep.length > 0) return `${note}; as before: ${written(keep)} (--keep writes it)`;
  return edits.some(({ value }) => value !== undefined) ? `${note} (${written(edits)})` : note;
}

function written(edits: readonly Edit[]): string {
  return edits.flatMap(({ key, value }) => (value === undefined ? [] : `${key.join('.')}: ${JSON.stringify(value)}`)).join(', ');
}

function edited(recipe: Recipe, { key: [first = '', ...rest], value }: Edit): Recipe {
  if (rest.length === 0) {
    const { [first]: _, ...others } = recipe;
    return value === undefined ? others : { ...recipe, [first]: value };
  }
  const inner = recipe[first];
  return { ...recipe, [first]: edited(isSection(inner) ? inner : {}, { key: rest, value }) };
}

function isSection(value: unknown): value is Recipe {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
