/** SQLGym for the registry: light until it is asked for. */
import { defineEntry } from '../registry.ts';
import { settings } from './settings.ts';

export const sqlGymEntry = defineEntry({
  name: 'sqlgym',
  summary: 'answer questions about a database with SQL',
  settings,
  limits: { turns: 1 },
  items: { parameter: 'item_id' },
  rows: { ability: 'sql', noAction: 'Please provide a valid SQL query. Example: SELECT column FROM table WHERE condition' },
  load: async (given) => (await import('./sqlgym.ts')).openSqlGym(given),
  agentGym: async () => (await import('./agentgym.ts')).agentGym,
  drawing: async () => (await import('./draw.ts')).drawState,
});
