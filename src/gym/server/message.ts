/** What comes in and what goes out over HTTP, whichever way it was read. */
import type { IncomingHttpHeaders } from 'node:http';

export interface HttpRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** After the question mark, undecoded; empty when there is none. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as text; null when it was not UTF-8. */
  readonly body: string | null;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
  /** `application/json` where absent. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
