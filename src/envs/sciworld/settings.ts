/** Settings of ScienceWorld. */
import * as z from 'zod';
import { flag, oneOf, whole, type SettingsOf } from '../settings.ts';

export const settings = {
  simplifications: z
    .string()
    .default('')
    .describe(
      'easy, or any of teleportAction, openDoors, openContainers, selfWateringFlowerPots, noElectricalAction, separated by commas (default none)',
    ),
  limit: whole(0, 999_999_999)
    .optional()
    .describe('most moves of an episode, 0 for none (default: 100 in AgentGym’s splits train and test, none in others)'),
  edition: oneOf(['1.2', '1.3'])
    .default('1.3')
    .describe('the release whose action lists are given: 1.3 (default), or 1.2, PyPI’s newest, which AgentGym installs'),
  categories: oneOf(['task', 'topic']).default('task').describe('what results are broken down by: task (default) or topic'),
  listing: flag()
    .default(false)
    .describe('true: list the valid actions at every step as the Python API does, which moves bees (default false)'),
};

export type SciWorldSettings = SettingsOf<typeof settings>;
