/** The environment of papers and authors: AgentGym's tools over an archive of invented papers. */
import type { Settings } from '../../settings.ts';
import { toolEnvironment, type ToolEnvironment } from '../core/environment.ts';
import type { Kit } from '../core/kit.ts';
import { askAcademia } from './questions.ts';
import { academiaTools } from './tools.ts';

export const kit: Kit = {
  name: 'academia',
  version: '1',
  role: 'You answer questions about papers and their authors. They stand in two graphs, PaperNet and AuthorNet, and a graph must be loaded before it can be asked.',
  tools: academiaTools,
  aliases: { neighborCheck: 'neighbourCheck' },
  items: { prefix: 'tool_academia', count: 20, test: Array.from({ length: 20 }, (_, item) => item), testOnly: true },
  ask: askAcademia,
  local: { tools: [], box: { call: () => null } },
};

export function academia(settings: Settings = {}): ToolEnvironment {
  return toolEnvironment(kit, settings);
}
