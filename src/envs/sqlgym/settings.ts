/** Settings of SQLGym. */
import * as z from 'zod';
import { whole, words, type SettingsOf } from '../settings.ts';
import { generated } from '../stand-in.ts';

export const settings = {
  bird: z
    .string()
    .optional()
    .describe("BIRD's folder as it is unpacked, with train and dev (default: twelve databases of our own)"),
  databases: words()
    .optional()
    .describe('with bird: only questions about these databases, separated by commas, where not all were fetched'),
  turns: whole(1)
    .default(1)
    .describe('actions of an episode: 1 as in the original (default), more to look at the schema and try statements first'),
  tables: whole(1)
    .optional()
    .describe('without bird: tables that a description shows, those that are needed and some others (default: all)'),
  seed: whole(0).optional().describe('seed of the databases and questions of our own (default 0)'),
  generated,
  seconds: whole(1).default(30).describe('how long a statement may run (default 30)'),
  memory: whole(320).default(768).describe('MiB of memory for the process that runs statements (default 768)'),
  workers: whole(1).default(2).describe('statements that run at once, each in its own process (default 2)'),
};

export type SqlGymSettings = SettingsOf<typeof settings>;
