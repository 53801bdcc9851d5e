/** The repository host: projects, issues, merge requests, commits and members. */
import type { SiteDefinition } from '../answer.ts';
import { loginRoutes } from '../login.ts';
import { gitPage } from './frame.ts';
import { missing, projectRoutes } from './projects.ts';
import { workRoutes } from './work.ts';

export const gitSite: SiteDefinition = {
  site: 'gitlab',
  prefix: '',
  closed: true,
  // Signing in comes first: a user's page has one word for its path as well.
  routes: [...loginRoutes('gitlab', gitPage), ...projectRoutes, ...workRoutes],
  notFound: missing,
};
