/** Data sets as an environment, for the registry: light until it is asked for. */
import { defineEntry } from '../registry.ts';
import { settings } from './settings.ts';

export const dataEntry = defineEntry({
  name: 'data',
  summary: 'rows of a data set as tasks, single-turn or with tools: verl RL parquet, JSONL, CSV, or generated problems',
  settings,
  limits: { turns: 1 },
  load: async (given) => (await import('./data.ts')).openData(given),
});
