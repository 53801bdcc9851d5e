/** An environment of the user's own, from a file or a package. */
import { AgogeError } from '../core/error.ts';
import { hashOfOwn, importOwn } from '../user-modules/load-file.ts';
import { wasHeld } from '../user-modules/held.ts';
import type { Environment } from './environment.ts';
import type { Settings } from './settings.ts';

/** Of environments that were loaded from a file: its hash. Their version is what their author says, and forgets to raise. */
const sources = new WeakMap<Environment, string>();

/** Changes when the file that an environment was loaded from does; of others undefined. */
export function sourceOf(environment: Environment): string | undefined {
  return sources.get(environment);
}

/** By what rules it is played: its version, and of one that was loaded from a file the file's hash after a plus. */
export function rulesOf(environment: Environment): string {
  return [environment.version, sourceOf(environment) ?? []].flat().join('+');
}

/** What the module exports as default or as `environment`: an environment, or a function that makes one of settings as texts. */
export async function loadEnvironmentFile(spec: string, settings: Settings = {}): Promise<Environment> {
  const environment = await openFile(spec, settings);
  if (!wasHeld(spec)) sources.set(environment, (await hashOfOwn(spec)).slice(0, 12));
  return environment;
}

async function openFile(spec: string, settings: Settings): Promise<Environment> {
  const module = await importOwn(spec, { area: 'ENV', what: 'an environment' });
  const exported = module['default'] ?? module['environment'];
  if (typeof exported === 'function') {
    const made: unknown = await (exported as (settings: Readonly<Record<string, string>>) => unknown)(texts(settings));
    if (isEnvironment(made)) return made;
  }
  if (isEnvironment(exported)) return withSettings(exported, settings);
  throw new AgogeError(
    'ENV_BAD_FILE',
    `${spec} exports no environment: export one as default, by defineEnvironment or as an object with name, version, splits, tasks, open and instructions`,
  );
}

function withSettings(environment: Environment, settings: Settings): Environment {
  const [key] = Object.keys(settings);
  if (key === undefined) return environment;
  if (environment.configured) return environment.configured(settings);
  throw new AgogeError('ENV_UNKNOWN_SETTING', `${environment.name} has no setting "${key}": it has none, leave it out`);
}

function texts(settings: Settings): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, String(value)]));
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
