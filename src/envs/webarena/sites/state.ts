/**
 * What an episode has changed, over content that never changes. States are values: a request makes a new one, so a fresh episode costs
 * nothing and nothing can leak into another.
 */
import type { Comment, Post } from './content/forum.ts';
import type { Order, OrderLine, OrderState } from './content/orders.ts';
import type { Review } from './content/products.ts';
import type { Issue, Member, MergeRequest, Project } from './content/projects.ts';

export interface SitesState {
  readonly shop: ShopState;
  readonly forum: ForumState;
  readonly git: GitState;
}

export interface ShopState {
  readonly cart: readonly OrderLine[];
  readonly wishlist: readonly string[];
  readonly street?: string;
  readonly newsletter: boolean;
  readonly orders: readonly Order[];
  readonly orderStates: Readonly<Record<number, OrderState>>;
  readonly orderNotes: Readonly<Record<number, readonly string[]>>;
  readonly reviews: readonly Review[];
  /** Reviews that the administration has hidden, by `product/author`. */
  readonly hiddenReviews: readonly string[];
  readonly products: Readonly<Record<string, ProductChange>>;
}

export interface ProductChange {
  readonly name?: string;
  readonly price?: number;
  readonly stock?: number;
}

export interface ForumState {
  readonly posts: readonly Post[];
  readonly comments: readonly Comment[];
  /** The signed-in member's votes, by `post/301` or `comment/5000`. */
  readonly votes: Readonly<Record<string, 1 | -1>>;
  readonly subscriptions: readonly string[];
  readonly about?: string;
}

export interface GitState {
  readonly projects: readonly Project[];
  readonly issues: readonly Issue[];
  readonly mergeRequests: readonly MergeRequest[];
  readonly stars: readonly string[];
  readonly members: readonly (Member & { readonly project: string })[];
  /** By `issue/owner/name/3` or `merge/owner/name/3`. */
  readonly notes: Readonly<Record<string, readonly Note[]>>;
  readonly closed: Readonly<Record<string, boolean>>;
  readonly merged: readonly string[];
  readonly assignees: Readonly<Record<string, string>>;
}

export interface Note {
  readonly author: string;
  readonly text: string;
}

export const freshState: SitesState = {
  shop: {
    cart: [],
    wishlist: ['paper-lantern-lamp'],
    newsletter: false,
    orders: [],
    orderStates: {},
    orderNotes: {},
    reviews: [],
    hiddenReviews: [],
    products: {},
  },
  forum: { posts: [], comments: [], votes: {}, subscriptions: ['merrowbay', 'programming'] },
  git: {
    projects: [],
    issues: [],
    mergeRequests: [],
    stars: ['felix/pebble'],
    members: [],
    notes: {},
    closed: {},
    merged: [],
    assignees: {},
  },
};
