/** BabyAI for the registry: light until it is asked for. */
import type { EnvironmentEntry } from '../registry.ts';

export const babyAIEntry: EnvironmentEntry = {
  name: 'babyai',
  summary: 'find, fetch, open and arrange things in a grid of rooms (40 levels), or in fresh mazes without end',
  settings: {
    listActions: 'end each observation with the available actions: true (default, as servers since 2025) or false (AgentTraj-L)',
    levels: 'levels of the generated splits by name or family, separated by commas, or all (default: the 18 of AgentGym)',
    ending: 'agentgym (default): a completion worth 0.5 or less does not end the episode; first: every completion does',
    aliases: 'true: take "pick up" for "pickup" (default false, as AgentGym)',
  },
  limits: { turns: 20 },
  items: { parameter: 'data_idx' },
  rows: { ability: 'navigation', keptAbove: 0 },
  load: async (settings) => (await import('./babyai.ts')).babyAI(settings),
  agentGym: async () => (await import('./agentgym.ts')).agentGym,
  drawing: async () => (await import('./draw.ts')).drawState,
};
