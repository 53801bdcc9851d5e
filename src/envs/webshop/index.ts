/** WebShop for the registry: light until it is asked for. */
import type { EnvironmentEntry } from '../registry.ts';

export const webShopEntry: EnvironmentEntry = {
  name: 'webshop',
  summary: 'shop for a product that fits an instruction: search, compare, choose options, buy',
  settings: {
    products: 'file of products, JSON as distributed with WebShop (default: a generated catalogue)',
    attributes: 'file of attributes and instructions for those products (items_ins_v2_1000.json, items_ins_v2.json)',
    limit: 'only the first so many records of the file (AgentGym takes 1000)',
    size: 'number of products in the generated catalogue (default 2400)',
    seed: 'seed of the generated catalogue and of prices within ranges (default 0)',
    page: 'products on a page of results (default 10, as in the original)',
  },
  limits: { turns: 10 },
  rows: { ability: 'shopping', request: 'Please help me with my shopping task.' },
  load: async (settings) => (await import('./webshop.ts')).webShop(settings),
  agentGym: async () => (await import('./agentgym.ts')).agentGym,
  reading: async () => (await import('./reading.ts')).readPage,
};
