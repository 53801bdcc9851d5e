/** The shop from behind the counter: orders, products, customers, reviews and reports. */
import type { SiteDefinition } from '../answer.ts';
import { loginRoutes } from '../login.ts';
import { adminPage } from './frame.ts';
import { goodsRoutes } from './goods.ts';
import { missing } from './missing.ts';
import { orderRoutes } from './orders.ts';

export const adminSite: SiteDefinition = {
  site: 'shopping_admin',
  prefix: '/admin',
  closed: true,
  routes: [...goodsRoutes, ...orderRoutes, ...loginRoutes('shopping_admin', adminPage, { prefix: '/admin' })],
  notFound: missing,
};
