/** Settings of TextCraft. */
import { between, flag, oneOf, range, whole, type SettingsOf } from '../settings.ts';

export const expertStyles = ['exact', 'stack', 'attempt', 'retry'] as const;

export const settings = {
  edition: oneOf(['2024', '2025']).default('2025').describe('goal order and recipe tree: 2025 (default) or 2024 (AgentTraj-L)'),
  quirk: flag()
    .optional()
    .describe(
      'craft an item by the recipes of its ingredients too, as servers before September 2025 allowed (default: true in edition 2024)',
    ),
  seed: whole(Number.MIN_SAFE_INTEGER).default(42).describe('seed of distractors, line order and generated worlds (default 42)'),
  expert: oneOf(expertStyles)
    .default('exact')
    .describe(
      'exact (default) gets what the plan needs; stack gets 64 at a time; attempt tries a craft first and fetches what is missing; retry does so without counting',
    ),
  depth: range(1, 6).optional().describe('depth of generated worlds: a number or a range such as 1-2'),
  distractors: range(0, 50).optional().describe('distractors of generated worlds: a number or a range such as 0-4'),
  siblings: between(0, 1)
    .optional()
    .describe('share of distractors of generated worlds that are a needed recipe with one word replaced (default 0)'),
};

export type TextCraftSettings = SettingsOf<typeof settings>;
