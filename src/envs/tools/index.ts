/** The tool environments for the registry: light until they are asked for. */
import type { EnvironmentFacts } from '../facts.ts';
import { defineEntry } from '../registry.ts';
import type { ToolServer } from './agentgym.ts';
import type { Kit } from './core/kit.ts';
import { recordable, worldSettings, type ToolSettings } from './settings.ts';

type LoadKit = () => Promise<{ readonly kit: Kit }>;

const opened = (load: LoadKit) => async (settings: ToolSettings) => {
  const [{ openTools }, { kit }] = await Promise.all([import('./core/environment.ts'), load()]);
  return openTools(kit, settings);
};

/** What they say alike. Ids of three servers carry no word before the name, but `tool_weather_3` is understood as well. */
function factsOf(name: ToolServer, prefix: string = name): EnvironmentFacts {
  return {
    items: { prefix, also: [`tool_${name}`], parameter: 'id' },
    agentGym: async () => (await import('./agentgym.ts')).toolAgentGym(name),
    drawing: async () => (await import('./core/draw.ts')).drawState,
  };
}

export const toolEntries = [
  defineEntry({
    name: 'weather',
    summary: 'answer questions about weather and places by calling tools (AgentGym’s, over a sky of our own)',
    settings: recordable,
    load: opened(() => import('./weather/weather.ts')),
    ...factsOf('weather'),
  }),
  defineEntry({
    name: 'todo',
    summary: 'look after to-do lists by calling tools: questions and errands (AgentGym’s tools, a service of our own)',
    settings: worldSettings,
    load: opened(() => import('./todo/todo.ts')),
    ...factsOf('todo'),
  }),
  defineEntry({
    name: 'movie',
    summary: 'answer questions about films and people by calling tools (AgentGym’s, over invented films)',
    settings: recordable,
    load: opened(() => import('./movie/movie.ts')),
    ...factsOf('movie'),
  }),
  defineEntry({
    name: 'academia',
    summary: 'answer questions about papers and authors by calling tools (AgentGym’s, over invented papers)',
    settings: recordable,
    load: opened(() => import('./academia/academia.ts')),
    ...factsOf('academia', 'tool_academia'),
  }),
  defineEntry({
    name: 'sheet',
    summary: 'change a spreadsheet by calling tools: sort, filter, formulas (AgentGym’s tools, a sheet of our own)',
    settings: worldSettings,
    load: opened(() => import('./sheet/sheet.ts')),
    ...factsOf('sheet', 'tool_sheet'),
  }),
];
