/** Settings of WebShop. */
import * as z from 'zod';
import { whole, type SettingsOf } from '../settings.ts';
import { generated } from '../stand-in.ts';

export const settings = {
  products: z.string().optional().describe('file of products, JSON as distributed with WebShop (default: a generated catalogue)'),
  attributes: z
    .string()
    .optional()
    .describe('file of attributes and instructions for those products (items_ins_v2_1000.json, items_ins_v2.json)'),
  limit: whole(1).optional().describe('only the first so many records of the file (AgentGym takes 1000)'),
  size: whole(1).optional().describe('number of products in the generated catalogue (default 2400)'),
  seed: whole(0).default(0).describe('seed of the generated catalogue and of prices within ranges (default 0)'),
  generated,
  page: whole(1).default(10).describe('products on a page of results (default 10, as in the original)'),
};

export type WebShopSettings = SettingsOf<typeof settings>;
