/** Paths of a verl configuration are written from verl's own folder: where a file lies beside the YAML instead, that one is meant. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expandHome } from '../home.ts';
import type { Converted } from './draft.ts';
import { nearFile } from './launch.ts';

export function interactionsNear(converted: Converted, folder: string): Converted {
  const { interactions } = converted.recipe;
  if (typeof interactions !== 'string' || existsSync(expandHome(interactions))) return converted;
  const near = nearFile(interactions, join(folder, 'here'));
  if (near !== undefined) {
    return {
      ...converted,
      recipe: { ...converted.recipe, interactions: near },
      notes: [...converted.notes, `${interactions} is not here; ${near} beside the file is used`],
    };
  }
  return {
    ...converted,
    notes: [...converted.notes, `${interactions} is not here: run the recipe where it is, or set interactions=<file>`],
  };
}
