/** Tasks over two sites: something is looked up on one and used on the other. They begin on the first page, which links to all sites. */
import { articles } from '../content/articles.ts';
import { boards } from '../content/forum.ts';
import { places } from '../content/places.ts';
import { money, products } from '../content/products.ts';
import { issues, projectPath, projects } from '../content/projects.ts';
import { toStock } from './admin.ts';
import { nextPost, postUrl, toBoard } from './forum.ts';
import { toProject } from './git.ts';
import { toArticle, toPlace } from './lookup.ts';
import { toProduct } from './shop.ts';
import type { Evaluation, PlanStep, Template } from './template.ts';
import { fill, link, push, refill, say, shows, stop } from './template.ts';

const board = (at: number): string => boards[at % boards.length]?.id ?? 'merrowbay';
const home = say('goto [__HOMEPAGE__]');

/** A new post, from the first page on. */
function publish(to: string, title: string, text: string): readonly PlanStep[] {
  return [
    home,
    link('Lantern'),
    ...toBoard(to),
    link('New post'),
    fill('Title', title),
    fill('Text', text),
    push('Publish'),
    stop(),
  ];
}

function published(to: string, title: string, text: string): Evaluation {
  const url = postUrl({ board: to, number: nextPost, title });
  return shows({ url, selector: 'h1', exactly: title }, { url, selector: '.post .text', includes: [text] });
}

export const pairTemplates: readonly Template[] = [
  {
    name: 'tell-price',
    sites: ['shopping', 'reddit'],
    intent: 'Start a post in f/{{board}} titled "{{product}}" whose text is its price in the shop.',
    instances: () =>
      products.slice(0, 32).map((one, at) => ({
        values: { board: board(at), product: one.name },
        evaluation: published(board(at), one.name, money(one.price)),
        plan: [link('Fernhill Market'), ...toProduct(one), ...publish(board(at), one.name, money(one.price))],
      })),
  },
  {
    name: 'tell-issues',
    sites: ['gitlab', 'reddit'],
    intent: 'Start a post in f/programming titled "{{project}}" whose text is the number of its open issues on Quarry.',
    instances: () =>
      projects.map((one) => {
        const count = String(issues.filter((issue) => issue.project === projectPath(one) && issue.open).length);
        return {
          values: { project: one.name },
          evaluation: published('programming', one.name, count),
          plan: [link('Quarry'), ...toProject(one), ...publish('programming', one.name, count)],
        };
      }),
  },
  {
    name: 'tell-year',
    sites: ['wikipedia', 'reddit'],
    intent:
      'Start a post in f/merrowbay titled "{{title}}" whose text is the year in which it was built, as the encyclopaedia has it.',
    unseen: true,
    instances: () =>
      articles.flatMap((one) => {
        const built = one.facts.find(([name]) => name === 'Built')?.[1];
        if (built === undefined) return [];
        return [
          {
            values: { title: one.title },
            evaluation: published('merrowbay', one.title, built),
            plan: [link('Almanac'), ...toArticle(one.title), ...publish('merrowbay', one.title, built)],
          },
        ];
      }),
  },
  {
    name: 'deliver-to',
    sites: ['map', 'shopping'],
    intent: 'Change the street of my shop account to the address of {{place}}, as the map has it.',
    instances: () =>
      places.map((one) => {
        const street = `${String(one.number)} ${one.street}`;
        return {
          values: { place: one.name },
          evaluation: shows({ url: '__SHOPPING__/account', selector: '#field-street', value: true, exactly: street }),
          plan: [
            link('Wayfare'),
            ...toPlace(one),
            home,
            link('Fernhill Market'),
            link('Maren Holt'),
            ...refill('Street', street),
            push('Save'),
            stop(),
          ],
        };
      }),
  },
  {
    name: 'reprice-and-wish',
    sites: ['shopping_admin', 'shopping'],
    intent:
      'Set the price of the {{product}} to {{price}} dollars in the administration, then put it on my wish list in the shop.',
    unseen: true,
    instances: () =>
      products
        .filter(({ id }) => id !== 'paper-lantern-lamp')
        .slice(0, 24)
        .map((one) => {
          const price = (one.price / 100 + 1).toFixed(2);
          return {
            values: { product: one.name, price },
            evaluation: shows({ url: '__SHOPPING__/wishlist', selector: 'main table', includes: [one.name, `$${price}`] }),
            plan: [
              link('Fernhill Admin'),
              ...toStock(one),
              ...refill('Price', price),
              push('Save product'),
              home,
              link('Fernhill Market'),
              ...toProduct(one),
              push('Add to wish list'),
              stop(),
            ],
          };
        }),
  },
];
