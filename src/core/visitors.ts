/**
 * Who may speak to a server on this machine. A page of another site can send requests here (by its Origin), and a name that its owner
 * points at this machine can read the answers (DNS rebinding, by its Host): both are kept out, in one way for every server we have.
 */

export interface VisitorRules {
  /** The address the server is bound to. */
  readonly bound: string;
  /** True where every request proves itself by a token: then any name will do on a server that is open to the network. */
  readonly token: boolean;
  /** Further names it goes by, such as `gym.example.org`; `*` for any. */
  readonly hosts?: readonly string[];
  /** Pages that may use it, such as `https://app.example.org`; `*` for any. */
  readonly origins?: readonly string[];
}

/** The headers that tell where a request comes from. */
export interface VisitorHeaders {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly 'sec-fetch-site'?: string | string[] | undefined;
  readonly 'sec-fetch-mode'?: string | string[] | undefined;
}

export interface Stranger {
  readonly what: 'host' | 'origin';
  /** A sentence that ends with the remedy. */
  readonly message: string;
}

/** Judges requests by their headers: undefined for a welcome one. */
export function visitors(rules: VisitorRules): (headers: VisitorHeaders) => Stranger | undefined {
  const wide = rules.bound === '0.0.0.0' || rules.bound === '::' || rules.bound === '';
  const hosts = new Set([...thisMachine, rules.bound, ...(rules.hosts ?? [])].map((name) => name.toLowerCase()));
  const anyHost = hosts.has('*') || (wide && rules.token);
  const welcomeHost = (name: string): boolean => anyHost || hosts.has(name) || (wide && cannotBeRebound(name));
  const origins = new Set(rules.origins);
  // The same few names come with every request.
  const known = new Set<string>();
  const isWelcome = (host: string): boolean => {
    if (known.has(host)) return true;
    const welcome = welcomeHost(hostName(host));
    if (welcome && known.size < 100) known.add(host);
    return welcome;
  };
  return (headers) => {
    const { host, origin } = headers;
    // A browser always names the host; what does not is no page.
    if (host !== undefined && !isWelcome(host)) {
      const message = `this server does not answer to the name "${hostName(host)}": use its address, or start it with --allow-host ${hostName(host)}`;
      return { what: 'host', message };
    }
    if (origin === undefined) return fromElsewhere(headers) ? { what: 'origin', message: otherPage('another site') } : undefined;
    const own = host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
    if (own || origins.has(origin) || origins.has('*')) return undefined;
    return { what: 'origin', message: otherPage(origin) };
  };
}

const thisMachine = ['127.0.0.1', 'localhost', '::1'];

/** Without the port, the brackets of IPv6 and the last dot. */
function hostName(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

/** An address, or a name without a dot (a container, a machine of the local network): nobody outside can point these elsewhere. */
function cannotBeRebound(name: string): boolean {
  return (
    /^[\d.]+$/.test(name) || (name.includes(':') && /^[\da-f:.]+$/.test(name)) || /^[^.]+$/.test(name) || name.endsWith('.local')
  );
}

/** A page's request without an Origin (an image, a script), as newer browsers mark it; opening a link is no such request. */
function fromElsewhere(headers: VisitorHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return (site === 'cross-site' || site === 'same-site') && headers['sec-fetch-mode'] !== 'navigate';
}

function otherPage(origin: string): string {
  return `this server does not answer the page of ${origin}: call it from a program, or start it with --allow-origin <its origin>`;
}
