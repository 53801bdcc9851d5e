/**
 * A shipped site: a function of a request and the episode's state to a response. It never waits and does no I/O; a loopback server gives
 * it to Chromium, the fast backend calls it.
 */
export interface SiteVisit {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly cookies: Readonly<Record<string, string>>;
  /** Fields of a submitted form, in the order of the page; empty for GET. */
  readonly form: readonly (readonly [name: string, value: string])[];
}
