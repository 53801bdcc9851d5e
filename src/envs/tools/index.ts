/** The tool environments for the registry: light until they are asked for. */
import type { EnvironmentFacts } from '../facts.ts';
import type { EnvironmentEntry } from '../registry.ts';
import type { ToolServer } from './agentgym.ts';

const settings = { seed: 'number of the world that answers (default 0)' };
const recordable = {
  ...settings,
  recorded: 'folder of recorded answers of the original service, which are given before those of our world (docs/tools.md)',
  questions: 'AgentGym’s own question file (Toolusage/data/<name>.jsonl), asked over the recorded answers alone',
};

/** What they say alike. Ids of three servers carry no word before the name, but `tool_weather_3` is understood as well. */
function factsOf(name: ToolServer, prefix: string = name): EnvironmentFacts {
  return {
    items: { prefix, also: [`tool_${name}`], parameter: 'id' },
    agentGym: async () => (await import('./agentgym.ts')).toolAgentGym(name),
    drawing: async () => (await import('./core/draw.ts')).drawState,
  };
}

export const toolEntries: readonly EnvironmentEntry[] = [
  {
    name: 'weather',
    summary: 'answer questions about weather and places by calling tools (AgentGym’s, over a sky of our own)',
    settings: recordable,
    load: async (given) => (await import('./weather/weather.ts')).weather(given),
    ...factsOf('weather'),
  },
  {
    name: 'todo',
    summary: 'look after to-do lists by calling tools: questions and errands (AgentGym’s tools, a service of our own)',
    settings,
    load: async (given) => (await import('./todo/todo.ts')).todo(given),
    ...factsOf('todo'),
  },
  {
    name: 'movie',
    summary: 'answer questions about films and people by calling tools (AgentGym’s, over invented films)',
    settings: recordable,
    load: async (given) => (await import('./movie/movie.ts')).movie(given),
    ...factsOf('movie'),
  },
  {
    name: 'academia',
    summary: 'answer questions about papers and authors by calling tools (AgentGym’s, over invented papers)',
    settings: recordable,
    load: async (given) => (await import('./academia/academia.ts')).academia(given),
    ...factsOf('academia', 'tool_academia'),
  },
  {
    name: 'sheet',
    summary: 'change a spreadsheet by calling tools: sort, filter, formulas (AgentGym’s tools, a sheet of our own)',
    settings,
    load: async (given) => (await import('./sheet/sheet.ts')).sheet(given),
    ...factsOf('sheet', 'tool_sheet'),
  },
];
