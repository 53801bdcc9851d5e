/** The film environment: AgentGym's tools over a catalogue of invented films. */
import type { Settings } from '../../settings.ts';
import { toolEnvironment, type ToolEnvironment } from '../core/environment.ts';
import type { Kit } from '../core/kit.ts';
import { askMovie } from './questions.ts';
import { movieTools } from './tools.ts';

export const kit: Kit = {
  name: 'movie',
  version: '1',
  role: 'You answer questions about films and the people who made them. Films and people have ids, which the search tools find.',
  tools: movieTools,
  items: {
    prefix: 'movie',
    count: 238,
    test: [1, 3, 5, 9, 13, 20, 23, 44, 54, 55, 56, 63, 78, 89, 94, 97, 109, 113, 125, 223],
    unused: [171, 176, 212],
  },
  ask: askMovie,
  local: { tools: [], box: { call: () => null } },
};

export function movie(settings: Settings = {}): ToolEnvironment {
  return toolEnvironment(kit, settings);
}
