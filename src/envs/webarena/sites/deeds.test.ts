/** What can be done on the shipped sites, and what they refuse: each form by its rules, as a request and the state that it leaves. */
import { describe, expect, it } from 'vitest';
import { PUBLIC, type Site } from '../tasks/sites.ts';
import { html } from './html.ts';
import { loginCookies } from './session.ts';
import { answer, shippedSites } from './sites.ts';
import { freshState, type SitesState } from './state.ts';

type Form = Readonly<Record<string, string>>;
const cookies = loginCookies([...shippedSites]);
const stranger: Readonly<Record<string, string>> = {};

function post(site: Site, path: string, form: Form = {}, state: SitesState = freshState, as = cookies) {
  return answer(
    site,
    { method: 'POST', url: new URL(path, PUBLIC[site]), cookies: as, form: Object.entries(form) },
    state,
    PUBLIC,
  );
}

function shown(site: Site, path: string, state: SitesState = freshState): string {
  const reply = answer(site, { method: 'GET', url: new URL(path, PUBLIC[site]), cookies, form: [] }, state, PUBLIC);
  return reply.document ? html(reply.document) : `→ ${reply.location ?? ''}`;
}

/** Several forms, one after another. */
const after = (site: Site, ...steps: readonly (readonly [path: string, form?: Form])[]): SitesState =>
  steps.reduce((state, [path, form]) => post(site, path, form, state).state, freshState);

/** The note that the next page shows. */
const note = (location: string | undefined): string | null =>
  location === undefined ? null : new URL(location, 'http://a.example').searchParams.get('note');

describe('the shop', () => {
  const add = (count: string): readonly [string, Form] => ['/cart/add', { product: 'bread-knife', count }];

  it('puts the same product into one line of the cart', () => {
    expect(after('shopping', add('1'), add('2')).shop.cart).toEqual([{ product: 'bread-knife', count: 3, price: 3100 }]);
  });

  it('counts what is in the cart already against the stock', () => {
    const { shop } = after('shopping', add('1'));
    const stocked = { ...freshState, shop: { ...shop, products: { 'bread-knife': { stock: 2 } } } };
    expect(post('shopping', ...add('1'), stocked).state.shop.cart).toEqual([{ product: 'bread-knife', count: 2, price: 3100 }]);
    const refused = post('shopping', ...add('2'), stocked);
    expect(refused.state).toBe(stocked);
    expect(note(refused.location)).toBe('Please choose a quantity from 1 to 2.');
  });

  it('takes a line out of the cart', () => {
    expect(after('shopping', add('2'), ['/cart/remove', { product: 'bread-knife' }]).shop.cart).toEqual([]);
  });

  it.each([
    ['standard', 500],
    ['express', 1200],
    ['by pigeon', 500],
  ])('an order shipped %s costs %d more, empties the cart and is the newest', (shipping, cost) => {
    const { shop } = after('shopping', add('2'), ['/checkout', { street: ' 4 Mill Lane ', shipping }]);
    expect(shop.cart).toEqual([]);
    expect(shop.orders).toMatchObject([
      { number: 1064, customer: 'maren', street: '4 Mill Lane', shipping: cost, state: 'pending' },
    ]);
    const page = shown('shopping', '/orders/1064', { ...freshState, shop });
    expect(page).toContain(`$${((2 * 3100 + cost) / 100).toFixed(2)}`);
  });

  it('wants a street, and something in the cart', () => {
    const filled = after('shopping', add('1'));
    const refused = post('shopping', '/checkout', { street: '  ' }, filled);
    expect([refused.state, note(refused.location)]).toEqual([filled, 'Please enter a street.']);
    expect(post('shopping', '/checkout', { street: 'x' }).location).toBe('/cart');
    expect(shown('shopping', '/checkout')).toBe('→ /cart');
  });

  it.each([
    [1055, 'cancelled', 'The order is cancelled.'],
    [1053, 'cancelled', 'The order is cancelled.'],
    [1045, undefined, 'This order can no longer be cancelled.'],
  ])('order %d is then %s: only what has not been sent can be cancelled', (number, state, said) => {
    const reply = post('shopping', `/orders/${number}/cancel`);
    expect(reply.state.shop.orderStates[number]).toBe(state);
    expect(note(reply.location)).toBe(said);
    expect(shown('shopping', `/orders/${number}`, reply.state).includes('Cancel order')).toBe(false);
  });

  it('knows nobody else’s orders', () => {
    for (const path of ['/orders/1062/cancel', '/orders/1062/again', '/orders/9999/cancel'])
      expect(post('shopping', path)).toMatchObject({ status: 404, state: freshState });
  });

  it('fills the cart with an old order again', () => {
    const { shop } = post('shopping', '/orders/1045/again').state;
    expect(shop.cart.length).toBeGreaterThan(0);
    expect(shown('shopping', '/cart', { ...freshState, shop })).toContain('Go to checkout');
  });

  describe('an old order once more', () => {
    const again = (shop: Partial<SitesState['shop']>) =>
      post('shopping', '/orders/1045/again', {}, { ...freshState, shop: { ...freshState.shop, ...shop } });
    const wildflowers = { product: 'seed-box-wildflowers', count: 1, price: expect.any(Number) as number };
    const board = { product: 'cork-notice-board', count: 1, price: expect.any(Number) as number };

    it('costs what things cost now', () => {
      const { state, location } = again({ products: { 'bread-knife': { price: 4200 } } });
      expect([state.shop.cart, note(location)]).toEqual([
        [wildflowers, { product: 'bread-knife', count: 1, price: 4200 }, board],
        null,
      ]);
      const { shop } = post('shopping', '/checkout', { street: '4 Mill Lane' }, state).state;
      expect(shop.orders[0]?.lines[1]?.price).toBe(4200);
    });

    it('leaves out what is sold out, and says so', () => {
      const { state, location } = again({ products: { 'bread-knife': { stock: 0 } } });
      expect(state.shop.cart).toEqual([wildflowers, board]);
      expect(note(location)).toBe('Could not be ordered again: Bread Knife (sold out).');
      expect(shown('shopping', location ?? '', state)).toContain('Bread Knife (sold out)');
    });

    it('comes beside what is in the cart, which counts against the stock', () => {
      const cart = [{ product: 'bread-knife', count: 2, price: 3100 }];
      expect(again({ cart }).state.shop.cart).toEqual([{ product: 'bread-knife', count: 3, price: 3100 }, wildflowers, board]);
      const short = again({ cart, products: { 'bread-knife': { stock: 2 } } });
      expect(short.state.shop.cart).toEqual([...cart, wildflowers, board]);
      expect(note(short.location)).toBe('Could not be ordered again: Bread Knife (2 in stock).');
    });
  });

  it('a wish list is a switch for each product', () => {
    const once = after('shopping', ['/wishlist', { product: 'bread-knife' }]);
    expect(once.shop.wishlist).toEqual(['paper-lantern-lamp', 'bread-knife']);
    expect(post('shopping', '/wishlist', { product: 'bread-knife' }, once).state.shop.wishlist).toEqual(['paper-lantern-lamp']);
    expect(post('shopping', '/wishlist', { product: 'no-such-thing' }).status).toBe(404);
  });

  it('saves the account, newsletter included', () => {
    const { shop } = after('shopping', ['/account', { street: '9 Quay', newsletter: 'yes' }]);
    expect([shop.street, shop.newsletter]).toEqual(['9 Quay', true]);
    expect(shown('shopping', '/account', { ...freshState, shop })).toContain('subscribed');
    expect(after('shopping', ['/account', { street: '9 Quay' }]).shop.newsletter).toBe(false);
    expect(note(post('shopping', '/account', { street: '' }).location)).toBe('Please enter a street.');
  });

  it.each([
    [{ stars: '5', title: 'Sharp', text: 'Cuts.' }, 1],
    [{ stars: '0', title: 'Sharp' }, 0],
    [{ stars: '6', title: 'Sharp' }, 0],
    [{ stars: '5', title: ' ' }, 0],
    [{ title: 'Sharp' }, 0],
  ])('the review %j is written %d times: it needs one to five stars and a title', (form, times) => {
    expect(after('shopping', ['/p/bread-knife/review', form as Form]).shop.reviews).toHaveLength(times);
  });

  it('keeps one review of a product by the same customer', () => {
    const review = (title: string): readonly [string, Form] => ['/p/bread-knife/review', { stars: '4', title }];
    const { shop } = after('shopping', review('First'), review('Second'));
    expect(shop.reviews.map(({ title }) => title)).toEqual(['Second']);
  });
});

describe('the administration', () => {
  it.each([
    ['12.50', 1250],
    ['12.5', 1250],
    ['12', 1200],
    ['$7.05', 705],
    ['-3', undefined],
    ['12.505', undefined],
    ['twelve', undefined],
  ])('reads the price %s as %s cents', (price, cents) => {
    const { state, location } = post('shopping_admin', '/admin/products/bread-knife', { name: 'Knife', price, stock: '3' });
    expect(state.shop.products['bread-knife']?.price).toBe(cents);
    if (cents === undefined) expect(note(location)).toMatch(/^Please give a name, a price like 12\.50/);
  });

  it.each(['', 'many', '-1', '1.5'])('takes no stock of %j', (stock) => {
    expect(post('shopping_admin', '/admin/products/bread-knife', { name: 'Knife', price: '1', stock }).state).toBe(freshState);
  });

  it('changes the state of any order, and keeps its notes', () => {
    const order = (form: Form): readonly [string, Form] => ['/admin/orders/1062', form];
    const { shop } = after('shopping_admin', order({ state: 'shipped', note: 'Left today.' }), order({ state: 'delivered' }));
    expect([shop.orderStates[1062], shop.orderNotes[1062]]).toEqual(['delivered', ['Left today.']]);
    expect(post('shopping_admin', '/admin/orders/1062', { state: 'lost' }).status).toBe(404);
  });

  it('what it cancels, the customer sees cancelled', () => {
    const state = after('shopping_admin', ['/admin/orders/1055', { state: 'cancelled' }]);
    expect(shown('shopping', '/orders/1055', state)).toContain('cancelled');
  });

  it('hides a review and shows it again', () => {
    const written = after('shopping', ['/p/bread-knife/review', { stars: '1', title: 'Blunt as a spoon' }]);
    expect(shown('shopping', '/p/bread-knife', written)).toContain('Blunt as a spoon');
    const hide = (state: SitesState): SitesState =>
      post('shopping_admin', '/admin/reviews', { review: 'bread-knife/maren' }, state).state;
    expect(shown('shopping', '/p/bread-knife', hide(written))).not.toContain('Blunt as a spoon');
    expect(hide(hide(written)).shop.hiddenReviews).toEqual([]);
  });

  it('is closed to who is not signed in', () => {
    const reply = post('shopping_admin', '/admin/orders/1062', { state: 'shipped' }, freshState, stranger);
    expect([reply.state, reply.location?.includes('/login')]).toEqual([freshState, true]);
  });
});

describe('the forum', () => {
  const submit: readonly [string, Form] = ['/f/books/submit', { title: 'A good read', text: 'This one.' }];

  it('publishes a post under its writer with one vote, and leads to it', () => {
    const reply = post('reddit', ...submit);
    expect(reply.state.forum.posts).toMatchObject([{ board: 'books', author: 'maren', title: 'A good read', votes: 1 }]);
    expect(shown('reddit', reply.location ?? '', reply.state)).toContain('This one.');
    expect(shown('reddit', '/f/books', reply.state)).toContain('A good read');
  });

  it('numbers posts apart', () => {
    const { forum } = after('reddit', submit, submit, submit);
    expect(new Set(forum.posts.map(({ number }) => number)).size).toBe(3);
  });

  it('wants a title, a board that is there, and a member', () => {
    expect(note(post('reddit', '/f/books/submit', { title: ' ', text: 'x' }).location)).toBe('A post needs a title.');
    expect(post('reddit', '/f/nowhere/submit', { title: 'x' }).status).toBe(404);
    expect(post('reddit', ...submit, freshState, stranger).state).toBe(freshState);
  });

  it.each([
    [['1'], 1],
    [['-1'], -1],
    [['1', '-1'], -1],
    [['1', '0'], undefined],
    [['7'], undefined],
  ])('votes %j count as %s: the last one, up or down or none', (votes, counted) => {
    const written = post('reddit', ...submit);
    const path = `${written.location ?? ''}/vote`;
    const { number = 0 } = written.state.forum.posts[0] ?? {};
    const state = votes.reduce((before, vote) => post('reddit', path, { vote }, before).state, written.state);
    expect(state.forum.votes[`post/${number}`]).toBe(counted);
  });

  it('adds comments in their order, and none without a text', () => {
    const written = post('reddit', ...submit);
    const say = (text: string, state: SitesState) => post('reddit', `${written.location ?? ''}/comment`, { text }, state);
    const once = say('First.', written.state).state;
    const twice = say(' Second. ', once).state;
    expect(twice.forum.comments.map(({ text }) => text)).toEqual(['First.', 'Second.']);
    expect(new Set(twice.forum.comments.map(({ number }) => number)).size).toBe(2);
    const empty = say('  ', twice);
    expect([empty.state, note(empty.location)]).toEqual([twice, 'A comment needs a text.']);
  });

  it('subscribes and unsubscribes', () => {
    const once = after('reddit', ['/f/books/subscribe']);
    expect(once.forum.subscriptions).toContain('books');
    expect(post('reddit', '/f/books/subscribe', {}, once).state.forum.subscriptions).toEqual(freshState.forum.subscriptions);
    expect(post('reddit', '/f/nowhere/subscribe').status).toBe(404);
  });

  it('shows the profile that was saved', () => {
    const state = after('reddit', ['/settings', { about: 'I keep bees.' }]);
    expect(shown('reddit', '/user/maren', state)).toContain('I keep bees.');
  });
});

describe('the repositories', () => {
  const here = '/maren/tide-tables';
  const issue = (form: Form): readonly [string, Form] => [`${here}/issues/new`, form];

  it('gives an issue the next number, a label and its writer', () => {
    const reply = post('gitlab', ...issue({ title: ' Wrong tide ', text: 'At noon.', label: 'feature' }));
    expect(reply.location).toBe(`${here}/issues/7`);
    expect(reply.state.git.issues).toMatchObject([{ number: 7, title: 'Wrong tide', author: 'maren', open: true }]);
    expect(post('gitlab', ...issue({ title: 'Next' }), reply.state).location).toBe(`${here}/issues/8`);
    expect(post('gitlab', ...issue({ title: 'x', label: 'no such label' })).state.git.issues[0]?.labels).toEqual(['bug']);
    expect(note(post('gitlab', ...issue({ title: '' })).location)).toBe('An issue needs a title.');
  });

  it('closes an issue and opens it again; the lists follow', () => {
    const closed = after('gitlab', [`${here}/issues/6/toggle`]);
    const listed = (state: SitesState, which: string): boolean =>
      shown('gitlab', `${here}/issues?state=${which}`, state).includes(`${here}/issues/6"`);
    expect([listed(freshState, 'open'), listed(closed, 'open'), listed(closed, 'closed')]).toEqual([true, false, true]);
    expect(listed(post('gitlab', `${here}/issues/6/toggle`, {}, closed).state, 'open')).toBe(true);
  });

  it('assigns an issue to who asks for it', () => {
    expect(after('gitlab', [`${here}/issues/6/assign`]).git.assignees).toEqual({ 'maren/tide-tables/6': 'maren' });
    expect(post('gitlab', `${here}/issues/99/assign`).status).toBe(404);
  });

  it.each([
    ['/maren/tide-tables/merge_requests/3/merge', true],
    ['/maren/tide-tables/merge_requests/2/merge', false],
    ['/felix/pebble/merge_requests/1/merge', false],
    ['/maren/tide-tables/merge_requests/9/merge', false],
  ])('%s merges: %s; open ones, by the owner alone', (path, merges) => {
    const reply = post('gitlab', path);
    expect(reply.status).toBe(merges ? 303 : 404);
    expect(reply.state.git.merged.length).toBe(freshState.git.merged.length + (merges ? 1 : 0));
    if (merges) expect(post('gitlab', path, {}, reply.state).status).toBe(404);
  });

  it('keeps what is said about issues and merge requests apart', () => {
    const { git } = after(
      'gitlab',
      [`${here}/issues/3/comment`, { text: 'Seen.' }],
      [`${here}/merge_requests/3/comment`, { text: 'Nice.' }],
      [`${here}/issues/3/comment`, { text: 'Done.' }],
    );
    expect(git.notes['issue/maren/tide-tables/3']?.map(({ text }) => text)).toEqual(['Seen.', 'Done.']);
    expect(git.notes['merge/maren/tide-tables/3']?.map(({ text }) => text)).toEqual(['Nice.']);
    expect(note(post('gitlab', `${here}/issues/3/comment`, { text: '' }).location)).toBe('A comment needs a text.');
  });

  it.each([
    ['rope-log', '/maren/rope-log', null],
    ['tide-tables', '/projects/new', 'You have a project of that name.'],
    ['Rope Log', '/projects/new', 'A name has small letters, digits and hyphens.'],
    ['', '/projects/new', 'A name has small letters, digits and hyphens.'],
  ])('a new project %j leads to %s', (name, path, said) => {
    const { location } = post('gitlab', '/projects/new', { name, line: 'Ropes' });
    expect(location?.split('?')[0]).toBe(path);
    expect(note(location)).toBe(said);
  });

  it('stars are a switch', () => {
    const once = after('gitlab', [`${here}/star`]);
    expect(once.git.stars).toEqual(['felix/pebble', 'maren/tide-tables']);
    expect(post('gitlab', `${here}/star`, {}, once).state.git.stars).toEqual(['felix/pebble']);
  });

  it.each([
    [{ user: 'felix', role: 'Developer' }, 'felix is a member now.'],
    [{ user: '@Felix ', role: 'Developer' }, 'felix is a member now.'],
    [{ user: 'nobody', role: 'Developer' }, 'There is no such user to invite.'],
    [{ user: 'maren', role: 'Developer' }, 'There is no such user to invite.'],
  ])('inviting %j says %j', (form, said) => {
    expect(note(post('gitlab', `${here}/members`, form).location)).toBe(said);
  });

  it('a member who is invited again has the new role only, and nobody becomes an owner', () => {
    const invite = (role: string): readonly [string, Form] => [`${here}/members`, { user: 'felix', role }];
    const { git } = after('gitlab', invite('Developer'), invite('Maintainer'));
    expect(git.members).toEqual([{ project: 'maren/tide-tables', user: 'felix', role: 'Maintainer' }]);
    expect(post('gitlab', ...invite('Owner')).status).toBe(404);
  });
});
