/** Settings of ALFWorld. */
import * as z from 'zod';
import { oneOf, range, whole, type SettingsOf } from '../settings.ts';
import { generated } from '../stand-in.ts';

export const settings = {
  games: z
    .string()
    .optional()
    .describe(
      'official games: a game.tw-pddl, a folder of them (json_2.1.1), or a .jsonl or .jsonl.gz of games (default: generated homes)',
    ),
  edition: oneOf(['0.3', '0.4'])
    .optional()
    .describe(
      'wording: 0.3 (put X in/on Y) or 0.4 (move X to Y, help); default: as the game file says, else 0.3, as AgentGym has it',
    ),
  listActions: oneOf(['first', 'always', 'never'])
    .default('first')
    .describe('which observations list the admissible commands: first (default, as AgentGym), always, or never'),
  text: oneOf(['full', 'short'])
    .default('full')
    .describe('full (default, as the original) or short: the same in a third of the tokens, for small policies'),
  expert: oneOf(['blind', 'informed'])
    .default('blind')
    .describe('blind (default) knows what it has seen; informed knows where everything is'),
  limit: z
    .union([whole(1), z.literal('none').transform(() => Infinity)])
    .default(Infinity)
    .describe('steps until an episode ends unsolved (default none: turn limits are the agent’s; the AgentGym routes have 50)'),
  difficulty: range(0, 1, { parts: true })
    .default([1, 1])
    .describe('of generated homes: 0 (little furniture, few things) to 1 (whole rooms, default), or a range such as 0-0.5'),
  seed: whole(0).default(0).describe('seed of generated homes (default 0)'),
  generated,
};

export type AlfWorldSettings = SettingsOf<typeof settings>;
