/** The repository host's header, a project's head with its tabs, and its view of content and state together. */
import type { Visit } from '../answer.ts';
import {
  issues,
  mergeRequests,
  projectPath,
  projects,
  type Issue,
  type Member,
  type MergeRequest,
  type Project,
} from '../content/projects.ts';
import { h, type Child, type Element } from '../html.ts';
import { act, documentOf, notice, searchBox, tabs } from '../elements.ts';
import type { GitState, SitesState } from '../state.ts';

export function gitPage(visit: Visit, _: SitesState, title: string, ...main: readonly Child[]): Element {
  const { user } = visit;
  return documentOf(
    'quarry',
    `${title} - Quarry`,
    h(
      'header',
      null,
      h(
        'div',
        { class: 'bar' },
        h('a', { href: '/', class: 'brand' }, 'Quarry'),
        searchBox('/search', 'Search projects', visit.path === '/search' ? visit.query['q'] : ''),
        h(
          'nav',
          { class: 'user' },
          user === undefined
            ? h('a', { href: '/login' }, 'Sign in')
            : [
                h('a', { href: '/projects/new' }, 'New project'),
                h('a', { href: '/todo' }, 'My issues'),
                h('a', { href: `/${user}` }, user),
              ],
        ),
      ),
    ),
    h('main', null, notice(visit.query['note']), ...main),
    h('footer', null, h('p', null, 'Quarry hosts small projects for free.'), user !== undefined && act('/logout', 'Sign out')),
  );
}

export function projectPage(visit: Visit, state: SitesState, project: Project, tab: string, ...main: readonly Child[]): Element {
  const path = projectPath(project);
  const open = issuesOf(path, state.git).filter((one) => one.open).length;
  const requests = mergesOf(path, state.git).filter((one) => one.state === 'open').length;
  const link = (to: string, label: string) => [`/${path}${to}`, label, tab === to] as const;
  return gitPage(
    visit,
    state,
    tab === '' ? path : `${path}${tab}`,
    h(
      'p',
      { class: 'path' },
      h('a', { href: `/${project.owner}` }, project.owner),
      ' / ',
      h('a', { href: `/${path}` }, project.name),
    ),
    tabs('Project', [
      link('', 'Overview'),
      link('/issues', `Issues (${String(open)})`),
      link('/merge_requests', `Merge requests (${String(requests)})`),
      link('/commits', 'Commits'),
      link('/members', 'Members'),
    ]),
    ...main,
  );
}

export function allProjects(git: GitState): readonly Project[] {
  return [...projects, ...git.projects];
}

export function findProject(owner: string, name: string, git: GitState): Project | undefined {
  return allProjects(git).find((one) => one.owner === owner && one.name === name);
}

/** A project's issues as they stand now, newest number first. */
export function issuesOf(path: string, git: GitState): readonly Issue[] {
  return [...issues, ...git.issues]
    .filter(({ project }) => project === path)
    .map((issue) => {
      const key = `${path}/${String(issue.number)}`;
      return {
        ...issue,
        open: git.closed[key] === undefined ? issue.open : !git.closed[key],
        assignee: git.assignees[key] ?? issue.assignee,
      };
    })
    .sort((a, b) => b.number - a.number);
}

export function mergesOf(path: string, git: GitState): readonly MergeRequest[] {
  return [...mergeRequests, ...git.mergeRequests]
    .filter(({ project }) => project === path)
    .map((one) => (git.merged.includes(`${path}/${String(one.number)}`) ? { ...one, state: 'merged' as const } : one))
    .sort((a, b) => b.number - a.number);
}

/** Members, with those that were invited or given another role. */
export function membersOf(project: Project, git: GitState): readonly Member[] {
  const changed = git.members.filter((one) => one.project === projectPath(project));
  const kept = project.members.filter(({ user }) => !changed.some((one) => one.user === user));
  return [...kept, ...changed];
}

export function starsOf(project: Project, git: GitState): number {
  return project.stars + (git.stars.includes(projectPath(project)) ? 1 : 0);
}
