/** Writing: posts, comments, votes, subscriptions and one's own profile. */
import { address, go, page, type Route } from '../answer.ts';
import { comments, posts } from '../content/forum.ts';
import { person } from '../content/people.ts';
import { date } from '../content/products.ts';
import { h } from '../html.ts';
import { button, field, textArea } from '../elements.ts';
import { allPosts, boardIds, forumPage, postPath } from './frame.ts';
import { missing } from './reading.ts';

const POST = /^\/f\/([a-z]+)\/(\d+)\/[a-z0-9-]*/.source;

export const writingRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: /^\/f\/([a-z]+)\/submit$/,
    answer(visit, state, board = '') {
      if (!boardIds.includes(board)) return page(missing(visit, state), state, 404);
      return page(
        forumPage(
          visit,
          state,
          `New post in f/${board}`,
          h(
            'form',
            { method: 'post', action: `/f/${board}/submit`, class: 'panel' },
            h('h1', null, `New post in f/${board}`),
            field('Title', 'title'),
            textArea('Text', 'text'),
            button('Publish'),
          ),
        ),
        state,
      );
    },
  },
  {
    method: 'POST',
    path: /^\/f\/([a-z]+)\/submit$/,
    answer(visit, state, board = '') {
      if (!boardIds.includes(board) || visit.user === undefined) return page(missing(visit, state), state, 404);
      const [title, text] = [visit.form['title']?.trim() ?? '', visit.form['text']?.trim() ?? ''];
      if (title === '') return go(address(`/f/${board}/submit`, { note: 'A post needs a title.' }), state);
      const number = 301 + posts.length + state.forum.posts.length;
      const post = { number, board, author: visit.user, title, text, votes: 1, date: date(0) };
      return go(postPath(post), { ...state, forum: { ...state.forum, posts: [post, ...state.forum.posts] } });
    },
  },
  {
    method: 'POST',
    path: /^\/f\/([a-z]+)\/subscribe$/,
    answer(visit, state, board = '') {
      if (!boardIds.includes(board)) return page(missing(visit, state), state, 404);
      const had = state.forum.subscriptions;
      const subscriptions = had.includes(board) ? had.filter((one) => one !== board) : [...had, board];
      return go(`/f/${board}`, { ...state, forum: { ...state.forum, subscriptions } });
    },
  },
  {
    method: 'POST',
    path: new RegExp(`${POST}/vote$`),
    answer(visit, state, board = '', number = '') {
      const post = allPosts(state.forum).find((one) => one.number === Number(number) && one.board === board);
      if (!post) return page(missing(visit, state), state, 404);
      const { [`post/${number}`]: _, ...others } = state.forum.votes;
      const vote = visit.form['vote'];
      const votes = vote === '1' || vote === '-1' ? ({ ...others, [`post/${number}`]: vote === '1' ? 1 : -1 } as const) : others;
      return go(postPath(post), { ...state, forum: { ...state.forum, votes } });
    },
  },
  {
    method: 'POST',
    path: new RegExp(`${POST}/comment$`),
    answer(visit, state, board = '', number = '') {
      const post = allPosts(state.forum).find((one) => one.number === Number(number) && one.board === board);
      if (!post || visit.user === undefined) return page(missing(visit, state), state, 404);
      const text = visit.form['text']?.trim() ?? '';
      if (text === '') return go(address(postPath(post), { note: 'A comment needs a text.' }), state);
      const next = 5000 + posts.length * 10 + comments.length + state.forum.comments.length;
      const comment = { number: next, post: post.number, author: visit.user, text, votes: 1, date: date(0) };
      return go(postPath(post), { ...state, forum: { ...state.forum, comments: [...state.forum.comments, comment] } });
    },
  },
  {
    method: 'GET',
    path: /^\/settings$/,
    answer(visit, state) {
      const about = state.forum.about ?? person(visit.user ?? '').about;
      return page(
        forumPage(
          visit,
          state,
          'Profile',
          h(
            'form',
            { method: 'post', action: '/settings', class: 'panel' },
            h('h1', null, 'Profile'),
            textArea('About you', 'about', about),
            button('Save'),
          ),
        ),
        state,
      );
    },
  },
  {
    method: 'POST',
    path: /^\/settings$/,
    answer(visit, state) {
      const about = visit.form['about']?.trim() ?? '';
      const to = address(`/user/${visit.user ?? ''}`, { note: 'Saved.' });
      return go(to, { ...state, forum: { ...state.forum, about } });
    },
  },
];
