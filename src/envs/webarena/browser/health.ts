/** Do the official sites answer? Asked without a browser. */
import { SITES, type Site, type SiteAddresses } from '../tasks/sites.ts';

export interface SiteFinding {
  readonly site: Site;
  readonly address: string;
  /** What is wrong; absent where the site answers. */
  readonly problem?: string;
}

export async function checkSites(addresses: SiteAddresses, patience = 15_000): Promise<readonly SiteFinding[]> {
  return Promise.all(
    SITES.map(async (site) => {
      const address = addresses[site];
      const problem = await problemOf(address, patience);
      return { site, address, ...(problem !== undefined && { problem }) };
    }),
  );
}

async function problemOf(address: string, patience: number): Promise<string | undefined> {
  if (!/^https?:\/\//.test(address)) return 'is not an address that begins with http://';
  try {
    const { status, body } = await fetch(address, { redirect: 'follow', signal: AbortSignal.timeout(patience) });
    await body?.cancel();
    // Who must sign in first is refused (401, 403), and that is an answer; a page that is not there (404) is no site.
    return status < 400 || status === 401 || status === 403 ? undefined : `answers with status ${status}`;
  } catch (thrown) {
    const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
    return cause instanceof Error ? cause.message : String(cause);
  }
}
