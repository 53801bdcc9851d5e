/** The kinds of invented worlds, by name. */
import { chain, hops, rooms, trail } from './kinds/chains.ts';
import { errors, fetch, gather } from './kinds/errands.ts';
import { form, pages } from './kinds/pages.ts';
import { counting, extremes, lookup, reverse } from './kinds/questions.ts';
import { conditions, limits, ordering, translate } from './kinds/rules.ts';
import type { Kind } from './world.ts';

export const kinds = {
  lookup,
  reverse,
  counting,
  extremes,
  chain,
  hops,
  trail,
  rooms,
  fetch,
  gather,
  errors,
  pages,
  form,
  conditions,
  limits,
  ordering,
  translate,
} satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;

export const kindNames = Object.keys(kinds) as KindName[];
