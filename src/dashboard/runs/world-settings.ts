/** The settings with which a run opened an environment, from its recipe, so that whoever takes over plays in the same world. */
import { parse } from 'yaml';

/** Nothing where the recipe gives none, or cannot be read. */
export function worldSettings(config: string, environment: string): Readonly<Record<string, string>> {
  try {
    const { tasks } = (parse(config, { maxAliasCount: 0 }) ?? {}) as { tasks?: unknown };
    const entries = (Array.isArray(tasks) ? tasks : []) as readonly { env?: unknown; settings?: Record<string, unknown> }[];
    const settings = entries.find(({ env }) => env === environment)?.settings ?? {};
    return Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, String(value)]));
  } catch {
    return {};
  }
}
