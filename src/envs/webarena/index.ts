/** WebArena for the registry: light until it is asked for. */
import type { EnvironmentEntry } from '../registry.ts';

export const webArenaEntry: EnvironmentEntry = {
  name: 'webarena',
  summary: 'reach objectives on web sites with a browser',
  settings: {
    lane: 'fast (the shipped sites without a browser; default) or browser (Chromium; default with official sites)',
    tasks: 'task file: test.raw.json or one task, placeholders filled in; or a folder of them (needed with official sites)',
    sites: 'on the shipped sites: only tasks that need no other site than these (shopping,reddit,…)',
    longest: 'on the shipped sites: only tasks that the expert solves in so many actions',
    text: 'on the shipped sites: full (default) or short (pages in a third of the tokens, for small policies)',
    shopping: 'address of the official shop; likewise the next six (or the environment variables SHOPPING, REDDIT, …)',
    shopping_admin: 'address of the shop administration',
    reddit: 'address of the forum',
    gitlab: 'address of GitLab',
    wikipedia: 'address of the encyclopaedia',
    map: 'address of the map',
    homepage: 'address of the page that lists the sites',
    allow: 'further hosts that pages may reach, as host:port,host:port (everything else is blocked)',
    auth: 'folder of the storage states of signed-in browsers (default .auth)',
    judge: 'model for answers that are compared by meaning: openai:<model>[@<base URL>]',
    chromium: 'path of Chrome or Chromium (default: the one that is found; see agoge doctor)',
    observation: 'plain (default on the shipped sites), accessibility_tree (default elsewhere) or html',
    whole_page: 'true: show all of a page, not only the viewport',
    viewport: 'size of the window (default 1280x720)',
    sleep: 'wait so many seconds after each action, as the original does (default: until the page is quiet)',
    browsers: 'browser processes at once (default 1)',
    episodes: 'episodes at once in all of them (default 32)',
    patience: 'longest wait for one page in seconds (default 30)',
  },
  load: async (settings) => (await import('./webarena.ts')).webArena(settings),
};
