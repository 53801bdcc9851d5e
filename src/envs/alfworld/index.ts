/** ALFWorld for the registry: light until it is asked for. */
import { defineEntry } from '../registry.ts';
import { settings } from './settings.ts';

export const alfWorldEntry = defineEntry({
  name: 'alfworld',
  summary:
    'keep a household: find things, clean, heat or cool them, put them where they belong (official games, or homes without end)',
  settings,
  limits: { turns: 30 },
  items: { parameter: 'game', named: /_trial_T\d+_\d+_\d+$/ },
  rows: {
    ability: 'household',
    noAction:
      'Please provide a valid action. Example actions: go to <object>, take <object> from <receptacle>, put <object> in/on <receptacle>, examine <object>',
  },
  load: async (given) => (await import('./alfworld.ts')).openAlfWorld(given),
  agentGym: async () => (await import('./agentgym.ts')).agentGym,
  drawing: async () => (await import('./draw.ts')).drawState,
});
