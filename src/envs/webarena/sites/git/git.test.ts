/** The repository host's pages: lists and filters, what stars, invitations and merges change, and who may do what. */
import { describe, expect, it } from 'vitest';
import { issues, labels, mergeRequests, projectPath, projects } from '../content/projects.ts';
import { freshState, type SitesState } from '../state.ts';
import { everyPage, noteOf, see, send, stranger } from '../visited.fixture.ts';

const listed = (path: string, state?: SitesState): string[][] => everyPage('gitlab', path, (seen) => seen.all('h3'), state);
const paths = projects.map(projectPath);
const starsOf = (path: string): number => {
  const found = projects.find((one) => projectPath(one) === path);
  return (found?.stars ?? NaN) + (freshState.git.stars.includes(path) ? 1 : 0);
};
const here = 'maren/tide-tables';
const own = issues.filter(({ project }) => project === here);

describe('projects', () => {
  it('are listed by name, six on a page', () => {
    const pages = listed('/');
    const byName = [...projects].sort((a, b) => (a.name < b.name ? -1 : 1)).map(projectPath);
    expect(pages.flat()).toEqual(byName);
    expect(pages[0]).toHaveLength(6);
  });

  it('or by stars, most first, one’s own star included', () => {
    const order = listed('/?sort=stars').flat();
    expect([...order].sort()).toEqual([...paths].sort());
    expect(order.map(starsOf)).toEqual([...order.map(starsOf)].sort((a, b) => b - a));
  });

  it.each(['rust', 'maren', 'winter count', 'nothing like it'])(
    'a search for %j looks at name, owner, line and language',
    (question) => {
      const words = question.split(' ');
      const fits = projects.filter((one) =>
        words.every((word) => `${one.name} ${one.owner} ${one.line} ${one.language}`.toLowerCase().includes(word)),
      );
      expect(
        listed(`/search?q=${encodeURIComponent(question)}`)
          .flat()
          .sort(),
      ).toEqual(fits.map(projectPath).sort());
    },
  );

  it('a star counts one, and is taken back', () => {
    const once = send('gitlab', `/${here}/star`).state;
    expect(see('gitlab', `/${here}`, once).fact('Stars')).toBe(String(starsOf(here) + 1));
    expect(see('gitlab', `/${here}`, once).all('button')).toContain('Unstar');
    expect(send('gitlab', `/${here}/star`, {}, once).state.git.stars).toEqual(freshState.git.stars);
  });

  it('a new one has its owner, a commit and a licence, and no second one of its name', () => {
    const made = send('gitlab', '/projects/new', { name: 'rope-log', line: 'Ropes', licence: 'GPL-3.0' });
    const seen = see('gitlab', made.location ?? '', made.state);
    expect([seen.fact('Licence'), seen.fact('Stars'), seen.all('.line')]).toEqual(['GPL-3.0', '0', ['Ropes']]);
    expect(see('gitlab', '/maren/rope-log/members', made.state).rows).toEqual([['maren', 'Maren Holt', 'Owner']]);
    expect(see('gitlab', '/maren/rope-log/commits', made.state).rows[0]?.[0]).toBe('Initial commit');
    expect(listed('/maren', made.state).flat()).toContain('maren/rope-log');
    expect(noteOf(send('gitlab', '/projects/new', { name: 'rope-log' }, made.state).location)).toBe(
      'You have a project of that name.',
    );
  });

  it.each(['x', '1rope', 'rope_log', 'r'.repeat(41), 'rope log'])('none is called %j', (name) => {
    expect(send('gitlab', '/projects/new', { name }).state).toBe(freshState);
  });

  it.each(['/maren/none', '/nobody', '/maren/tide-tables/issues/99', '/maren/tide-tables/merge_requests/99', '/a/b/c/d'])(
    '%s is not there',
    (path) => {
      expect(see('gitlab', path).status).toBe(404);
    },
  );
});

describe('issues', () => {
  const titles = (query: string, state?: SitesState): string[] =>
    see('gitlab', `/${here}/issues${query}`, state).rows.map(([title = '']) => title);
  const fitting = (test: (issue: (typeof own)[number]) => boolean): string[] =>
    own
      .filter(test)
      .sort((a, b) => b.number - a.number)
      .map(({ title }) => title);

  it.each<readonly [query: string, wanted: readonly string[]]>([
    ['', fitting(({ open }) => open)],
    ['?state=open', fitting(({ open }) => open)],
    ['?state=closed', fitting(({ open }) => !open)],
    ['?state=all', fitting(() => true)],
    ...labels.map(
      (label) => [`?state=all&label=${encodeURIComponent(label)}`, fitting((issue) => issue.labels.includes(label))] as const,
    ),
  ])('the list %j has those, newest first', (query, wanted) => expect(titles(query)).toEqual(wanted));

  it('the tab counts the open ones', () => {
    const open = own.filter((issue) => issue.open);
    const tab = (state?: SitesState): string | undefined =>
      see('gitlab', `/${here}`, state)
        .all('a')
        .find((text) => text.startsWith('Issues'));
    expect(tab()).toBe(`Issues (${open.length})`);
    expect(tab(send('gitlab', `/${here}/issues/${open[0]?.number ?? 0}/toggle`).state)).toBe(`Issues (${open.length - 1})`);
  });

  it('“My issues” are the open ones that are assigned to oneself, in every project', () => {
    const mine = (state?: SitesState): string[] =>
      see('gitlab', '/todo', state)
        .rows.map(([title = '']) => title)
        .sort();
    const right = issues.filter((issue) => issue.open && issue.assignee === 'maren');
    expect(mine()).toEqual(right.map(({ title }) => title).sort());
    const free = own.find((issue) => issue.open && issue.assignee !== 'maren');
    const assigned = send('gitlab', `/${here}/issues/${free?.number ?? 0}/assign`).state;
    expect(mine(assigned)).toContain(free?.title);
    expect(mine(send('gitlab', `/${here}/issues/${free?.number ?? 0}/toggle`, {}, assigned).state)).not.toContain(free?.title);
  });

  it('a page says all of an issue, and offers to assign it only to who does not have it', () => {
    const free = own.find(({ assignee }) => assignee !== 'maren');
    const path = `/${here}/issues/${free?.number ?? 0}`;
    const before = see('gitlab', path);
    expect(before.fact('Assignee')).toBe(free?.assignee === '' ? 'nobody' : free?.assignee);
    expect(before.all('button')).toContain('Assign to me');
    const after = see('gitlab', path, send('gitlab', `${path}/assign`).state);
    expect([after.fact('Assignee'), after.all('button').includes('Assign to me')]).toEqual(['maren', false]);
  });

  it('a stranger reads, and is asked to sign in for anything else', () => {
    expect(see('gitlab', `/${here}/issues`, freshState, stranger).all('a')).not.toContain('New issue');
    expect(see('gitlab', `/${here}/issues/new`, freshState, stranger).location).toMatch(/^\/login\?next=/);
    expect(send('gitlab', `/${here}/issues/1/toggle`, {}, freshState, stranger).state).toBe(freshState);
  });
});

describe('merge requests', () => {
  const requests = mergeRequests.filter(({ project }) => project === here);
  it.each(['open', 'merged', 'closed', 'all'])('%s ones are listed, newest first', (state) => {
    const fits = requests.filter((one) => state === 'all' || one.state === state).sort((a, b) => b.number - a.number);
    expect(see('gitlab', `/${here}/merge_requests?state=${state}`).rows.map(([title]) => title)).toEqual(
      fits.map(({ title }) => title),
    );
  });

  it('a merge moves one from the open to the merged ones, and the button goes', () => {
    const open = requests.find(({ state }) => state === 'open');
    const path = `/${here}/merge_requests/${open?.number ?? 0}`;
    expect(see('gitlab', path).all('button')).toContain('Merge');
    const { state } = send('gitlab', `${path}/merge`);
    expect(see('gitlab', path, state).fact('State')).toBe('merged');
    expect(see('gitlab', path, state).all('button')).not.toContain('Merge');
    expect(see('gitlab', `/${here}/merge_requests?state=merged`, state).rows.map(([title]) => title)).toContain(open?.title);
  });
});

describe('members', () => {
  const invite = (user: string, role = 'Developer', path = here, state = freshState) =>
    send('gitlab', `/${path}/members`, { user, role }, state);
  const rolesIn = (state: SitesState): Map<string, string> =>
    new Map(see('gitlab', `/${here}/members`, state).rows.map(([user = '', , role = '']) => [user, role]));
  const outsider = 'yuki tobias ines greta rosa'.split(' ').find((id) => !rolesIn(freshState).has(id)) ?? '';

  it.each([
    ['by name', outsider],
    ['with an @', `@${outsider}`],
    ['in capitals', outsider.toUpperCase()],
  ])('are invited %s', (_, user) => expect(rolesIn(invite(user, 'Reporter').state).get(outsider)).toBe('Reporter'));

  it('have one role: a second invitation changes it', () => {
    const twice = invite(outsider, 'Guest', here, invite(outsider, 'Maintainer').state).state;
    expect(twice.git.members).toEqual([{ project: here, user: outsider, role: 'Guest' }]);
    const [, had] = projects.find((one) => projectPath(one) === here)?.members ?? [];
    const roles = rolesIn(invite(had?.user ?? '', had?.role === 'Guest' ? 'Reporter' : 'Guest').state);
    expect(roles.size).toBe(rolesIn(freshState).size);
    expect(roles.get(had?.user ?? '')).not.toBe(had?.role);
  });

  it.each([
    ['somebody unknown', 'nobody', 'Developer', here],
    ['the owner', 'maren', 'Developer', here],
    ['an owner', outsider, 'Owner', here],
    ['no role', outsider, 'King', here],
    ['somebody else’s project', outsider, 'Developer', 'felix/pebble'],
  ])('%s cannot be made a member', (_, user, role, path) => expect(invite(user, role, path).state).toBe(freshState));

  it('are invited only on the pages of one’s own projects', () => {
    expect(see('gitlab', `/${here}/members`).all('button')).toContain('Invite');
    expect(see('gitlab', '/felix/pebble/members').all('button')).not.toContain('Invite');
  });
});
