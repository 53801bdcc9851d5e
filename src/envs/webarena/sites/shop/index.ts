/** The shop: catalogue, cart, orders and account. */
import type { SiteDefinition } from '../answer.ts';
import { loginRoutes } from '../login.ts';
import { buyingRoutes } from './buying.ts';
import { catalogueRoutes, missing } from './catalogue.ts';
import { shopPage } from './frame.ts';

export const shopSite: SiteDefinition = {
  site: 'shopping',
  prefix: '',
  closed: true,
  routes: [...catalogueRoutes, ...buyingRoutes, ...loginRoutes('shopping', shopPage, { username: 'Email' })],
  notFound: missing,
};
