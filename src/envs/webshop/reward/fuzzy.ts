/**
 * `token_set_ratio` as thefuzz 0.19 computes it with Python's difflib: how alike two texts are when the order and number of
 * their words does not count, 0 to 100.
 */
import { ratio } from 'fuzzball';
import { pythonStrip } from '../../../core/python/strings.ts';

export function tokenSetRatio(first: string, second: string): number {
  const a = words(first);
  const b = words(second);
  if (a.size === 0 || b.size === 0) return 0;
  const common = [...a].filter((word) => b.has(word)).sort(byCodeUnit);
  const onlyA = [...a].filter((word) => !b.has(word)).sort(byCodeUnit);
  const onlyB = [...b].filter((word) => !a.has(word)).sort(byCodeUnit);
  const shared = common.join(' ');
  const withA = [...common, ...onlyA].join(' ');
  const withB = [...common, ...onlyB].join(' ');
  if (common.length > 0 && (onlyA.length === 0 || onlyB.length === 0)) return 100;
  return Math.max(alike(shared, withA), alike(shared, withB), alike(withA, withB));
}

const asDifflib = { full_process: false, ratio_alg: 'difflib' } as const;

function alike(a: string, b: string): number {
  if (a === '' || b === '') return 0;
  return ratio(a, b, asDifflib);
}

/** Latin-1 letters beyond ASCII vanish, everything that is neither letter, number nor underscore separates. */
function words(text: string): Set<string> {
  const plain = text
    .replace(/[\x80-\xff]/g, '')
    .replace(/[^\p{L}\p{N}_]/gu, ' ')
    .toLowerCase();
  return new Set(pythonStrip(plain).split(/\s+/u).filter(Boolean));
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
