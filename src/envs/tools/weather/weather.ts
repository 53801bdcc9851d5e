/** The weather environment: AgentGym's tools over a year of weather of our own. */
import type { Settings } from '../../settings.ts';
import { toolEnvironment, type ToolEnvironment } from '../core/environment.ts';
import type { Kit } from '../core/kit.ts';
import { askWeather } from './questions.ts';
import { weatherBox, weatherTools } from './tools.ts';

export const kit: Kit = {
  name: 'weather',
  version: '1',
  role: 'You answer questions about weather, air and places. Find out the date and the place of the user with tools where a question depends on them.',
  tools: weatherTools,
  items: {
    prefix: 'weather',
    count: 343,
    test: [4, 12, 16, 17, 18, 20, 22, 39, 61, 105, 211, 217, 272, 296, 298, 311, 319, 322, 323, 327],
    unused: [142, 260, 285, 287, 289, 302, 305, 312, 317, 328, 330, 332],
  },
  ask: askWeather,
  local: { tools: ['get_distance', 'get_air_quality_level'], box: weatherBox(0, { date: '1970-01-01', location: '' }) },
};

export function weather(settings: Settings = {}): ToolEnvironment {
  return toolEnvironment(kit, settings);
}
