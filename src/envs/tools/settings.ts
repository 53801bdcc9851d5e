/** Settings of the tool environments: of all of them, and of those whose original service can be recorded. */
import * as z from 'zod';
import { whole, type SettingsOf } from '../settings.ts';
import { generated } from '../stand-in.ts';

export const worldSettings = { seed: whole(0).default(0).describe('number of the world that answers (default 0)'), generated };

export const recordable = {
  ...worldSettings,
  recorded: z
    .string()
    .optional()
    .describe('folder of recorded answers of the original service, which are given before those of our world (docs/tools.md)'),
  questions: z
    .string()
    .optional()
    .describe('AgentGym’s own question file (Toolusage/data/<name>.jsonl), asked over the recorded answers alone'),
};

export type ToolSettings = SettingsOf<typeof recordable>;
