/** The maze for the registry: light until it is asked for. */
import { defineEntry } from '../registry.ts';
import { settings } from './settings.ts';

export const mazeEntry = defineEntry({
  name: 'maze',
  summary: 'find the way to a goal in a grid of walls (25 starts of AgentGym), or in mazes without end',
  settings,
  rows: { opening: /^[\s\S]*\n(?=The goal is at position [^\n]*\n?$)/ },
  items: { prefix: 'lmrlgym_maze', parameter: 'game' },
  load: async (given) => (await import('./maze.ts')).openMaze(given),
  agentGym: async () => (await import('./agentgym.ts')).agentGym,
  drawing: async () => (await import('./draw.ts')).drawState,
});
