/** /v1/completions: continues prompts, several at once; with `echo` the prompt stands before what was added, scored where that is asked for. */
import type { Context } from 'hono';
import { AgogeError } from '../../core/error.ts';
import type { TokenIds } from '../../core/trajectory.ts';
import type { Engine } from '../../engine/engine.ts';
import { promptAlternatives } from '../../engine/prompt-alternatives.ts';
import { completionChunk, completionResponse, usageOf, withTokenIds } from './answers.ts';
import { tokensOf } from './chat.ts';
import { generate, type Choice, type ScoredToken } from './generation.ts';
import { completionConstraint } from './reply-form.ts';
import { madeBy, refuseUnfit, samplingOf, streamed, whole } from './request.ts';
import type { CompletionRequest } from './schema.ts';

export async function answerCompletion(
  context: Context,
  engine: Engine,
  name: string,
  request: CompletionRequest,
): Promise<Response> {
  const { n, echo, stream, return_token_ids: withIds, logprobs } = request;
  const prompts = promptsOf(request.prompt).map((prompt) => tokensOf(engine.model, prompt));
  const copies = n ?? 1;
  const maxTokens = request.max_tokens ?? 16;
  if (maxTokens === 0 && echo !== true)
    throw new AgogeError('ENGINE_BAD_REQUEST', 'max_tokens is 0: allow at least one, or send echo');
  if (stream === true && (withIds === true || echo === true))
    throw new AgogeError('ENGINE_NO_STREAMED_IDS', 'return_token_ids and echo come with whole answers: ask without stream');
  const sampling = samplingOf(request);
  const constraint = completionConstraint(request);
  const form = constraint ? { constraint } : {};
  if (maxTokens > 0) for (const prompt of prompts) refuseUnfit(engine, { prompt, maxTokens, ...form });
  const made = madeBy(engine, name, 'cmpl');
  const promptOf = (index: number): TokenIds => prompts[Math.floor(index / copies)] as TokenIds;
  const inputTokens = prompts.reduce((sum, prompt) => sum + prompt.length, 0);
  const indices = Array.from({ length: prompts.length * copies }, (_, index) => index);
  const choice = (
    index: number,
    signal: AbortSignal,
    onText?: (text: string, tokens: readonly ScoredToken[]) => void,
  ): Promise<Choice> =>
    generate(
      engine,
      {
        ...sampling,
        ...form,
        ...(logprobs != null && logprobs > 0 ? { topLogprobs: logprobs } : {}),
        prompt: promptOf(index),
        maxTokens,
        seed: sampling.seed + (index % copies),
        signal,
      },
      onText,
    );
  if (stream === true)
    return streamed(
      context,
      async (write, signal) => {
        const choices = await Promise.all(
          indices.map(async (index) => {
            const done = await choice(index, signal, (text, tokens) => {
              write(completionChunk(made, index, { text, tokens }, logprobs != null));
            });
            write(completionChunk(made, index, { finish: done.finish }, logprobs != null));
            return done;
          }),
        );
        if (request.stream_options?.include_usage === true)
          write({ ...completionChunk(made, 0, {}, false), choices: [], usage: usageOf(choices, inputTokens) });
      },
      '[DONE]',
    );
  return whole(context, async (signal) => {
    const added = await Promise.all(indices.map((index) => (maxTokens === 0 ? Promise.resolve(nothing) : choice(index, signal))));
    const choices =
      echo === true ? await echoed(engine, added, prompts, { copies, logprobs: logprobs ?? undefined, signal }) : added;
    const answer = completionResponse(made, choices, inputTokens, logprobs != null);
    return withIds === true ? withTokenIds(answer, added, promptOf) : answer;
  });
}

const nothing: Choice = { text: '', tokens: [], ids: [], finish: 'length', outputTokens: 0 };

interface Echoing {
  /** Choices per prompt. */
  readonly copies: number;
  /** Undefined: nothing is scored; beyond 0, so many of the likeliest tokens are told for each position. */
  readonly logprobs: number | undefined;
  readonly signal: AbortSignal;
}

/** The prompt before each of its choices. */
async function echoed(
  engine: Engine,
  added: readonly Choice[],
  prompts: readonly TokenIds[],
  { copies, logprobs, signal }: Echoing,
): Promise<Choice[]> {
  const { tokenizer } = engine.model;
  const scored = await scoredPrompts(engine, prompts, logprobs, signal);
  return added.map((choice, index): Choice => {
    const at = Math.floor(index / copies);
    const text = tokenizer.decode(prompts[at] ?? []);
    return { ...choice, text: text + choice.text, tokens: [...(scored[at] ?? []), ...choice.tokens] };
  });
}

/** The tokens of prompts; of each but the first its log-probability, and the likeliest tokens of its place. */
async function scoredPrompts(
  engine: Engine,
  prompts: readonly TokenIds[],
  logprobs: number | undefined,
  signal: AbortSignal,
): Promise<ScoredToken[][]> {
  const batch = prompts.map((tokens) => ({ tokens, mask: new Uint8Array(tokens.length).fill(1, 1) }));
  const most = logprobs ?? 0;
  const [scores, alternatives] = await Promise.all([
    logprobs === undefined ? [] : engine.forward(batch, { signal }),
    most === 0 ? [] : Promise.all(prompts.map((prompt) => promptAlternatives(engine, prompt, most, signal))),
  ]);
  const textOf = (token: number): string => engine.model.tokenizer.decode([token]);
  return prompts.map((prompt, index) =>
    Array.from(prompt, (token, at): ScoredToken => {
      const logprob = at === 0 ? null : (scores[index]?.scores[at - 1] ?? null);
      // Two passes round differently: the token itself has one number, so that a client can see whether it is the likeliest.
      const top = (alternatives[index]?.[at] ?? []).map((other) => ({
        text: textOf(other.token),
        logprob: other.token === token && logprob !== null ? logprob : other.logprob,
      }));
      return { text: textOf(token), logprob, ...(top.length > 0 && { top }) };
    }),
  );
}

function promptsOf(prompt: CompletionRequest['prompt']): (string | number[])[] {
  if (typeof prompt === 'string') return [prompt];
  return prompt.every((part) => typeof part === 'number') ? [prompt] : prompt;
}
