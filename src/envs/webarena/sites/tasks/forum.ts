/** Tasks in the forum. */
import { boards, comments, posts, postSlug, type Post } from '../content/forum.ts';
import { person, self } from '../content/people.ts';
import type { PlanStep, Template } from './template.ts';
import { answered, answeredExactly, atUrl, enter, fill, link, push, refill, shows, stop } from './template.ts';

const FORUM = '__REDDIT__';
const subscribed = ['merrowbay', 'programming'];
export const nextPost = 301 + posts.length;

const said = ({ number }: Post): number => comments.filter(({ post }) => post === number).length;
const on = (board: string): readonly Post[] => posts.filter((post) => post.board === board);
export const postUrl = (post: Pick<Post, 'board' | 'number' | 'title'>): string =>
  `${FORUM}/f/${post.board}/${String(post.number)}/${postSlug(post)}`;

export const toBoard = (board: string): readonly PlanStep[] => [link('Boards'), link(`f/${board}`, 'Boards')];
const toPost = ({ title }: Post): readonly PlanStep[] => [enter('Search posts', title), link(title)];
const byAll = (one: Post): number => one.votes;

const remarks = [
  'Thank you, this helped me a lot.',
  'Count me in.',
  'I saw that too, last Tuesday.',
  'Do you have more of them?',
];
const lines = [
  'Lives by the harbour.',
  'Reads more than she writes.',
  'Ask me about bees.',
  'Here for the birds.',
  'Mostly tea.',
];
const news: readonly (readonly [string, string])[] = [
  ['Found a red scarf on the ferry', 'It is at the ticket office now.'],
  ['Looking for a used ladder', 'Three metres would do.'],
  ['Thank you to whoever fixed the gate', 'It closes again.'],
];

export const forumTemplates: readonly Template[] = [
  {
    name: 'author',
    sites: ['reddit'],
    intent: 'Who wrote the post "{{title}}"?',
    instances: () =>
      posts.map((post) => ({
        values: { title: post.title },
        evaluation: answeredExactly(post.author),
        plan: [enter('Search posts', post.title), stop(post.author)],
      })),
  },
  {
    name: 'joined',
    sites: ['reddit'],
    intent: 'Since when is the author of the post "{{title}}" a member of the forum?',
    unseen: true,
    instances: () =>
      posts
        .filter(({ author }) => author !== self)
        .map((post) => ({
          values: { title: post.title },
          evaluation: answered(person(post.author).joined),
          plan: [...toPost(post), link(post.author), stop(person(post.author).joined)],
        })),
  },
  {
    name: 'comments',
    sites: ['reddit'],
    intent: 'How many comments does the post "{{title}}" have?',
    instances: () =>
      posts.map((post) => ({
        values: { title: post.title },
        evaluation: answeredExactly(String(said(post))),
        plan: [...toPost(post), stop(String(said(post)))],
      })),
  },
  {
    name: 'top',
    sites: ['reddit'],
    intent: 'What is the title of the post with the most votes in f/{{board}}?',
    instances: () =>
      boards.flatMap(({ id }) => {
        const [first, second] = [...on(id)].sort((a, b) => byAll(b) - byAll(a));
        if (!first || first.votes === second?.votes) return [];
        return [{ values: { board: id }, evaluation: answered(first.title), plan: [...toBoard(id), stop(first.title)] }];
      }),
  },
  {
    name: 'newest',
    sites: ['reddit'],
    intent: 'What is the title of the newest post in f/{{board}}?',
    instances: () =>
      boards.flatMap(({ id }) => {
        const [first, second] = [...on(id)].sort((a, b) => (a.date < b.date ? 1 : -1));
        if (!first || first.date === second?.date) return [];
        return [
          { values: { board: id }, evaluation: answered(first.title), plan: [...toBoard(id), link('New'), stop(first.title)] },
        ];
      }),
  },
  {
    name: 'most-commented',
    sites: ['reddit'],
    intent: 'Open the list of f/{{board}} with the most commented posts first.',
    unseen: true,
    instances: () =>
      boards.map(({ id }) => ({
        values: { board: id },
        evaluation: atUrl(`${FORUM}/f/${id}?sort=commented`),
        plan: [...toBoard(id), link('Most commented'), stop()],
      })),
  },
  {
    name: 'open-post',
    sites: ['reddit'],
    intent: 'Open the post "{{title}}".',
    instances: () =>
      posts.map((post) => ({
        values: { title: post.title },
        evaluation: atUrl(postUrl(post)),
        plan: [...toPost(post), stop()],
      })),
  },
  {
    name: 'upvote',
    sites: ['reddit'],
    intent: 'Upvote the post "{{title}}".',
    instances: () =>
      posts.map((post) => ({
        values: { title: post.title },
        evaluation: shows({ url: postUrl(post), selector: '#votes', includes: [`${String(post.votes + 1)} votes`] }),
        plan: [...toPost(post), push('Upvote'), stop()],
      })),
  },
  {
    name: 'downvote',
    sites: ['reddit'],
    intent: 'Give the post "{{title}}" a downvote.',
    unseen: true,
    instances: () =>
      posts
        .filter(({ votes }) => votes > 3)
        .map((post) => ({
          values: { title: post.title },
          evaluation: shows({ url: postUrl(post), selector: '#votes', exactly: `${String(post.votes - 1)} votes` }),
          plan: [...toPost(post), push('Downvote'), stop()],
        })),
  },
  {
    name: 'comment',
    sites: ['reddit'],
    intent: 'Answer the post "{{title}}" with the comment "{{text}}"',
    instances: () =>
      posts.map((post, at) => {
        const text = remarks[at % remarks.length] ?? '';
        return {
          values: { title: post.title, text },
          evaluation: shows({ url: postUrl(post), selector: '.comments', includes: [text, 'maren, 1 vote'] }),
          plan: [...toPost(post), fill('Your comment', text), push('Post comment'), stop()],
        };
      }),
  },
  {
    name: 'new-post',
    sites: ['reddit'],
    intent: 'Start a post in f/{{board}} titled "{{title}}" that says "{{text}}"',
    instances: () =>
      boards.flatMap(({ id }) =>
        news.map(([title, text]) => {
          const url = postUrl({ board: id, number: nextPost, title });
          return {
            values: { board: id, title, text },
            evaluation: shows({ url, selector: 'h1', exactly: title }, { url, selector: '.post .text', includes: [text] }),
            plan: [...toBoard(id), link('New post'), fill('Title', title), fill('Text', text), push('Publish'), stop()],
          };
        }),
      ),
  },
  {
    name: 'subscribe',
    sites: ['reddit'],
    intent: '{{action}} f/{{board}}.',
    instances: () =>
      boards.map(({ id }) => {
        const leaves = subscribed.includes(id);
        return {
          values: { action: leaves ? 'Unsubscribe from' : 'Subscribe to', board: id },
          evaluation: shows({
            url: `${FORUM}/f/${id}`,
            selector: '.masthead button',
            exactly: leaves ? 'Subscribe' : 'Unsubscribe',
          }),
          plan: [...toBoard(id), push(leaves ? 'Unsubscribe' : 'Subscribe'), stop()],
        };
      }),
  },
  {
    name: 'profile',
    sites: ['reddit'],
    intent: 'Change what my profile says about me to "{{text}}"',
    instances: () =>
      lines.map((text) => ({
        values: { text },
        evaluation: shows({ url: `${FORUM}/user/${self}`, selector: '.bio', exactly: text }),
        plan: [link(self), link('Edit profile'), ...refill('About you', text), push('Save'), stop()],
      })),
  },
];
