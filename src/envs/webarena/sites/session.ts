/** Signing in. A session cookie is the account and a digest of its password, so that a server needs no memory of who came. */
import type { Site } from '../tasks/sites.ts';
import { passwordOf, people } from './content/people.ts';

export interface Account {
  readonly username: string;
  readonly password: string;
}

/** The account that an episode of a site is signed in with. */
export const accounts: Readonly<Partial<Record<Site, Account>>> = {
  shopping: { username: 'maren.holt@mail.example', password: passwordOf('maren') },
  shopping_admin: { username: 'admin', password: passwordOf('admin') },
  reddit: { username: 'maren', password: passwordOf('maren') },
  gitlab: { username: 'maren', password: passwordOf('maren') },
};

export const cookieName = (site: Site): string => `${site}_session`;

/** Who an account belongs to, or undefined where name or password is wrong. */
export function userOf(site: Site, username: string, password: string): string | undefined {
  const name = username.trim().toLowerCase();
  const id = site === 'shopping_admin' ? adminOf(name) : people.find((one) => one.id === name || one.email === name)?.id;
  return id !== undefined && password === passwordOf(id) ? id : undefined;
}

export function cookieFor(site: Site, user: string): string {
  return `${user}.${digest(`${site}/${user}/${passwordOf(user)}`)}`;
}

export function signedIn(site: Site, cookie: string | undefined): string | undefined {
  const user = cookie?.split('.')[0];
  return user !== undefined && user !== '' && cookie === cookieFor(site, user) ? user : undefined;
}

/** The cookies of an episode that is signed in at these sites. */
export function loginCookies(sites: readonly Site[]): Record<string, string> {
  const signed = sites.flatMap((site) => {
    const account = accounts[site];
    const user = account && userOf(site, account.username, account.password);
    return user === undefined ? [] : [[cookieName(site), cookieFor(site, user)] as const];
  });
  return Object.fromEntries(signed);
}

function adminOf(name: string): string | undefined {
  return name === 'admin' ? name : undefined;
}

/** FNV-1a, 32 bits: enough to tell a cookie that the site gave from one that was typed. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) as number), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
