/** ALFWorld for the registry: light until it is asked for. */
import type { EnvironmentEntry } from '../registry.ts';

export const alfWorldEntry: EnvironmentEntry = {
  name: 'alfworld',
  summary:
    'keep a household: find things, clean, heat or cool them, put them where they belong (official games, or homes without end)',
  settings: {
    games:
      'official games: a game.tw-pddl, a folder of them (json_2.1.1), or a .jsonl or .jsonl.gz of games (default: generated homes)',
    edition:
      'wording: 0.3 (put X in/on Y) or 0.4 (move X to Y, help); default: as the game file says, else 0.3, as AgentGym has it',
    listActions: 'which observations list the admissible commands: first (default, as AgentGym), always, or never',
    text: 'full (default, as the original) or short: the same in a third of the tokens, for small policies',
    expert: 'blind (default) knows what it has seen; informed knows where everything is',
    limit: 'steps until an episode ends unsolved (default none: turn limits are the agent’s; the AgentGym routes have 50)',
    difficulty: 'of generated homes: 0 (little furniture, few things) to 1 (whole rooms, default), or a range such as 0-0.5',
    seed: 'seed of generated homes (default 0)',
  },
  limits: { turns: 30 },
  items: { parameter: 'game', named: /_trial_T\d+_\d+_\d+$/ },
  rows: { ability: 'household' },
  load: async (settings) => (await import('./alfworld.ts')).alfWorld(settings),
  agentGym: async () => (await import('./agentgym.ts')).agentGym,
  drawing: async () => (await import('./draw.ts')).drawState,
};
