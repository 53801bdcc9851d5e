/** Finding, making and describing projects; commits, members and users. */
import { address, go, matches, page, paged, type Route, type Visit } from '../answer.ts';
import { people, person } from '../content/people.ts';
import { projectPath, roles, type Project } from '../content/projects.ts';
import { date } from '../content/products.ts';
import { h, type Element } from '../html.ts';
import { act, button, choice, facts, field, pager, table, tabs } from '../elements.ts';
import type { SitesState } from '../state.ts';
import { allProjects, findProject, gitPage, issuesOf, membersOf, projectPage, starsOf } from './frame.ts';

const PROJECT = '^/([a-z]+)/([a-z0-9-]+)';

export const projectRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: /^\/$/,
    open: true,
    answer: (visit, state) =>
      page(gitPage(visit, state, 'Projects', h('h1', null, 'Projects'), ...list(visit, state, allProjects(state.git))), state),
  },
  {
    method: 'GET',
    path: /^\/search$/,
    open: true,
    answer(visit, state) {
      const { q = '' } = visit.query;
      const found = allProjects(state.git).filter((one) => matches(q, one.name, one.owner, one.line, one.language));
      return page(gitPage(visit, state, 'Search', h('h1', null, `Projects for "${q}"`), ...list(visit, state, found)), state);
    },
  },
  {
    method: 'GET',
    path: /^\/projects\/new$/,
    answer: (visit, state) =>
      page(
        gitPage(
          visit,
          state,
          'New project',
          h(
            'form',
            { method: 'post', action: '/projects/new', class: 'panel' },
            h('h1', null, 'New project'),
            field('Project name', 'name'),
            field('Description', 'line'),
            choice(
              'Licence',
              'licence',
              ['MIT', 'Apache-2.0', 'GPL-3.0'].map((one) => [one, one] as const),
              'MIT',
            ),
            button('Create project'),
          ),
        ),
        state,
      ),
  },
  {
    method: 'POST',
    path: /^\/projects\/new$/,
    answer(visit, state) {
      const { user = '' } = visit;
      const name = visit.form['name']?.trim() ?? '';
      if (!/^[a-z][a-z0-9-]{1,39}$/.test(name))
        return go(address('/projects/new', { note: 'A name has small letters, digits and hyphens.' }), state);
      if (findProject(user, name, state.git))
        return go(address('/projects/new', { note: 'You have a project of that name.' }), state);
      const line = visit.form['line']?.trim() ?? '';
      const project: Project = {
        owner: user,
        name,
        line,
        language: 'Text',
        stars: 0,
        forks: 0,
        licence: visit.form['licence'] ?? 'MIT',
        readme: [line === '' ? name : line],
        files: ['LICENSE', 'README.md'],
        members: [{ user, role: 'Owner' }],
        commits: [{ hash: 'c0ffee00', author: user, message: 'Initial commit', date: date(0) }],
      };
      return go(`/${projectPath(project)}`, { ...state, git: { ...state.git, projects: [...state.git.projects, project] } });
    },
  },
  {
    method: 'GET',
    path: /^\/todo$/,
    answer(visit, state) {
      const mine = allProjects(state.git).flatMap((one) =>
        issuesOf(projectPath(one), state.git).filter((issue) => issue.assignee === visit.user && issue.open),
      );
      const rows = mine.map((issue) => [
        h('a', { href: `/${issue.project}/issues/${String(issue.number)}` }, issue.title),
        issue.project,
        issue.date,
      ]);
      return page(
        gitPage(visit, state, 'My issues', h('h1', null, 'My issues'), table(['Issue', 'Project', 'Date'], rows)),
        state,
      );
    },
  },
  {
    method: 'GET',
    path: /^\/([a-z]+)$/,
    open: true,
    answer(visit, state, id = '') {
      if (!people.some((one) => one.id === id)) return page(missing(visit, state), state, 404);
      const { name, joined, about } = person(id);
      const own = allProjects(state.git).filter(({ owner }) => owner === id);
      return page(
        gitPage(
          visit,
          state,
          id,
          h('h1', null, name),
          h('p', { class: 'line' }, about),
          facts([
            ['User name', id],
            ['Joined', joined],
            ['Projects', String(own.length)],
          ]),
          ...list(visit, state, own),
        ),
        state,
      );
    },
  },
  {
    method: 'GET',
    path: new RegExp(`${PROJECT}$`),
    open: true,
    answer(visit, state, owner = '', name = '') {
      const project = findProject(owner, name, state.git);
      return project ? page(overview(visit, state, project), state) : page(missing(visit, state), state, 404);
    },
  },
  {
    method: 'POST',
    path: new RegExp(`${PROJECT}/star$`),
    answer(visit, state, owner = '', name = '') {
      const project = findProject(owner, name, state.git);
      if (!project) return page(missing(visit, state), state, 404);
      const path = projectPath(project);
      const stars = state.git.stars.includes(path) ? state.git.stars.filter((one) => one !== path) : [...state.git.stars, path];
      return go(`/${path}`, { ...state, git: { ...state.git, stars } });
    },
  },
  {
    method: 'GET',
    path: new RegExp(`${PROJECT}/commits$`),
    open: true,
    answer(visit, state, owner = '', name = '') {
      const project = findProject(owner, name, state.git);
      if (!project) return page(missing(visit, state), state, 404);
      const rows = project.commits.map((one) => [one.message, one.author, one.date, one.hash]);
      return page(
        projectPage(
          visit,
          state,
          project,
          '/commits',
          h('h1', null, 'Commits'),
          table(['Message', 'Author', 'Date', 'Hash'], rows),
        ),
        state,
      );
    },
  },
  {
    method: 'GET',
    path: new RegExp(`${PROJECT}/members$`),
    answer(visit, state, owner = '', name = '') {
      const project = findProject(owner, name, state.git);
      if (!project) return page(missing(visit, state), state, 404);
      const rows = membersOf(project, state.git).map(({ user, role }) => [
        h('a', { href: `/${user}` }, user),
        person(user).name,
        role,
      ]);
      return page(
        projectPage(
          visit,
          state,
          project,
          '/members',
          h('h1', null, 'Members'),
          table(['User', 'Name', 'Role'], rows),
          mayManage(visit.user, project) &&
            h(
              'form',
              { method: 'post', action: `/${projectPath(project)}/members`, class: 'panel' },
              h('h2', null, 'Invite somebody'),
              field('User name', 'user'),
              choice(
                'Role',
                'role',
                roles.slice(1).map((one) => [one, one] as const),
                'Developer',
              ),
              button('Invite'),
            ),
        ),
        state,
      );
    },
  },
  {
    method: 'POST',
    path: new RegExp(`${PROJECT}/members$`),
    answer(visit, state, owner = '', name = '') {
      const project = findProject(owner, name, state.git);
      const role = roles.find((one) => one === visit.form['role'] && one !== 'Owner');
      if (!project || !role || !mayManage(visit.user, project)) return page(missing(visit, state), state, 404);
      const path = projectPath(project);
      const user = visit.form['user']?.trim().toLowerCase().replace(/^@/, '') ?? '';
      if (!people.some(({ id }) => id === user) || user === project.owner)
        return go(address(`/${path}/members`, { note: 'There is no such user to invite.' }), state);
      const others = state.git.members.filter((one) => one.project !== path || one.user !== user);
      const members = [...others, { project: path, user, role }];
      return go(address(`/${path}/members`, { note: `${user} is a member now.` }), { ...state, git: { ...state.git, members } });
    },
  },
];

/** Only a project's owner may invite. */
function mayManage(user: string | undefined, project: Project): boolean {
  return user === project.owner;
}

function list(visit: Visit, state: SitesState, found: readonly Project[]): (Element | null)[] {
  const sort = visit.query['sort'] ?? 'name';
  const byName = (a: Project, b: Project) => (a.name < b.name ? -1 : 1);
  const order =
    sort === 'stars' ? (a: Project, b: Project) => starsOf(b, state.git) - starsOf(a, state.git) || byName(a, b) : byName;
  const shown = paged([...found].sort(order), visit.query['page'], 6);
  const query = { q: visit.query['q'], sort: visit.query['sort'] };
  const by = (key: string, label: string) => [address(visit.path, { ...query, sort: key }), label, sort === key] as const;
  return [
    found.length > 1 ? tabs('Sort', [by('name', 'Name'), by('stars', 'Most stars')]) : null,
    h(
      'ul',
      { class: 'repos' },
      shown.items.map((one) =>
        h(
          'li',
          null,
          h('h3', null, h('a', { href: `/${projectPath(one)}` }, projectPath(one))),
          h('p', null, one.line),
          h('p', { class: 'meta' }, `${one.language}, ${String(starsOf(one, state.git))} stars`),
        ),
      ),
    ),
    pager(shown, visit.path, query),
  ];
}

function overview(visit: Visit, state: SitesState, project: Project): Element {
  const path = projectPath(project);
  const starred = state.git.stars.includes(path);
  const [last] = project.commits;
  return projectPage(
    visit,
    state,
    project,
    '',
    h('h1', null, project.name),
    h('p', { class: 'line' }, project.line),
    visit.user !== undefined && act(`/${path}/star`, starred ? 'Unstar' : 'Star'),
    facts([
      ['Language', project.language],
      ['Licence', project.licence],
      ['Stars', String(starsOf(project, state.git))],
      ['Forks', String(project.forks)],
    ]),
    table(
      ['File', 'Last change'],
      project.files.map((file, at) => [file, project.commits[at % project.commits.length]?.date ?? last?.date]),
    ),
    h(
      'section',
      { class: 'readme' },
      h('h2', null, 'README.md'),
      project.readme.map((text) => h('p', null, text)),
    ),
  );
}

export function missing(visit: Visit, state: SitesState): Element {
  return gitPage(visit, state, 'Not found', h('h1', null, 'Not found'), h('p', null, 'There is no such project or page.'));
}
