/**
 * One request to a server that somebody named. Nothing is sent to an address that nobody named: where the server says that it is
 * elsewhere, that is an error. An answer has a size, packed or not.
 */
import { AgogeError } from './error.ts';

export interface Asked {
  readonly status: number;
  /** The status is 200 to 299. */
  readonly ok: boolean;
  readonly text: string;
}

/** Bytes that an answer may have. */
const usualMost = 32 * 1024 * 1024;

/** Throws CORE_MOVED, CORE_ANSWER_TOO_LARGE, and what fetch throws. */
export async function ask(url: string | URL, request: RequestInit, most = usualMost): Promise<Asked> {
  const response = await fetch(url, { ...request, redirect: 'manual' });
  const { status, ok } = response;
  if (status >= 300 && status < 400) {
    await response.body?.cancel();
    throw new AgogeError(
      'CORE_MOVED',
      `${String(url)} answers with ${status}, that it is elsewhere: give the address it has now`,
    );
  }
  return { status, ok, text: await textOf(response, most) };
}

async function textOf(response: Response, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > most)
      throw new AgogeError('CORE_ANSWER_TOO_LARGE', `${response.url} answers with more than ${most} bytes: look at that server`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
