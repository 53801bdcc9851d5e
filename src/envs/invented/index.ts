/** The invented worlds for the registry: light until they are asked for. */
import type { EnvironmentEntry } from '../registry.ts';

export const inventedEntry: EnvironmentEntry = {
  name: 'invented',
  summary: 'worlds made up one by one: tables, trails, errands, forms, rules and errors, in words and formats of their own',
  settings: {
    kind: 'kinds of worlds, separated by commas: lookup, reverse, counting, extremes, chain, hops, trail, rooms, fetch, gather, errors, pages, form, conditions, limits, ordering, translate (default all)',
    difficulty: 'a number or a range within 0-1 (default 0-1)',
  },
  load: async (settings) => (await import('./invented.ts')).inventedEnvironment(settings),
};
