/** `--set textcraft.edition=2024`: settings of environments, as the registry takes them. */
import { AgogeError } from '../../core/error.ts';
import type { Settings } from '../../envs/registry.ts';

/** Help of --server; config/servers.ts reads it. */
export const serverHelp = 'limit on servers: timeout, wait (seconds), max_answer (bytes), max_tasks, connections (repeatable)';

/** For commander: collects a repeated option. */
export function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

/** Help of --generated. */
export const generatedHelp = 'let official ids play tasks of our own where the official files are not given';

export interface SettingOptions {
  readonly set: readonly string[];
  readonly generated?: true | undefined;
}

/** What --set and --generated say, by environment. `--generated` is for those that have stand-ins. */
export async function givenSettings(
  { set, generated }: SettingOptions,
  names: readonly string[],
): Promise<ReadonlyMap<string, Settings>> {
  const settings = settingsByEnvironment(set, names);
  if (generated !== true) return settings;
  await import('../../envs/builtin.ts');
  const { environmentEntry } = await import('../../envs/registry.ts');
  const stood = names.filter((name) => 'generated' in (environmentEntry(name)?.settings ?? {}));
  return new Map([...settings, ...stood.map((name) => [name, { generated: true, ...settings.get(name) }] as const)]);
}

/** Settings by environment; throws CLI_USAGE_SETTING for another form, or an environment that is not among `names`. */
export function settingsByEnvironment(given: readonly string[], names: readonly string[]): ReadonlyMap<string, Settings> {
  const settings = new Map<string, Record<string, string>>();
  for (const text of given) {
    const match = /^([^.=\s]+)\.([^=\s]+)=(.*)$/s.exec(text);
    const [, env, key, value] = match ?? [];
    if (env === undefined || key === undefined || value === undefined) {
      throw new AgogeError(
        'CLI_USAGE_SETTING',
        `"${text}" is not a setting: write --set environment.key=value, for example textcraft.edition=2024`,
      );
    }
    if (!names.includes(env)) {
      throw new AgogeError(
        'CLI_USAGE_SETTING',
        `--set ${text} is for "${env}", which is not among ${names.join(', ')}: name it in the command too`,
      );
    }
    settings.set(env, { ...settings.get(env), [key]: value });
  }
  return settings;
}
