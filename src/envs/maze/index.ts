/** The maze for the registry: light until it is asked for. */
import type { EnvironmentEntry } from '../registry.ts';

export const mazeEntry: EnvironmentEntry = {
  name: 'maze',
  summary: 'find the way to a goal in a grid of walls (25 starts of AgentGym), or in mazes without end',
  settings: { size: 'rooms along a side of generated mazes: a number or a range within 2-20 (default 3-5)' },
  rows: { opening: /^[\s\S]*\n(?=The goal is at position [^\n]*\n?$)/ },
  items: { prefix: 'lmrlgym_maze', parameter: 'game' },
  load: async (settings) => (await import('./maze.ts')).mazeEnvironment(settings),
  agentGym: async () => (await import('./agentgym.ts')).agentGym,
  drawing: async () => (await import('./draw.ts')).drawState,
};
