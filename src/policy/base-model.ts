/**
 * Where the policies that ship lie: in models/, the same place seen from src/ and from dist/, or in the package that a release installs
 * beside Agoge for those who use them.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AgogeError } from '../core/error.ts';

/** Carries the models of a release. */
export const modelsPackage = '@agoge/models';

const folder = modelsFolder();

/** Where the model that ships lies. */
export const baseModelFolder: string = join(folder, 'base');

/** Where the start for environments of one's own lies. */
export const readerModelFolder = join(folder, 'reader');

/** The folder of a shipped model, if it is there; throws MODEL_NOT_INSTALLED where the package was left out. */
export function shippedModel(model: string): string {
  if (existsSync(model)) return model;
  throw new AgogeError(
    'MODEL_NOT_INSTALLED',
    `the package ${modelsPackage} is not installed, so there are no shipped models here: install agoge again without --omit=optional, or npm install ${modelsPackage} in the version of agoge`,
  );
}

function modelsFolder(): string {
  const own = fileURLToPath(new URL('../../models', import.meta.url));
  if (existsSync(own)) return own;
  try {
    return dirname(createRequire(import.meta.url).resolve(`${modelsPackage}/package.json`));
  } catch {
    return own;
  }
}
