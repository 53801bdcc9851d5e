/** ScienceWorld for the registry: light until it is asked for. */
import type { EnvironmentEntry } from '../registry.ts';

export const sciWorldEntry: EnvironmentEntry = {
  name: 'sciworld',
  summary: 'experiments of school science in a simulated house: 30 tasks, 7,207 variations',
  settings: {
    simplifications:
      'easy, or any of teleportAction, openDoors, openContainers, selfWateringFlowerPots, noElectricalAction, separated by commas (default none)',
    limit: 'most moves of an episode, 0 for none (default: 100 in AgentGym’s splits train and test, none in others)',
    categories: 'what results are broken down by: task (default) or topic',
    listing: 'true: list the valid actions at every step as the Python API does, which moves bees (default false)',
  },
  limits: { turns: 30 },
  items: { parameter: 'data_idx' },
  // Its servers count scores to 100.
  rows: { ability: 'science', keptAbove: 99 },
  load: async (settings) => (await import('./sciworld.ts')).sciWorld(settings),
  agentGym: async () => (await import('./agentgym.ts')).agentGym,
  drawing: async () => (await import('./draw.ts')).drawState,
};
