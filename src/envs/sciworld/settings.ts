/** Settings of ScienceWorld. */
import { z } from 'zod';
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
  categories: oneOf(['task', 'topic']).default('task').describe('what results are broken down by: task (default) or topic'),
  listing: flag()
    .default(false)
    .describe('true: list the valid actions at every step as the Python API does, which moves bees (default false)'),
};

export type SciWorldSettings = SettingsOf<typeof settings>;
