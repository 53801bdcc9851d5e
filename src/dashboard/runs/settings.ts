/** A recipe as dotted keys with their values, and where several recipes differ. */
import { parse } from 'yaml';
import type { RunComparison } from '../together-model.ts';

/** Keys that differ between any two runs and say nothing about them. */
const names: ReadonlySet<string> = new Set(['run', 'output']);

/** `rollout.samples` → `8`; an empty map where the recipe cannot be read. */
export function settingsOf(config: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  const add = (key: string, value: unknown): void => {
    const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    if (inner.length === 0) settings.set(key, typeof value === 'string' ? value : JSON.stringify(value));
    else for (const [name, one] of inner) add(key === '' ? name : `${key}.${name}`, one);
  };
  try {
    add('', parse(config, { maxAliasCount: 0 }) as unknown);
  } catch {
    return new Map();
  }
  settings.delete('');
  return settings;
}

/** A run without a recipe (an evaluation) differs in none of its keys. */
export function differing(recipes: readonly ReadonlyMap<string, string>[]): RunComparison['settings'] {
  const keys = [...new Set(recipes.flatMap((recipe) => [...recipe.keys()]))].filter((key) => !names.has(key));
  return keys
    .map((key) => ({ key, values: recipes.map((recipe) => recipe.get(key) ?? null) }))
    .filter(({ values }) => {
      const written = values.filter((_, i) => recipes[i]?.size !== 0);
      return written.some((value) => value !== written[0]);
    });
}
