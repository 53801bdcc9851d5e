/**
 * How likely a given reply is at an endpoint: the conversation's ids (vLLM's `return_token_ids`), the reply's ids, then both as one prompt that
 * is echoed with log-probabilities. vLLM has all three, and so has our own server; what an endpoint lacks is told.
 */
import { z } from 'zod';
import { ask } from '../../core/ask.ts';
import { baseUrls } from './addresses.ts';
import type { EndpointAddress } from './endpoint-request.ts';

/** Log-probabilities of the reply's tokens, or why there are none. */
export type ReplyScore = { readonly logprobs: readonly number[] } | { readonly missing: string };

const ids = z.array(z.int().nonnegative()).min(1);
const chatIds = z.object({ prompt_token_ids: ids }).transform((answer) => answer.prompt_token_ids);
const completionIds = z
  .object({ choices: z.tuple([z.object({ prompt_token_ids: ids })]).rest(z.unknown()) })
  .transform(({ choices }) => choices[0].prompt_token_ids);
const echoed = z
  .object({
    choices: z.tuple([z.object({ logprobs: z.object({ token_logprobs: z.array(z.number().nullable()) }) })]).rest(z.unknown()),
  })
  .transform(({ choices }) => choices[0].logprobs.token_logprobs);

/** `messages` as the chat API takes them; the reply is what the assistant says next. */
export async function scoreReply(
  address: Pick<EndpointAddress, 'model' | 'baseUrl' | 'apiKey'>,
  messages: readonly object[],
  reply: string,
  signal: AbortSignal,
): Promise<ReplyScore> {
  const [base] = baseUrls(address.baseUrl);
  const headers = {
    'content-type': 'application/json',
    ...(address.apiKey === undefined ? {} : { authorization: `Bearer ${address.apiKey}` }),
  };
  const post = async <Answer>(path: string, asked: object, wanted: z.ZodType<Answer>, lacks: string): Promise<Answer> => {
    const body = JSON.stringify({ model: address.model, max_tokens: 1, temperature: 0, ...asked });
    const { ok, status, text } = await ask(`${base ?? ''}/${path}`, { method: 'POST', headers, body, signal });
    if (!ok) throw new Lacking(`it answers /${path} with ${status}`);
    const parsed = wanted.safeParse(JSON.parse(text));
    if (!parsed.success) throw new Lacking(lacks);
    return parsed.data;
  };
  try {
    const noIds = 'it tells no ids of prompts (return_token_ids)';
    const prompt = await post('chat/completions', { messages, return_token_ids: true }, chatIds, noIds);
    const alone = { prompt: reply, return_token_ids: true, add_special_tokens: false };
    const said = await post('completions', alone, completionIds, noIds);
    const whole = { prompt: [...prompt, ...said], echo: true, logprobs: 1 };
    const scores = await post('completions', whole, echoed, 'it does not score prompts (echo with logprobs)');
    const logprobs = scores.slice(prompt.length, prompt.length + said.length).flatMap((score) => score ?? []);
    return logprobs.length === said.length ? { logprobs } : { missing: 'it scores fewer tokens than it was given' };
  } catch (thrown) {
    signal.throwIfAborted();
    return { missing: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

/** What was asked for is not told there. */
class Lacking extends Error {}
