/** Settings of the invented worlds: which kinds, and how hard. */
import { range, words, type SettingsOf } from '../settings.ts';

export const settings = {
  kind: words()
    .optional()
    .describe(
      'kinds of worlds, separated by commas: lookup, reverse, counting, extremes, chain, hops, trail, rooms, fetch, gather, errors, pages, form, conditions, limits, ordering, translate (default all)',
    ),
  difficulty: range(0, 1, { parts: true }).default([0, 1]).describe('a number or a range within 0-1 (default 0-1)'),
};

export type InventedSettings = SettingsOf<typeof settings>;
