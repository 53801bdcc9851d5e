/** Generated problems as splits: training never ends, validation and test are two hundred each, from streams of their own. */
import type { DataRow, NamedRows } from '../row.ts';
import type { DataSettings } from '../settings.ts';
import { arithmeticRow } from './arithmetic.ts';
import { countdownRow } from './countdown.ts';
import { productRow } from './products.ts';
import { questionRows } from './questions.ts';
import { stringsRow } from './strings.ts';

const sizes = { train: Infinity, validation: 200, test: 200 } as const;

export function generatedRows({ kind = 'arithmetic', seed = 0, level = 2 }: DataSettings): ReadonlyMap<string, NamedRows> {
  if (kind === 'questions') return questionRows(seed);
  const make: Readonly<Record<typeof kind, (split: string, index: number) => DataRow>> = {
    arithmetic: (split, index) => arithmeticRow(seed, split, index, level),
    countdown: (split, index) => countdownRow(seed, split, index),
    strings: (split, index) => stringsRow(seed, split, index),
    products: (split, index) => productRow(seed, split, index),
  };
  const row = make[kind];
  return new Map(
    Object.entries(sizes).map(([split, size]) => [
      split,
      { name: split === 'train' ? kind : `${kind}-${split}`, size, at: (index: number) => row(split, index) },
    ]),
  );
}
