/** Settings of BabyAI. */
import * as z from 'zod';
import { flag, oneOf, type SettingsOf } from '../settings.ts';

export const settings = {
  listActions: flag()
    .default(true)
    .describe('end each observation with the available actions: true (default, as servers since 2025) or false (AgentTraj-L)'),
  levels: z
    .string()
    .optional()
    .describe('levels of the generated splits by name or family, separated by commas, or all (default: the 18 of AgentGym)'),
  ending: oneOf(['agentgym', 'first'])
    .default('agentgym')
    .describe('agentgym (default): a completion worth 0.5 or less does not end the episode; first: every completion does'),
  expert: oneOf(['informed', 'blind'])
    .default('informed')
    .describe(
      'informed (default) sees the whole level; blind knows what it has seen, so that each action can be learned from the conversation',
    ),
  aliases: flag().default(false).describe('true: take "pick up" for "pickup" (default false, as AgentGym)'),
};

export type BabyAISettings = SettingsOf<typeof settings>;
