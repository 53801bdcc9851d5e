/**
 * A client of Search-R1's retrieval server (`POST /retrieve`), so that an index that a group already runs is used as it is: BM25 or E5
 * over 21 million passages, or whatever else answers there.
 */
import { z } from 'zod';
import { ask as request } from '../core/ask.ts';
import { deadline } from '../core/deadline.ts';
import { AgogeError } from '../core/error.ts';
import type { Passage, Retriever } from './retriever.ts';

const document = z.object({ id: z.union([z.string(), z.number()]).optional(), contents: z.string() });
/** With scores each passage stands beside its own, without them alone. */
const answerSchema = z.object({ result: z.array(z.array(z.union([z.object({ document }), document]))) });

const PATIENCE = 60_000;
const ATTEMPTS = 3;

export function searchR1Retriever(address: string): Retriever {
  const url = address.replace(/\/+$/, '').replace(/(\/retrieve)?$/, '/retrieve');
  return {
    name: `search-r1:${url}`,
    async search(query, limit, signal): Promise<Passage[]> {
      let last: unknown;
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        try {
          return await ask(url, query, limit, signal);
        } catch (thrown) {
          if (signal?.aborted === true) throw thrown;
          last = thrown;
        }
      }
      const words = last instanceof Error ? last.message : String(last);
      throw new AgogeError('SEARCH_NO_SERVER', `${url} does not answer (${words}): is the retrieval server running there?`, {
        cause: last,
      });
    },
  };
}

async function ask(url: string, query: string, limit: number, signal: AbortSignal | undefined): Promise<Passage[]> {
  using patience = deadline(PATIENCE, signal);
  const { ok, status, text } = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ queries: [query], topk: limit, return_scores: true }),
    signal: patience.signal,
  });
  if (!ok) throw new Error(`it answered ${status}: ${text.slice(0, 200)}`);
  const parsed = answerSchema.safeParse(JSON.parse(text));
  if (!parsed.success) throw new Error('its answer has no result with documents');
  const found = parsed.data.result[0] ?? [];
  return found.slice(0, limit).map((one, i) => {
    const { id, contents } = 'document' in one ? one.document : one;
    return { id: String(id ?? i), contents };
  });
}
