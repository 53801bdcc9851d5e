/** The invented worlds for the registry: light until they are asked for. */
import { defineEntry } from '../registry.ts';
import { settings } from './settings.ts';

export const inventedEntry = defineEntry({
  name: 'invented',
  summary: 'worlds made up one by one: tables, trails, errands, forms, rules and errors, in words and formats of their own',
  settings,
  load: async (given) => (await import('./invented.ts')).openInvented(given),
});
