/** Issues and merge requests: lists, discussions, closing, assigning and merging. */
import { address, go, page, type Route, type Visit } from '../answer.ts';
import { labels, projectPath, type Project } from '../content/projects.ts';
import { date } from '../content/products.ts';
import { h, type Element } from '../html.ts';
import { act, button, choice, facts, field, table, tabs, textArea } from '../elements.ts';
import type { GitState, SitesState } from '../state.ts';
import { findProject, issuesOf, mergesOf, projectPage } from './frame.ts';
import { missing } from './projects.ts';

const PROJECT = '^/([a-z]+)/([a-z0-9-]+)';

/** A route of a project that exists. */
function within(
  method: 'GET' | 'POST',
  path: string,
  open: boolean,
  answer: (
    visit: Visit,
    state: SitesState,
    project: Project,
    number: number,
    what: string,
  ) => ReturnType<Route['answer']> | undefined,
): Route {
  return {
    method,
    path: new RegExp(`${PROJECT}${path}$`),
    open,
    answer(visit, state, owner = '', name = '', number = '', what = '') {
      const project = findProject(owner, name, state.git);
      return (project && answer(visit, state, project, Number(number), what)) ?? page(missing(visit, state), state, 404);
    },
  };
}

const change = (state: SitesState, git: Partial<GitState>): SitesState => ({ ...state, git: { ...state.git, ...git } });

export const workRoutes: readonly Route[] = [
  within('GET', '/issues', true, (visit, state, project) => {
    const path = projectPath(project);
    const { state: wanted = 'open', label = '' } = visit.query;
    const found = issuesOf(path, state.git).filter(
      (one) => (wanted === 'all' || one.open === (wanted === 'open')) && (label === '' || one.labels.includes(label)),
    );
    const filter = (value: string) => [address(`/${path}/issues`, { state: value, label }), value, wanted === value] as const;
    const tagged = labels.map(
      (one) => [address(`/${path}/issues`, { state: visit.query['state'], label: one }), one, label === one] as const,
    );
    const rows = found.map((one) => [
      h('a', { href: `/${path}/issues/${String(one.number)}` }, one.title),
      one.author,
      one.labels.join(', '),
      one.date,
    ]);
    return page(
      projectPage(
        visit,
        state,
        project,
        '/issues',
        h('h1', null, 'Issues'),
        visit.user !== undefined && h('p', null, h('a', { href: `/${path}/issues/new`, class: 'button' }, 'New issue')),
        tabs('State', [filter('open'), filter('closed'), filter('all')]),
        tabs('Label', tagged),
        found.length === 0 ? h('p', null, 'There are no such issues.') : table(['Issue', 'Author', 'Labels', 'Date'], rows),
      ),
      state,
    );
  }),
  within('GET', '/issues/new', false, (visit, state, project) =>
    page(
      projectPage(
        visit,
        state,
        project,
        '/issues',
        h(
          'form',
          { method: 'post', action: `/${projectPath(project)}/issues/new`, class: 'panel' },
          h('h1', null, 'New issue'),
          field('Title', 'title'),
          textArea('Description', 'text'),
          choice(
            'Label',
            'label',
            labels.map((one) => [one, one] as const),
            'bug',
          ),
          button('Create issue'),
        ),
      ),
      state,
    ),
  ),
  within('POST', '/issues/new', false, (visit, state, project) => {
    const path = projectPath(project);
    const title = visit.form['title']?.trim() ?? '';
    if (title === '') return go(address(`/${path}/issues/new`, { note: 'An issue needs a title.' }), state);
    const number = (issuesOf(path, state.git)[0]?.number ?? 0) + 1;
    const label = labels.find((one) => one === visit.form['label']) ?? 'bug';
    const issue = {
      project: path,
      number,
      title,
      text: visit.form['text']?.trim() ?? '',
      author: visit.user ?? '',
      assignee: '',
      labels: [label],
      open: true,
      date: date(0),
    };
    return go(`/${path}/issues/${String(number)}`, change(state, { issues: [...state.git.issues, issue] }));
  }),
  within('GET', '/issues/(\\d+)', true, (visit, state, project, number) => {
    const path = projectPath(project);
    const issue = issuesOf(path, state.git).find((one) => one.number === number);
    if (!issue) return undefined;
    const here = `/${path}/issues/${String(number)}`;
    return page(
      projectPage(
        visit,
        state,
        project,
        '/issues',
        h('h1', null, issue.title),
        facts([
          ['Number', String(number)],
          ['State', issue.open ? 'open' : 'closed'],
          ['Author', h('a', { href: `/${issue.author}` }, issue.author)],
          ['Assignee', issue.assignee === '' ? 'nobody' : issue.assignee],
          ['Labels', issue.labels.join(', ')],
          ['Date', issue.date],
        ]),
        issue.text !== '' && h('p', { class: 'text' }, issue.text),
        discussion(visit, state, `issue/${path}/${String(number)}`, here),
        visit.user !== undefined &&
          h(
            'div',
            { class: 'actions' },
            act(`${here}/toggle`, issue.open ? 'Close issue' : 'Reopen issue'),
            issue.assignee !== visit.user && act(`${here}/assign`, 'Assign to me'),
          ),
      ),
      state,
    );
  }),
  within('POST', '/issues/(\\d+)/(toggle|assign)', false, (visit, state, project, number, what) => {
    const path = projectPath(project);
    const issue = issuesOf(path, state.git).find((one) => one.number === number);
    if (!issue) return undefined;
    const key = `${path}/${String(number)}`;
    const next =
      what === 'toggle'
        ? change(state, { closed: { ...state.git.closed, [key]: issue.open } })
        : change(state, { assignees: { ...state.git.assignees, [key]: visit.user ?? '' } });
    return go(`/${path}/issues/${String(number)}`, next);
  }),
  within('GET', '/merge_requests', true, (visit, state, project) => {
    const path = projectPath(project);
    const { state: wanted = 'open' } = visit.query;
    const found = mergesOf(path, state.git).filter((one) => wanted === 'all' || one.state === wanted);
    const filter = (value: string) => [address(`/${path}/merge_requests`, { state: value }), value, wanted === value] as const;
    const rows = found.map((one) => [
      h('a', { href: `/${path}/merge_requests/${String(one.number)}` }, one.title),
      one.author,
      one.branch,
      one.date,
    ]);
    return page(
      projectPage(
        visit,
        state,
        project,
        '/merge_requests',
        h('h1', null, 'Merge requests'),
        tabs('State', [filter('open'), filter('merged'), filter('closed'), filter('all')]),
        found.length === 0
          ? h('p', null, 'There are no such merge requests.')
          : table(['Merge request', 'Author', 'Branch', 'Date'], rows),
      ),
      state,
    );
  }),
  within('GET', '/merge_requests/(\\d+)', true, (visit, state, project, number) => {
    const path = projectPath(project);
    const request = mergesOf(path, state.git).find((one) => one.number === number);
    if (!request) return undefined;
    const here = `/${path}/merge_requests/${String(number)}`;
    return page(
      projectPage(
        visit,
        state,
        project,
        '/merge_requests',
        h('h1', null, request.title),
        facts([
          ['State', request.state],
          ['Author', h('a', { href: `/${request.author}` }, request.author)],
          ['Branch', request.branch],
          ['Date', request.date],
        ]),
        discussion(visit, state, `merge/${path}/${String(number)}`, here),
        request.state === 'open' &&
          visit.user === project.owner &&
          h('div', { class: 'actions' }, act(`${here}/merge`, 'Merge', {}, '')),
      ),
      state,
    );
  }),
  within('POST', '/merge_requests/(\\d+)/merge', false, (visit, state, project, number) => {
    const path = projectPath(project);
    const request = mergesOf(path, state.git).find((one) => one.number === number);
    if (request?.state !== 'open' || visit.user !== project.owner) return undefined;
    const merged = [...state.git.merged, `${path}/${String(number)}`];
    return go(`/${path}/merge_requests/${String(number)}`, change(state, { merged }));
  }),
  ...(['issues', 'merge_requests'] as const).map((kind) =>
    within('POST', `/${kind}/(\\d+)/comment`, false, (visit, state, project, number) => {
      const path = projectPath(project);
      const known = kind === 'issues' ? issuesOf(path, state.git) : mergesOf(path, state.git);
      if (!known.some((one) => one.number === number)) return undefined;
      const here = `/${path}/${kind}/${String(number)}`;
      const text = visit.form['text']?.trim() ?? '';
      if (text === '') return go(address(here, { note: 'A comment needs a text.' }), state);
      const key = `${kind === 'issues' ? 'issue' : 'merge'}/${path}/${String(number)}`;
      const notes = { ...state.git.notes, [key]: [...(state.git.notes[key] ?? []), { author: visit.user ?? '', text }] };
      return go(here, change(state, { notes }));
    }),
  ),
];

function discussion(visit: Visit, { git }: SitesState, key: string, here: string): (Element | false)[] {
  const notes = git.notes[key] ?? [];
  return [
    notes.length > 0 &&
      h(
        'ul',
        { class: 'comments' },
        notes.map(({ author, text }) => h('li', null, h('p', { class: 'text' }, text), h('p', { class: 'meta' }, author))),
      ),
    visit.user !== undefined &&
      h('form', { method: 'post', action: `${here}/comment`, class: 'panel' }, textArea('Comment', 'text'), button('Comment')),
  ];
}
