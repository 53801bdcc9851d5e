/** /v1/completions: continues prompts, several at once; with `echo` the prompt stands before what was added, scored where that is asked for. */
import type { Context } from 'hono';
import { AgogeError } from '../../core/error.ts';
import type { TokenIds } from '../../core/trajectory.ts';
import type { Engine } from '../../engine/engine.ts';
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
  if (echo === true && logprobs != null && logprobs > 0)
    throw new AgogeError(
      'ENGINE_NO_TOP_LOGPROBS',
      'likely alternatives are told for what is sampled, not for a prompt: with echo send "logprobs": 0',
    );
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
    const choices = echo === true ? await echoed(engine, added, indices.map(promptOf), logprobs != null, signal) : added;
    const answer = completionResponse(made, choices, inputTokens, logprobs != null);
    return withIds === true ? withTokenIds(answer, added, promptOf) : answer;
  });
}

const nothing: Choice = { text: '', tokens: [], ids: [], finish: 'length', outputTokens: 0 };

/** The prompt before each choice; its first token has no log-probability. */
async function echoed(
  engine: Engine,
  added: readonly Choice[],
  prompts: readonly TokenIds[],
  scored: boolean,
  signal: AbortSignal,
): Promise<Choice[]> {
  const { tokenizer } = engine.model;
  const batch = prompts.map((tokens) => ({ tokens, mask: new Uint8Array(tokens.length).fill(1, 1) }));
  const scores = scored ? await engine.forward(batch, { signal }) : [];
  return added.map((choice, index): Choice => {
    const prompt = Array.from(prompts[index] ?? []);
    const before = prompt.map((token, at): ScoredToken => ({
      text: tokenizer.decode([token]),
      logprob: at === 0 ? null : (scores[index]?.scores[at - 1] ?? null),
    }));
    return { ...choice, text: tokenizer.decode(prompt) + choice.text, tokens: [...before, ...choice.tokens] };
  });
}

function promptsOf(prompt: CompletionRequest['prompt']): (string | number[])[] {
  if (typeof prompt === 'string') return [prompt];
  return prompt.every((part) => typeof part === 'number') ? [prompt] : prompt;
}
