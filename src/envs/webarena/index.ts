/** WebArena for the registry: light until it is asked for. */
import { defineEntry } from '../registry.ts';
import { settings } from './settings.ts';

export const webArenaEntry = defineEntry({
  name: 'webarena',
  summary: 'reach objectives on web sites with a browser',
  settings,
  limits: { turns: 15 },
  items: { parameter: 'idx' },
  rows: { ability: 'browsing', format: 'direct' },
  load: async (given) => (await import('./webarena.ts')).openWebArena(given),
  agentGym: async () => (await import('./agentgym.ts')).agentGym,
});
