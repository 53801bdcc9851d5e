/** The forum: boards, posts, comments and votes. */
import type { SiteDefinition } from '../answer.ts';
import { loginRoutes } from '../login.ts';
import { forumPage } from './frame.ts';
import { missing, readingRoutes } from './reading.ts';
import { writingRoutes } from './writing.ts';

export const forumSite: SiteDefinition = {
  site: 'reddit',
  prefix: '',
  closed: true,
  routes: [...readingRoutes, ...writingRoutes, ...loginRoutes('reddit', forumPage)],
  notFound: missing,
};
