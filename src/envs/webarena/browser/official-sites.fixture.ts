/**
 * Stands in for the official sites where their images cannot be had: what signing in, `func:` helpers and a few tasks meet there. The
 * labels, placeholders, test ids, addresses, page classes and answers are those that the original's programs ask for. One server each.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ACCOUNTS, SITES, type Site, type SiteAddresses } from '../tasks/sites.ts';

interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly html?: string;
  readonly json?: unknown;
}

interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
  readonly form: URLSearchParams;
  /** Signed in by a cookie, or by the interface's token. */
  readonly member: boolean;
}

export class OfficialSites implements AsyncDisposable {
  readonly sessions = new Set<string>();
  signIns = 0;
  accepts = true;
  /** Milliseconds that a form takes to be answered: GitLab needs seconds. */
  slow = 0;
  readonly orders: string[] = ['000000169'];
  readonly reviews: { nickname: string; ratings: { rating_name: string; percent: number }[] }[] = [];
  readonly members = new Map([['byteblaze', 'Owner']]);
  readonly posts: { title: string; body: string }[] = [];
  private readonly servers: Server[] = [];

  private constructor(readonly addresses: SiteAddresses) {}

  static async start(): Promise<OfficialSites> {
    const addresses: Partial<Record<Site, string>> = {};
    const sites = new OfficialSites(addresses as SiteAddresses);
    for (const site of SITES) {
      const server = createServer((request, response) => {
        let body = '';
        request.on('data', (chunk: Buffer) => (body += String(chunk)));
        request.on('end', () => {
          const { status = 200, headers = {}, html, json } = sites.answer(site, request, body);
          const type = json === undefined ? 'text/html; charset=utf-8' : 'application/json';
          const send = (): void => {
            const text = json === undefined ? `<!doctype html><title>${site}</title>${html ?? ''}` : JSON.stringify(json);
            response.writeHead(status, { 'content-type': type, ...headers }).end(text);
          };
          if (request.method === 'POST' && json === undefined) setTimeout(send, sites.slow);
          else send();
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      sites.servers.push(server);
      const port = String((server.address() as AddressInfo).port);
      addresses[site] = `http://127.0.0.1:${port}${site === 'shopping_admin' ? '/admin' : ''}`;
    }
    return sites;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(
      this.servers.map((server) => {
        server.closeAllConnections();
        return new Promise((resolve) => server.close(resolve));
      }),
    );
  }

  private answer(site: Site, request: IncomingMessage, body: string): Reply {
    const pairs = (request.headers.cookie ?? '').split('; ');
    const token = request.headers.authorization?.replace('Bearer ', '');
    const known = (session: string | undefined): boolean => session !== undefined && this.sessions.has(session);
    const asked: Asked = {
      method: request.method ?? 'GET',
      url: new URL(request.url ?? '/', 'http://x'),
      body,
      form: new URLSearchParams(body),
      member: known(token) || pairs.some((pair) => pair.startsWith(`${site}=`) && known(pair.slice(site.length + 1))),
    };
    if (site === 'shopping') return this.shop(asked);
    if (site === 'shopping_admin') return this.admin(asked);
    if (site === 'reddit') return this.forum(asked);
    if (site === 'gitlab') return this.gitlab(asked);
    return asked.url.pathname === '/gone' ? { status: 404 } : { html: `<h1>${site}</h1>` };
  }

  private shop(asked: Asked): Reply {
    const { method, url, form, member, body } = asked;
    const path = url.pathname;
    if (path === '/customer/account/login/') {
      if (method === 'POST') return this.signIn('shopping', form, '/');
      return {
        html: '<form method=post><label for=email>Email</label><input id=email name=u><label for=pass>Password</label><input id=pass name=p type=password><button>Sign In</button></form>',
      };
    }
    if (path === '/rest/default/V1/integration/admin/token') {
      const { username, password } = ACCOUNTS.shopping_site_admin;
      const given = JSON.parse(body) as Readonly<Record<string, unknown>>;
      if (given['username'] !== username || given['password'] !== password) return { status: 401, json: { message: 'wrong' } };
      this.sessions.add('admin-token');
      return { json: 'admin-token' };
    }
    if (path.startsWith('/rest/')) return member ? this.shopInterface(url) : { status: 401, json: { message: 'no token' } };
    if (!member) return path === '/' ? { html: 'Shop' } : moved('/customer/account/login/');
    if (path === '/checkout/' && method === 'POST') {
      this.orders.push(String(Number(this.orders.at(-1)) + 1).padStart(9, '0'));
      return moved('/checkout/onepage/success/');
    }
    if (path === '/checkout/') return { html: '<form method=post><button>Place Order</button></form>' };
    if (path === '/B00J8RZL7I.html' && method === 'POST') {
      const percent = 20 * Number(form.get('rating'));
      this.reviews.push({ nickname: form.get('nickname') ?? '', ratings: [{ rating_name: 'Rating', percent }] });
      return moved('/B00J8RZL7I.html');
    }
    if (path === '/B00J8RZL7I.html')
      return {
        html: '<form method=post><label>Rating<select name=rating><option value=1>1 star<option value=5>5 stars</select></label><label>Nickname<input name=nickname></label><button>Submit Review</button></form>',
      };
    const order = /^\/sales\/order\/view\/order_id\/(\d+)\/$/.exec(path)?.[1];
    if (order !== undefined) return { html: `<div class="order-details-items ordered">Order ${order}: B07DFJ5XKH</div>` };
    return { html: '<a href=/checkout/>Proceed to Checkout</a> <a href=/B00J8RZL7I.html>Fan</a>' };
  }

  private shopInterface(url: URL): Reply {
    if (url.pathname === '/rest/V1/orders') {
      const newest = url.searchParams.get('searchCriteria[sortOrders][0][direction]') === 'DESC';
      return { json: { items: [{ increment_id: newest ? this.orders.at(-1) : this.orders[0] }] } };
    }
    return /^\/rest\/V1\/products\/[^/]+\/reviews$/.test(url.pathname)
      ? { json: url.pathname.includes('B00J8RZL7I') ? this.reviews : [] }
      : { status: 404, json: { message: 'no route' } };
  }

  private admin({ method, url, form, member }: Asked): Reply {
    if (method === 'POST') return this.signIn('shopping_admin', form, '/admin/dashboard');
    if (member) return { html: url.pathname.endsWith('/dashboard') ? '<h1>Dashboard</h1>' : 'Admin' };
    return {
      html: '<form method=post><input name=u placeholder="user name"><input name=p placeholder=password><button>Sign in</button></form>',
    };
  }

  private forum({ method, url, form, member }: Asked): Reply {
    const path = url.pathname;
    if (path === '/login') {
      if (method === 'POST') return this.signIn('reddit', form, '/');
      return {
        html: '<form method=post><label>Username<input name=u></label><label>Password<input name=p></label><button>Log in</button></form>',
      };
    }
    if (path === `/user/${ACCOUNTS.reddit.username}/account`) return { html: member ? 'Delete account' : 'Members only' };
    if (path === '/submit/gaming' && method === 'POST') {
      const post = { title: form.get('title') ?? '', body: form.get('body') ?? '' };
      return moved(`/f/gaming/${this.posts.push(post)}/a-post#comments`);
    }
    if (path === '/submit/gaming')
      return {
        html: '<form method=post><label>Title<input name=title></label><label>Body<textarea name=body></textarea></label><button>Create submission</button></form>',
      };
    const post = this.posts[Number(/^\/f\/gaming\/(\d+)/.exec(path)?.[1]) - 1];
    if (post) return { html: `<article class=submission__inner><h1>${post.title}</h1>${post.body}</article>` };
    return { html: member ? '<nav><a href=/submit/gaming>Submit</a></nav>' : 'Forum' };
  }

  private gitlab({ method, url, form, member }: Asked): Reply {
    if (url.pathname === '/users/sign_in') {
      if (method === 'POST') return this.signIn('gitlab', form, '/');
      return {
        html: '<form method=post><input name=u data-testid=username-field><input name=p data-testid=password-field><button data-testid=sign-in-button>Go</button></form>',
      };
    }
    if (!member) return url.pathname === '/' ? { html: 'GitLab' } : moved('/users/sign_in');
    if (url.pathname !== '/byteblaze/dotfiles/-/project_members') return { html: 'Projects' };
    if (method === 'POST') {
      this.members.set(form.get('who') ?? '', form.get('role') ?? '');
      return moved(url.pathname);
    }
    const rows = [...this.members].map(
      ([name, role]) =>
        `<tr><td data-label="Account"><span class="gl-avatar-labeled-sublabel">@${name}</span></td><td class="col-max-role"><span>${role}</span></td></tr>`,
    );
    return {
      html: `<table>${rows.join('')}</table><form method=post><label>Username or email address<input name=who></label><label>Select a role<select name=role><option>Guest<option>Developer</select></label><button>Invite</button></form>`,
    };
  }

  private signIn(site: 'reddit' | 'gitlab' | 'shopping' | 'shopping_admin', form: URLSearchParams, then: string): Reply {
    const { username, password } = ACCOUNTS[site];
    this.signIns++;
    if (!this.accepts || form.get('u') !== username || form.get('p') !== password) return { html: 'Wrong.' };
    const session = `${site}-${String(this.signIns)}`;
    this.sessions.add(session);
    return moved(then, { 'set-cookie': `${site}=${session}; Path=/` });
  }
}

function moved(location: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status: 302, headers: { ...headers, location } };
}
