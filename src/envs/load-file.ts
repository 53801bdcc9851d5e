/** An environment of the user's own, from a file or a package. */
import { AgogeError } from '../core/error.ts';
import { importOwn } from '../user-modules/load-file.ts';
import type { Environment } from './environment.ts';
import type { Settings } from './registry.ts';

/** The environment that the module exports as default or as `environment`, itself or as a function of the settings. */
export async function loadEnvironmentFile(spec: string, settings: Settings = {}): Promise<Environment> {
  const module = await importOwn(spec, { area: 'ENV', what: 'an environment' });
  const exported = module['default'] ?? module['environment'];
  const environment: unknown =
    typeof exported === 'function' ? await (exported as (settings: Settings) => unknown)(settings) : exported;
  if (isEnvironment(environment)) return environment;
  throw new AgogeError(
    'ENV_BAD_FILE',
    `${spec} exports no environment: export one as default, by defineEnvironment or as an object with name, version, splits, tasks, open and instructions`,
  );
}

function isEnvironment(value: unknown): value is Environment {
  if (typeof value !== 'object' || value === null) return false;
  const { name, version, splits, tasks, open, instructions } = value as Record<string, unknown>;
  return (
    typeof name === 'string' &&
    typeof version === 'string' &&
    Array.isArray(splits) &&
    typeof tasks === 'function' &&
    typeof open === 'function' &&
    typeof instructions === 'object'
  );
}
