/** SQLGym for the registry: light until it is asked for. */
import type { EnvironmentEntry } from '../registry.ts';

export const sqlGymEntry: EnvironmentEntry = {
  name: 'sqlgym',
  summary: 'answer questions about a database with SQL',
  settings: {
    bird: "BIRD's folder as it is unpacked, with train and dev (default: twelve databases of our own)",
    databases: 'with bird: only questions about these databases, separated by commas, where not all were fetched',
    turns: 'actions of an episode: 1 as in the original (default), more to look at the schema and try statements first',
    tables: 'without bird: tables that a description shows, those that are needed and some others (default: all)',
    seed: 'seed of the databases and questions of our own (default 0)',
    seconds: 'how long a statement may run (default 30)',
    memory: 'MiB of memory for the process that runs statements (default 768)',
    workers: 'statements that run at once, each in its own process (default 2)',
  },
  limits: { turns: 1 },
  items: { parameter: 'item_id' },
  rows: { ability: 'sql' },
  load: async (settings) => (await import('./sqlgym.ts')).sqlGym(settings),
  agentGym: async () => (await import('./agentgym.ts')).agentGym,
  drawing: async () => (await import('./draw.ts')).drawState,
};
