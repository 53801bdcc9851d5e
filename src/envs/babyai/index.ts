/** BabyAI for the registry: light until it is asked for. */
import { defineEntry } from '../registry.ts';
import { settings } from './settings.ts';

export const babyAIEntry = defineEntry({
  name: 'babyai',
  summary: 'find, fetch, open and arrange things in a grid of rooms (40 levels), or in fresh mazes without end',
  settings,
  limits: { turns: 20 },
  items: { parameter: 'data_idx' },
  rows: {
    ability: 'navigation',
    keptAbove: 0,
    noAction: 'Please provide a valid action. Valid actions: turn left, turn right, go forward, pick up, drop, toggle',
  },
  load: async (given) => (await import('./babyai.ts')).openBabyAI(given),
  agentGym: async () => (await import('./agentgym.ts')).agentGym,
  drawing: async () => (await import('./draw.ts')).drawState,
});
