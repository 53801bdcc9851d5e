/** Paths of a verl configuration are written from verl's own folder: where a file lies beside the YAML instead, that one is meant. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expandHome } from '../home.ts';
import type { Converted } from './draft.ts';
import { nearFile } from './launch.ts';

/** The files of interactions and of tools, each as the one that is there. */
export function filesNear(converted: Converted, folder: string): Converted {
  const notes: string[] = [];
  const places = new Map<string, string>();
  const near = (named: unknown, setting: string): unknown => {
    if (typeof named !== 'string' || existsSync(expandHome(named))) return named;
    const known = places.get(named);
    if (known !== undefined) return known;
    const found = nearFile(named, join(folder, 'here'));
    notes.push(
      found === undefined
        ? `${named} is not here: run the recipe where it is, or set ${setting}=<file>`
        : `${named} is not here; ${found} beside the file is used`,
    );
    places.set(named, found ?? named);
    return found ?? named;
  };
  const { recipe } = converted;
  const { interactions, tasks, evaluate } = recipe as {
    interactions?: unknown;
    tasks?: unknown;
    evaluate?: { panels?: unknown };
  };
  const entries = (list: unknown): unknown =>
    Array.isArray(list) ? (list as Entry[]).map((entry) => withTools(entry, near)) : list;
  return {
    ...converted,
    recipe: {
      ...recipe,
      ...(interactions !== undefined && { interactions: near(interactions, 'interactions') }),
      ...(tasks !== undefined && { tasks: entries(tasks) }),
      ...(evaluate?.panels !== undefined && { evaluate: { ...evaluate, panels: entries(evaluate.panels) } }),
    },
    notes: [...converted.notes, ...notes],
  };
}

interface Entry {
  readonly settings?: { readonly tools?: unknown };
}

function withTools(entry: Entry, near: (named: unknown, setting: string) => unknown): Entry {
  const { settings } = entry;
  if (settings?.tools === undefined) return entry;
  return { ...entry, settings: { ...settings, tools: near(settings.tools, 'tasks.0.settings.tools') } };
}
