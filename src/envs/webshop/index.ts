/** WebShop for the registry: light until it is asked for. */
import { defineEntry } from '../registry.ts';
import { settings } from './settings.ts';

export const webShopEntry = defineEntry({
  name: 'webshop',
  summary: 'shop for a product that fits an instruction: search, compare, choose options, buy',
  settings,
  limits: { turns: 10 },
  rows: {
    ability: 'shopping',
    request: 'Please help me with my shopping task.',
    noAction: 'Please provide a valid action (search[...] or click[...]).',
  },
  load: async (given) => (await import('./webshop.ts')).openWebShop(given),
  agentGym: async () => (await import('./agentgym.ts')).agentGym,
  reading: async () => (await import('./pages/reading.ts')).readPage,
});
