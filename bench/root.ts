/** The project's folder: the nearest above this file with a package.json, so that a bench finds it from its bundle as well. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = nearest(dirname(fileURLToPath(import.meta.url)));

/** A path inside of the project. */
export const inProject = (...path: readonly string[]): string => join(root, ...path);

function nearest(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const above = dirname(folder);
  if (above === folder) throw new Error(`${fileURLToPath(import.meta.url)} lies in no project: run it from a checkout of Agoge`);
  return nearest(above);
}
