/**
 * The likeliest tokens of each position of a prompt. Each position is asked as one token after the prompt up to it, in order, so that
 * every request extends the last one and finds its keys and values.
 */
import { AgogeError } from '../core/error.ts';
import type { TokenIds } from '../core/trajectory.ts';
import type { Engine, TokenLogprob } from './engine.ts';

/** One list per token, the likeliest first; the first token has none, since nothing stands before it. Throws ENGINE_NO_TOP_LOGPROBS. */
export async function promptAlternatives(
  engine: Engine,
  prompt: TokenIds,
  most: number,
  signal?: AbortSignal,
): Promise<(readonly TokenLogprob[])[]> {
  const ids = Array.from(prompt);
  const alternatives: (readonly TokenLogprob[])[] = ids.length > 0 ? [[]] : [];
  for (let position = 1; position < ids.length; position++) {
    let told: readonly TokenLogprob[] | undefined;
    await engine.sample({
      prompt: ids.slice(0, position),
      maxTokens: 1,
      temperature: 0,
      seed: 0,
      topLogprobs: most,
      ...(signal && { signal }),
      onToken: (_token, _logprob, _raw, top) => (told = top),
    });
    if (!told)
      throw new AgogeError('ENGINE_NO_TOP_LOGPROBS', 'this engine does not tell the likeliest tokens: ask without alternatives');
    alternatives.push(told.slice(0, most));
  }
  return alternatives;
}
