/** The forum's header and footer, and its view of content and state together. */
import type { Visit } from '../answer.ts';
import { boards, comments, posts, postSlug, type Comment, type Post } from '../content/forum.ts';
import { h, type Child, type Element } from '../html.ts';
import { act, documentOf, notice, searchBox } from '../elements.ts';
import type { ForumState, SitesState } from '../state.ts';

export function forumPage(visit: Visit, { forum }: SitesState, title: string, ...main: readonly Child[]): Element {
  const { user } = visit;
  return documentOf(
    'forum',
    title,
    h(
      'header',
      null,
      h(
        'div',
        { class: 'bar' },
        h('a', { href: '/', class: 'brand' }, 'Lantern'),
        searchBox('/search', 'Search posts', visit.path === '/search' ? visit.query['q'] : ''),
        h(
          'nav',
          { class: 'user' },
          h('a', { href: '/boards' }, 'Boards'),
          user === undefined ? h('a', { href: '/login' }, 'Sign in') : h('a', { href: `/user/${user}` }, user),
        ),
      ),
      user !== undefined &&
        h(
          'nav',
          { class: 'menu' },
          forum.subscriptions.map((id) => h('a', { href: `/f/${id}` }, `f/${id}`)),
        ),
    ),
    h('main', null, notice(visit.query['note']), ...main),
    h(
      'footer',
      null,
      h('p', null, 'Lantern, a forum for Merrow Bay and whoever washes up here.'),
      user !== undefined && act('/logout', 'Sign out'),
    ),
  );
}

export const boardIds: readonly string[] = boards.map(({ id }) => id);

export function allPosts(forum: ForumState): readonly Post[] {
  return [...forum.posts, ...posts];
}

export function commentsOf(post: number, forum: ForumState): readonly Comment[] {
  return [...comments, ...forum.comments].filter((one) => one.post === post);
}

export function votesOf(kind: 'post' | 'comment', one: Post | Comment, forum: ForumState): number {
  return one.votes + (forum.votes[`${kind}/${String(one.number)}`] ?? 0);
}

export function postPath(post: Post): string {
  return `/f/${post.board}/${String(post.number)}/${postSlug(post)}`;
}

/** `1 comment`, `2 comments`. */
export function counted(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}
