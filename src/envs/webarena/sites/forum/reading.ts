/** Reading: the front page, boards, search, a post with its comments, and members. */
import { address, matches, page, paged, type Route, type Visit } from '../answer.ts';
import { boards, comments, type Post } from '../content/forum.ts';
import { people, person, self } from '../content/people.ts';
import { h, type Element } from '../html.ts';
import { act, button, facts, pager, table, tabs, textArea } from '../elements.ts';
import type { ForumState, SitesState } from '../state.ts';
import { allPosts, commentsOf, counted, forumPage, postPath, votesOf } from './frame.ts';

const PAGE = 8;

const sorts: Readonly<Record<string, (forum: ForumState) => (a: Post, b: Post) => number>> = {
  top: (forum) => (a, b) => votesOf('post', b, forum) - votesOf('post', a, forum) || a.number - b.number,
  new: () => (a, b) => (a.date === b.date ? b.number - a.number : a.date < b.date ? 1 : -1),
  commented: (forum) => (a, b) => commentsOf(b.number, forum).length - commentsOf(a.number, forum).length || a.number - b.number,
};

export const readingRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: /^\/$/,
    open: true,
    answer: (visit, state) =>
      page(forumPage(visit, state, 'Lantern', h('h1', null, 'All boards'), ...list(visit, state, allPosts(state.forum))), state),
  },
  {
    method: 'GET',
    path: /^\/search$/,
    open: true,
    answer(visit, state) {
      const question = visit.query['q'] ?? '';
      const found = allPosts(state.forum).filter((post) => matches(question, post.title, post.text, post.board));
      const heading = h('h1', null, `${counted(found.length, 'post')} for "${question}"`);
      return page(forumPage(visit, state, 'Search', heading, ...list(visit, state, found)), state);
    },
  },
  {
    method: 'GET',
    path: /^\/boards$/,
    open: true,
    answer(visit, state) {
      const rows = boards.map(({ id, line, members }) => [
        h('a', { href: `/f/${id}` }, `f/${id}`),
        line,
        String(members + (state.forum.subscriptions.includes(id) ? 1 : 0)),
        String(allPosts(state.forum).filter((post) => post.board === id).length),
      ]);
      return page(
        forumPage(visit, state, 'Boards', h('h1', null, 'Boards'), table(['Board', 'About', 'Members', 'Posts'], rows)),
        state,
      );
    },
  },
  {
    method: 'GET',
    path: /^\/f\/([a-z]+)$/,
    open: true,
    answer(visit, state, id = '') {
      const board = boards.find((one) => one.id === id);
      if (!board) return page(missing(visit, state), state, 404);
      const subscribed = state.forum.subscriptions.includes(id);
      return page(
        forumPage(
          visit,
          state,
          `f/${id}`,
          h(
            'div',
            { class: 'masthead' },
            h('h1', null, `f/${id}`),
            h('p', { class: 'line' }, board.line),
            visit.user !== undefined && [
              h('a', { href: `/f/${id}/submit`, class: 'button' }, 'New post'),
              act(`/f/${id}/subscribe`, subscribed ? 'Unsubscribe' : 'Subscribe'),
            ],
          ),
          ...list(
            visit,
            state,
            allPosts(state.forum).filter((post) => post.board === id),
          ),
        ),
        state,
      );
    },
  },
  {
    method: 'GET',
    path: /^\/f\/([a-z]+)\/(\d+)\/[a-z0-9-]*$/,
    open: true,
    answer(visit, state, board = '', number = '') {
      const post = allPosts(state.forum).find((one) => one.number === Number(number) && one.board === board);
      if (!post) return page(missing(visit, state), state, 404);
      return page(postPage(visit, state, post), state);
    },
  },
  {
    method: 'GET',
    path: /^\/user\/([a-z]+)$/,
    open: true,
    answer(visit, state, id = '') {
      if (!people.some((one) => one.id === id)) return page(missing(visit, state), state, 404);
      const { name, joined, about } = person(id);
      const own = allPosts(state.forum).filter(({ author }) => author === id);
      const said = [...comments, ...state.forum.comments].filter(({ author }) => author === id);
      return page(
        forumPage(
          visit,
          state,
          id,
          h('h1', null, id),
          h('p', { class: 'bio' }, id === self ? (state.forum.about ?? about) : about),
          facts([
            ['Name', name],
            ['Member since', joined],
            ['Posts', String(own.length)],
            ['Comments', String(said.length)],
          ]),
          visit.user === id && h('p', null, h('a', { href: '/settings', class: 'button' }, 'Edit profile')),
          h('h2', null, 'Posts'),
          ...list(visit, state, own),
        ),
        state,
      );
    },
  },
];

function list(visit: Visit, state: SitesState, found: readonly Post[]): (Element | null)[] {
  const sort = visit.query['sort'] ?? 'top';
  const order = sorts[sort] ?? sorts['top'];
  const shown = paged(order ? [...found].sort(order(state.forum)) : found, visit.query['page'], PAGE);
  const query = { q: visit.query['q'], sort: visit.query['sort'] };
  const by = (key: string, label: string) => [address(visit.path, { ...query, sort: key }), label, sort === key] as const;
  return [
    found.length > 1 ? tabs('Sort', [by('top', 'Top'), by('new', 'New'), by('commented', 'Most commented')]) : null,
    h(
      'ol',
      { class: 'posts' },
      shown.items.map((post) => row(post, state)),
    ),
    pager(shown, visit.path, query),
  ];
}

function row(post: Post, { forum }: SitesState): Element {
  const votes = votesOf('post', post, forum);
  const said = commentsOf(post.number, forum).length;
  return h(
    'li',
    null,
    h('span', { class: 'votes' }, String(votes)),
    h(
      'div',
      null,
      h('h3', null, h('a', { href: postPath(post) }, post.title)),
      h('p', { class: 'meta' }, `${post.author} in f/${post.board} on ${post.date}, ${counted(said, 'comment')}`),
    ),
  );
}

function postPage(visit: Visit, state: SitesState, post: Post): Element {
  const { forum } = state;
  const said = commentsOf(post.number, forum);
  const here = postPath(post);
  const mine = forum.votes[`post/${String(post.number)}`];
  return forumPage(
    visit,
    state,
    post.title,
    h(
      'article',
      { class: 'post' },
      h('h1', null, post.title),
      h(
        'p',
        { class: 'meta' },
        'Posted by ',
        h('a', { href: `/user/${post.author}` }, post.author),
        ' in ',
        h('a', { href: `/f/${post.board}` }, `f/${post.board}`),
        ` on ${post.date}`,
      ),
      h('p', { class: 'text' }, post.text),
      h(
        'div',
        { class: 'actions' },
        h('span', { class: 'votes', id: 'votes' }, counted(votesOf('post', post, forum), 'vote')),
        visit.user !== undefined && [
          act(`${here}/vote`, mine === 1 ? 'Retract upvote' : 'Upvote', { vote: mine === 1 ? '0' : '1' }),
          act(`${here}/vote`, mine === -1 ? 'Retract downvote' : 'Downvote', { vote: mine === -1 ? '0' : '-1' }),
        ],
      ),
    ),
    h('h2', null, counted(said.length, 'comment')),
    h(
      'ul',
      { class: 'comments' },
      said.map((comment) =>
        h(
          'li',
          null,
          h('p', { class: 'text' }, comment.text),
          h('p', { class: 'meta' }, `${comment.author}, ${counted(votesOf('comment', comment, forum), 'vote')}`),
        ),
      ),
    ),
    visit.user !== undefined &&
      h(
        'form',
        { method: 'post', action: `${here}/comment`, class: 'panel' },
        textArea('Your comment', 'text'),
        button('Post comment'),
      ),
  );
}

export function missing(visit: Visit, state: SitesState): Element {
  return forumPage(visit, state, 'Not found', h('h1', null, 'Not found'), h('p', null, 'Nothing is posted at this address.'));
}
