/** Generated problems as splits: training never ends, validation and test are two hundred each, from streams of their own. */
import type { Settings } from '../../registry.ts';
import type { DataRow, NamedRows } from '../row.ts';
import { badSetting } from '../settings.ts';
import { arithmeticRow } from './arithmetic.ts';
import { countdownRow } from './countdown.ts';
import { productRow } from './products.ts';
import { questionRows } from './questions.ts';
import { stringsRow } from './strings.ts';

const sizes = { train: Infinity, validation: 200, test: 200 } as const;

export function generatedRows(given: Settings): ReadonlyMap<string, NamedRows> {
  const kind = given['kind'] ?? 'arithmetic';
  const seed = whole('seed', given['seed'] ?? '0', Number.MAX_SAFE_INTEGER);
  const level = whole('level', given['level'] ?? '2', 4);
  if (kind === 'questions') return questionRows(seed);
  const make: Readonly<Record<string, (split: string, index: number) => DataRow>> = {
    arithmetic: (split, index) => arithmeticRow(seed, split, index, level),
    countdown: (split, index) => countdownRow(seed, split, index),
    strings: (split, index) => stringsRow(seed, split, index),
    products: (split, index) => productRow(seed, split, index),
  };
  const row = make[kind];
  if (!row) throw badSetting('kind', kind, [...Object.keys(make), 'questions'].join(', '));
  return new Map(
    Object.entries(sizes).map(([split, size]) => [
      split,
      { name: split === 'train' ? kind : `${kind}-${split}`, size, at: (index: number) => row(split, index) },
    ]),
  );
}

function whole(key: string, text: string, most: number): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0 || value > most) throw badSetting(key, text, `a whole number from 0 to ${most}`);
  return value;
}
