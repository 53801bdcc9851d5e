/** TextCraft for the registry: light until it is asked for. */
import { defineEntry } from '../registry.ts';
import { settings } from './settings.ts';

export const textCraftEntry = defineEntry({
  name: 'textcraft',
  summary: 'craft Minecraft items from listed recipes (544 goals), or in random worlds without end',
  settings,
  limits: { turns: 30 },
  items: { parameter: 'data_idx' },
  // Rows hold the system message alone, so that verl's loop asks the environment for the first observation.
  rows: {
    ability: 'crafting',
    request: null,
    format: 'adapt',
    noAction:
      'Please provide a valid action. Example actions:\n- craft 1 blue dye using 1 lapis lazuli\n- get 9 slime ball\n- inventory',
  },
  load: async (given) => (await import('./textcraft.ts')).openTextCraft(given),
  agentGym: async () => (await import('./agentgym.ts')).agentGym,
  drawing: async () => (await import('./draw.ts')).drawState,
});
