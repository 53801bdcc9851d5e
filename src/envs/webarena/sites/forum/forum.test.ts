/** The forum's pages: in which order posts stand, what is counted, whose pages are whose, and what a vote changes. */
import { describe, expect, it } from 'vitest';
import { boards, comments, posts, type Post } from '../content/forum.ts';
import { people } from '../content/people.ts';
import { freshState, type SitesState } from '../state.ts';
import { everyPage, see, send, stranger } from '../visited.fixture.ts';

const titles = (path: string, state?: SitesState): string[][] => everyPage('reddit', path, (seen) => seen.all('h3'), state);
const said = ({ number }: Post): number => comments.filter(({ post }) => post === number).length;
const named = (title: string): Post => {
  const found = posts.find((post) => post.title === title);
  if (!found) throw new RangeError(`no post ${title}`);
  return found;
};
const pathOf = (post: Post): string => `/f/${post.board}/${post.number}/`;

describe('lists of posts', () => {
  it('the front page has all of them, eight on a page, the most votes first', () => {
    const pages = titles('/');
    expect(pages.flat()).toHaveLength(posts.length);
    expect(pages.slice(0, -1).every((page) => page.length === 8)).toBe(true);
    const votes = pages.flat().map((title) => named(title).votes);
    expect(votes).toEqual([...votes].sort((a, b) => b - a));
  });

  it.each([
    ['new', ({ date }: Post) => date],
    ['commented', (post: Post) => said(post)],
    ['top', ({ votes }: Post) => votes],
    ['nonsense', ({ votes }: Post) => votes],
  ] as const)('sorted by %s the first is the largest in it', (sort, key) => {
    const keys = titles(`/?sort=${sort}`)
      .flat()
      .map((title) => key(named(title)));
    expect(keys).toEqual([...keys].sort((a, b) => (a < b ? 1 : a > b ? -1 : 0)));
  });

  it.each(boards.map(({ id }) => id))('f/%s has the posts of that board alone', (id) => {
    const own = posts.filter(({ board }) => board === id).map(({ title }) => title);
    expect(titles(`/f/${id}`).flat().sort()).toEqual(own.sort());
  });

  it('say who wrote them, where and when, and how many comments there are', () => {
    const [post] = posts;
    if (!post) throw new RangeError('no posts');
    const count = said(post);
    const line = `${post.author} in f/${post.board} on ${post.date}, ${count} comment${count === 1 ? '' : 's'}`;
    expect(everyPage('reddit', `/f/${post.board}`, (seen) => seen.all('.meta')).flat()).toContain(line);
  });

  it.each(['ferry', 'BOOKS map', 'zebra'])('a search for %j finds every word in title, text or board, and counts', (question) => {
    const words = question.toLowerCase().split(' ');
    const fits = posts.filter((post) =>
      words.every((word) => `${post.title} ${post.text} ${post.board}`.toLowerCase().includes(word)),
    );
    const path = `/search?q=${encodeURIComponent(question)}`;
    expect(titles(path).flat().sort()).toEqual(fits.map(({ title }) => title).sort());
    expect(see('reddit', path).all('h1')).toEqual([`${fits.length} post${fits.length === 1 ? '' : 's'} for "${question}"`]);
  });
});

describe('votes', () => {
  const [first, second] = [...posts].sort((a, b) => b.votes - a.votes || a.number - b.number);

  it.each([
    ['1', 1, 'Retract upvote'],
    ['-1', -1, 'Retract downvote'],
    ['0', 0, 'Upvote'],
  ])('%s changes what a post has by %d, and the buttons', (vote, by, label) => {
    const path = pathOf(first ?? named(''));
    const voted = send('reddit', `${path}any-title/vote`, { vote }).state;
    const seen = see('reddit', path, voted);
    expect(seen.all('.votes')).toContain(`${(first?.votes ?? NaN) + by} votes`);
    expect(seen.all('button')).toContain(label);
  });

  it('order the lists: the second passes the first where the votes are equal but one', () => {
    if (!first || !second) throw new RangeError('no posts');
    const posted: SitesState = {
      ...freshState,
      forum: { ...freshState.forum, posts: [{ ...second, number: 900, title: 'Rival', votes: first.votes }] },
    };
    const before = titles('/', posted)[0];
    expect(before?.slice(0, 2)).toEqual([first.title, 'Rival']);
    const after = send('reddit', `/f/${second.board}/900/rival/vote`, { vote: '1' }, posted).state;
    expect(titles('/', after)[0]?.slice(0, 2)).toEqual(['Rival', first.title]);
  });
});

describe('a post', () => {
  it('is found by its number and board, whatever the title in the address is', () => {
    const [post] = posts;
    if (!post) throw new RangeError('no posts');
    expect(see('reddit', `/f/${post.board}/${post.number}/something-else`).all('h1')).toEqual([post.title]);
    const other = boards.find(({ id }) => id !== post.board)?.id ?? '';
    expect(see('reddit', `/f/${other}/${post.number}/`).status).toBe(404);
  });

  it('shows its comments in order, and counts a new one', () => {
    const post = posts.find((one) => said(one) > 2) ?? named('');
    const texts = comments.filter((one) => one.post === post.number).map(({ text }) => text);
    const { state } = send('reddit', `${pathOf(post)}x/comment`, { text: 'New here.' });
    const seen = see('reddit', pathOf(post), state);
    expect(seen.all('.text')).toEqual([post.text, ...texts, 'New here.']);
    expect(seen.all('h2')).toContain(`${texts.length + 1} comments`);
  });

  it('a stranger reads it, and finds nothing to vote or comment with', () => {
    const [post] = posts;
    const seen = see('reddit', pathOf(post ?? named('')), freshState, stranger);
    expect(seen.status).toBe(200);
    expect(seen.all('button')).toEqual(['Search']);
    expect(send('reddit', `${pathOf(post ?? named(''))}x/comment`, { text: 'x' }, freshState, stranger).state).toBe(freshState);
  });
});

describe('boards and members', () => {
  it('boards count their posts, and the reader among the members', () => {
    const rows = new Map(see('reddit', '/boards').rows.map(([id = '', , members, count]) => [id, [members, count]]));
    for (const { id, members } of boards) {
      const subscribed = freshState.forum.subscriptions.includes(id);
      expect(rows.get(`f/${id}`)).toEqual([
        String(members + (subscribed ? 1 : 0)),
        String(posts.filter(({ board }) => board === id).length),
      ]);
    }
  });

  it('a subscription stands in the menu of every page', () => {
    const { state } = send('reddit', '/f/birds/subscribe');
    expect(see('reddit', '/', state).all('.menu')[0]).toContain('f/birds');
    expect(see('reddit', '/f/birds', state).all('button')).toContain('Unsubscribe');
    expect(see('reddit', '/f/birds').all('button')).toContain('Subscribe');
  });

  it.each(people.slice(0, 5).map(({ id }) => id))('%s has a page with what they wrote', (id) => {
    const seen = see('reddit', `/user/${id}`);
    expect(seen.fact('Posts')).toBe(String(posts.filter(({ author }) => author === id).length));
    expect(seen.fact('Comments')).toBe(String(comments.filter(({ author }) => author === id).length));
    expect(seen.all('a').includes('Edit profile')).toBe(id === 'maren');
  });

  it('a profile is one’s own: what is saved changes nobody else’s', () => {
    const { state } = send('reddit', '/settings', { about: 'Mine.' });
    expect(see('reddit', '/user/maren', state).all('.bio')).toEqual(['Mine.']);
    expect(see('reddit', '/user/tobias', state).all('.bio')).toEqual([people.find(({ id }) => id === 'tobias')?.about]);
    expect(see('reddit', '/user/nobody').status).toBe(404);
  });
});
