/** Settings of ALFWorld, read once; throws ENV_BAD_SETTING with what a setting may be. */
import { AgogeError } from '../../core/error.ts';
import type { Settings } from '../registry.ts';
import type { HomeSettings } from './homes/generate.ts';
import type { Edition } from './world/wording.ts';

export interface AlfWorldOptions {
  /** Overrides the wording in a game's own file. */
  readonly edition: Edition | undefined;
  /** Which observations end with the list of admissible commands. */
  readonly listActions: 'first' | 'always' | 'never';
  /** Short texts say the same in a third of the tokens, for small policies. */
  readonly text: 'full' | 'short';
  readonly expert: 'blind' | 'informed';
  /** Steps until an episode ends unsolved; AgentGym's server has 50. */
  readonly limit: number;
  readonly homes: HomeSettings;
}

export function readOptions(given: Settings): AlfWorldOptions {
  return {
    edition: given['edition'] === undefined ? undefined : oneOf('edition', given['edition'], ['0.3', '0.4']),
    listActions: oneOf('listActions', given['listActions'] ?? 'first', ['first', 'always', 'never']),
    text: oneOf('text', given['text'] ?? 'full', ['full', 'short']),
    expert: oneOf('expert', given['expert'] ?? 'blind', ['blind', 'informed']),
    limit: given['limit'] === undefined || given['limit'] === 'none' ? Infinity : whole('limit', given['limit'], 1),
    homes: { seed: whole('seed', given['seed'] ?? '0', 0), difficulty: range(given['difficulty'] ?? '1') },
  };
}

function oneOf<const T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((choice) => choice === value);
  if (found === undefined) throw bad(name, value, allowed.join(' or '));
  return found;
}

function whole(name: string, text: string, least: number): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < least) throw bad(name, text, `a whole number from ${least}`);
  return value;
}

/** `0.5`, or `0-0.5`. */
function range(text: string): readonly [number, number] {
  const [low = NaN, high = low, ...more] = text.split('-').map((part) => (part.trim() === '' ? NaN : Number(part)));
  if (!(low >= 0 && high >= low && high <= 1) || more.length > 0)
    throw bad('difficulty', text, 'a number from 0 to 1, or a range such as 0-0.5');
  return [low, high];
}

function bad(name: string, value: string, remedy: string): AgogeError {
  return new AgogeError('ENV_BAD_SETTING', `alfworld.${name} is "${value}": set it to ${remedy}`);
}
