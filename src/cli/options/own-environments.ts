/** Environments of the user's own for the dashboard's play page: which ones a recipe names, and how one is opened. */
import type { Environment } from '../../envs/environment.ts';
import { isOwn } from '../../user-modules/load-file.ts';
import { isEnvironmentPackage } from '../../user-modules/packages.ts';

/** Files and packages that stand as `env` anywhere in a recipe, each once. */
export function ownEnvironments(recipe: unknown): readonly string[] {
  const here = [...new Set(named(recipe))].filter((spec) => !/@[a-z+]+:/.test(spec)); // not those on servers
  return here.filter((spec) => isOwn(spec) || isEnvironmentPackage(spec));
}

/** Opens one; throws what its file or package throws. */
export async function openOwn(spec: string): Promise<Environment> {
  await import('../../envs/builtin.ts');
  const { openEnvironment } = await import('../../gym/client/connect.ts');
  return openEnvironment(spec);
}

function named(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) => (key === 'env' && typeof value === 'string' ? [value] : named(value)));
}
