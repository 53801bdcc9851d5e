/** TextCraft for the registry: light until it is asked for. */
import type { EnvironmentEntry } from '../registry.ts';

export const textCraftEntry: EnvironmentEntry = {
  name: 'textcraft',
  summary: 'craft Minecraft items from listed recipes (544 goals), or in random worlds without end',
  settings: {
    edition: 'goal order and recipe tree: 2025 (default) or 2024 (AgentTraj-L)',
    quirk:
      'craft an item by the recipes of its ingredients too, as servers before September 2025 allowed (default: true in edition 2024)',
    seed: 'seed of distractors, line order and generated worlds (default 42)',
    expert:
      'exact (default) gets what the plan needs; stack gets 64 at a time; attempt tries a craft first and fetches what is missing; retry does so without counting',
    depth: 'depth of generated worlds: a number or a range such as 1-2',
    distractors: 'distractors of generated worlds: a number or a range such as 0-4',
    siblings: 'share of distractors of generated worlds that are a needed recipe with one word replaced (default 0)',
  },
  limits: { turns: 30 },
  items: { parameter: 'data_idx' },
  // Rows hold the system message alone, so that verl's loop asks the environment for the first observation.
  rows: { ability: 'crafting', request: null, format: 'adapt' },
  load: async (settings) => (await import('./textcraft.ts')).textCraft(settings),
  agentGym: async () => (await import('./agentgym.ts')).agentGym,
  drawing: async () => (await import('./draw.ts')).drawState,
};
