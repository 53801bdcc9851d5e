/** ScienceWorld for the registry: light until it is asked for. */
import { defineEntry } from '../registry.ts';
import { settings } from './settings.ts';

export const sciWorldEntry = defineEntry({
  name: 'sciworld',
  summary: 'experiments of school science in a simulated house: 30 tasks, 7,207 variations',
  settings,
  limits: { turns: 30 },
  items: { parameter: 'data_idx' },
  // Its servers count scores to 100.
  rows: {
    ability: 'science',
    keptAbove: 99,
    noAction:
      'Please provide a valid action. Example actions: move to <location>, take <object> from <location>, use <object> on <target>, read <object>, pour <object> from/to <container>',
  },
  load: async (given) => (await import('./sciworld.ts')).openSciWorld(given),
  agentGym: async () => (await import('./agentgym.ts')).agentGym,
  drawing: async () => (await import('./draw.ts')).drawState,
});
