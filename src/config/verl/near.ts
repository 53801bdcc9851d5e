/** Paths of a verl configuration are written from verl's own folder: where a file lies beside the YAML instead, that one is meant. */
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expandHome } from '../home.ts';
import type { Converted } from './draft.ts';

export async function interactionsNear(converted: Converted, folder: string): Promise<Converted> {
  const { interactions } = converted.recipe;
  if (typeof interactions !== 'string' || (await exists(expandHome(interactions)))) return converted;
  const near = join(folder, basename(interactions));
  if (await exists(near)) {
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

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
