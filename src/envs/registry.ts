/**
 * The environments that ship, by name. Each is loaded when it is first asked for, so that `agoge eval textcraft` does not
 * pay for WebShop's catalogue. Settings come from `--set <env>.<key>=<value>` and recipes.
 */
import { AgogeError } from '../core/error.ts';
import { choice } from '../core/nearest.ts';
import type { Environment } from './environment.ts';
import type { EnvironmentFacts } from './facts.ts';
import { readSettings, type Settings, type SettingsOf, type SettingsShape } from './settings.ts';

export type { Settings } from './settings.ts';

/** An environment in the registry: its name, what it says about itself, and how it is loaded. */
export interface EnvironmentEntry<S extends SettingsShape = SettingsShape> extends EnvironmentFacts {
  readonly name: string;
  readonly summary: string;
  /** Settings it understands, with what each is for (`describe`). Unknown ones are refused. */
  readonly settings: S;
  load(settings: SettingsOf<S>): Promise<Environment>;
}

/** An entry whose `load` is given its settings by their types. */
export function defineEntry<const S extends SettingsShape>(entry: EnvironmentEntry<S>): EnvironmentEntry<S> {
  return entry;
}

const entries = new Map<string, EnvironmentEntry>();
/** Names by what stands before the number in an item's id, where that is another word. */
const byPrefix = new Map<string, string>();

/** Adds an environment under its name, to be loaded when it is first asked for. */
export function registerEnvironment(entry: EnvironmentEntry): void {
  entries.set(entry.name, entry);
  const { prefix, also = [] } = entry.items ?? {};
  for (const word of prefix === undefined ? also : [prefix, ...also]) byPrefix.set(word, entry.name);
}

/**
 * All environments that can be loaded by their name.
 *
 * @example
 * console.log(environmentEntries().map(({ name }) => name)); // textcraft, babyai, …
 */
export function environmentEntries(): readonly EnvironmentEntry[] {
  return [...entries.values()];
}

/** The one of this name, where there is one. */
export function environmentEntry(name: string): EnvironmentEntry | undefined {
  return entries.get(name);
}

/** The environment of an item's id by what stands before the number; a word that nobody has claimed is a name itself. */
export function environmentOfPrefix(prefix: string): string {
  return byPrefix.get(prefix) ?? prefix;
}

/**
 * Loads an environment with its settings; throws ENV_UNKNOWN, ENV_UNKNOWN_SETTING or ENV_BAD_SETTING.
 *
 * @example
 * const textcraft = await loadEnvironment('textcraft');
 * await using episode = await textcraft.open({ env: 'textcraft', split: 'test', index: 17 });
 * const { observation } = await episode.step('inventory');
 * console.log(observation);
 */
export async function loadEnvironment(name: string, settings: Settings = {}): Promise<Environment> {
  const entry = entries.get(name);
  if (!entry) {
    throw new AgogeError('ENV_UNKNOWN', `there is no environment "${name}": ${choice(name, [...entries.keys()])}`);
  }
  return entry.load(readSettings(name, entry.settings, settings));
}
