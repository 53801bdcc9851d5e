/** Whoever turns texts into vectors: an OpenAI-compatible /embeddings, or an ONNX model on this machine. Vectors have length 1. */
import { z } from 'zod';
import { ask } from '../../core/ask.ts';
import { deadline } from '../../core/deadline.ts';
import { AgogeError } from '../../core/error.ts';

export interface Embedder {
  /** Named in what is kept on disk: vectors of one model are of no use to another. */
  readonly name: string;
  /** Texts of one call at most. */
  readonly batch: number;
  embed(texts: readonly string[], kind: 'query' | 'passage', signal?: AbortSignal): Promise<Float32Array[]>;
  close?(): void;
}

/** What a model of this name wants before its texts, as FlashRAG and Search-R1 put it. */
export function prefixOf(model: string, kind: 'query' | 'passage'): string {
  const name = model.toLowerCase();
  if (name.includes('e5')) return `${kind}: `;
  return name.includes('bge') && kind === 'query' ? 'Represent this sentence for searching relevant passages: ' : '';
}

export function unit(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const length = Math.sqrt(sum);
  return length === 0 ? vector : vector.map((value) => value / length);
}

const answerSchema = z.object({ data: z.array(z.object({ index: z.number(), embedding: z.array(z.number()).min(1) })) });
const PATIENCE = 120_000;

/** `address`: with or without /embeddings at its end. The key comes from OPENAI_API_KEY, where there is one. */
export function endpointEmbedder(address: string, model: string): Embedder {
  const url = address.replace(/\/+$/, '').replace(/(\/embeddings)?$/, '/embeddings');
  const key = process.env['OPENAI_API_KEY'];
  return {
    name: `${model}@${url}`,
    batch: 64,
    async embed(texts, kind, signal) {
      const input = texts.map((text) => prefixOf(model, kind) + text);
      using limit = deadline(PATIENCE, signal);
      let answer: unknown;
      try {
        const { ok, status, text } = await ask(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
          body: JSON.stringify({ model, input }),
          signal: limit.signal,
        });
        if (!ok) throw new Error(`it answered ${status}: ${text.slice(0, 200)}`);
        answer = JSON.parse(text);
      } catch (cause) {
        const words = cause instanceof Error ? cause.message : String(cause);
        throw new AgogeError(
          'SEARCH_NO_EMBEDDINGS',
          `${url} gives no embeddings (${words}): check searchqa.embeddings and searchqa.model`,
          { cause },
        );
      }
      const parsed = answerSchema.safeParse(answer);
      if (!parsed.success || parsed.data.data.length !== texts.length) {
        throw new AgogeError(
          'SEARCH_NO_EMBEDDINGS',
          `${url} did not answer with one embedding per text: is it an OpenAI-compatible server?`,
        );
      }
      return parsed.data.data.sort((a, b) => a.index - b.index).map(({ embedding }) => unit(Float32Array.from(embedding)));
    },
  };
}
