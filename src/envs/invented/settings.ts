/** Settings of the invented worlds: which kinds, and how hard. */
import { AgogeError } from '../../core/error.ts';
import { choice } from '../../core/nearest.ts';
import type { Settings } from '../registry.ts';
import { kindNames, type KindName } from './kinds.ts';

export interface InventedOptions {
  readonly kinds: readonly KindName[];
  /** From the easiest to the hardest world, within 0 and 1. */
  readonly difficulty: readonly [number, number];
}

export function inventedSettings(given: Settings): InventedOptions {
  return { kinds: kindsOf(given['kind']), difficulty: difficultyOf(given['difficulty']) };
}

function kindsOf(text: string | undefined): readonly KindName[] {
  if (text === undefined) return kindNames;
  return text.split(',').map((part) => {
    const known = kindNames.find((name) => name === part.trim());
    if (!known)
      throw new AgogeError('ENV_BAD_SETTING', `invented.kind has no "${part.trim()}": ${choice(part.trim(), kindNames)}`);
    return known;
  });
}

function difficultyOf(text = '0-1'): readonly [number, number] {
  const [, low, high] = /^([\d.]+)(?:-([\d.]+))?$/.exec(text) ?? [];
  const range: [number, number] = [Number(low), Number(high ?? low)];
  if (!(range[0] >= 0 && range[1] >= range[0] && range[1] <= 1))
    throw new AgogeError('ENV_BAD_SETTING', `invented.difficulty is "${text}": set it to a number or a range within 0-1`);
  return range;
}
