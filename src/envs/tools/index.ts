/** The tool environments for the registry: light until they are asked for. */
import type { EnvironmentEntry } from '../registry.ts';

const settings = { seed: 'number of the world that answers (default 0)' };
const recordable = {
  ...settings,
  recorded: 'folder of recorded answers of the original service, which are given before those of our world (docs/tools.md)',
  questions: 'AgentGym’s own question file (Toolusage/data/<name>.jsonl), asked over the recorded answers alone',
};
const drawing = async (): Promise<typeof import('./core/draw.ts').drawState> => (await import('./core/draw.ts')).drawState;

export const toolEntries: readonly EnvironmentEntry[] = [
  {
    name: 'weather',
    summary: 'answer questions about weather and places by calling tools (AgentGym’s, over a sky of our own)',
    settings: recordable,
    load: async (given) => (await import('./weather/weather.ts')).weather(given),
    drawing,
  },
  {
    name: 'todo',
    summary: 'look after to-do lists by calling tools: questions and errands (AgentGym’s tools, a service of our own)',
    settings,
    load: async (given) => (await import('./todo/todo.ts')).todo(given),
    drawing,
  },
  {
    name: 'movie',
    summary: 'answer questions about films and people by calling tools (AgentGym’s, over invented films)',
    settings: recordable,
    load: async (given) => (await import('./movie/movie.ts')).movie(given),
    drawing,
  },
  {
    name: 'academia',
    summary: 'answer questions about papers and authors by calling tools (AgentGym’s, over invented papers)',
    settings: recordable,
    load: async (given) => (await import('./academia/academia.ts')).academia(given),
    drawing,
  },
  {
    name: 'sheet',
    summary: 'change a spreadsheet by calling tools: sort, filter, formulas (AgentGym’s tools, a sheet of our own)',
    settings,
    load: async (given) => (await import('./sheet/sheet.ts')).sheet(given),
    drawing,
  },
];
