/** Settings of WebArena. */
import * as z from 'zod';
import { between, flag, oneOf, whole, words, type SettingsOf } from '../settings.ts';

/** A size such as 1280x720. */
const viewport = () =>
  z.string().transform((text, context) => {
    const [, width, height] = /^(\d{2,4})x(\d{2,4})$/.exec(text) ?? [];
    if (width === undefined) context.addIssue({ code: 'custom', message: 'set it to a size such as 1280x720' });
    return { width: Number(width), height: Number(height) };
  });

export const settings = {
  lane: oneOf(['fast', 'browser'])
    .optional()
    .describe('fast (the shipped sites without a browser; default) or browser (Chromium; default with official sites)'),
  tasks: z
    .string()
    .optional()
    .describe('task file: test.raw.json or one task, placeholders filled in; or a folder of them (needed with official sites)'),
  sites: words().optional().describe('on the shipped sites: only tasks that need no other site than these (shopping,reddit,…)'),
  longest: whole(2).optional().describe('on the shipped sites: only tasks that the expert solves in so many actions'),
  text: oneOf(['full', 'short'])
    .default('full')
    .describe('on the shipped sites: full (default) or short (pages in a third of the tokens, for small policies)'),
  other_lines: between(0, 1)
    .default(0)
    .describe(
      'generated plays of short pages: share of those ending on the page of a place that ask for a line no site has (default 0)',
    ),
  shopping: z
    .string()
    .optional()
    .describe('address of the official shop; likewise the next six (or the environment variables SHOPPING, REDDIT, …)'),
  shopping_admin: z.string().optional().describe('address of the shop administration'),
  reddit: z.string().optional().describe('address of the forum'),
  gitlab: z.string().optional().describe('address of GitLab'),
  wikipedia: z.string().optional().describe('address of the encyclopaedia'),
  map: z.string().optional().describe('address of the map'),
  homepage: z.string().optional().describe('address of the page that lists the sites'),
  allow: words().optional().describe('further hosts that pages may reach, as host:port,host:port (everything else is blocked)'),
  auth: z.string().default('.auth').describe('folder of the storage states of signed-in browsers (default .auth)'),
  judge: z.string().optional().describe('model for answers that are compared by meaning: openai:<model>[@<base URL>]'),
  chromium: z.string().optional().describe('path of Chrome or Chromium (default: the one that is found; see agoge doctor)'),
  observation: oneOf(['plain', 'accessibility_tree', 'html'])
    .optional()
    .describe('plain (default on the shipped sites), accessibility_tree (default elsewhere) or html'),
  whole_page: flag().default(false).describe('true: show all of a page, not only the viewport'),
  viewport: viewport().default({ width: 1280, height: 720 }).describe('size of the window (default 1280x720)'),
  sleep: between(0, 600)
    .optional()
    .describe('wait so many seconds after each action, as the original does (default: until the page is quiet)'),
  browsers: whole(1, 64).default(1).describe('browser processes at once (default 1)'),
  episodes: whole(1, 1024).default(32).describe('episodes at once in all of them (default 32)'),
  patience: between(1, 600).default(30).describe('longest wait for one page in seconds (default 30)'),
};

export type WebArenaSettings = SettingsOf<typeof settings>;
