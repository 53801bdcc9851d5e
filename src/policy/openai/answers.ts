/** The shapes of the OpenAI API's answers, whole and in chunks. */
import type { TokenIds } from '../../core/trajectory.ts';
import type { Choice, ScoredToken } from './generation.ts';

/** What all parts of one answer share. */
export interface Made {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly fingerprint: string;
}

/** A piece of a stream: its start, some text, or its end. */
export interface Piece {
  readonly start?: true;
  readonly text?: string;
  readonly tokens?: readonly ScoredToken[];
  /** A call of a tool: its number and name first, then its arguments. */
  readonly call?: { readonly index: number; readonly id?: string; readonly name?: string; readonly arguments: string };
  readonly finish?: Choice['finish'];
}

interface WholeAnswer {
  readonly choices: readonly object[];
  readonly usage: object;
}

export function completionResponse(made: Made, choices: readonly Choice[], inputTokens: number, logprobs: boolean): WholeAnswer {
  return {
    ...head(made, 'text_completion'),
    choices: choices.map(({ text, tokens, finish }, index) => ({
      index,
      text,
      logprobs: logprobs ? completionLogprobs(tokens) : null,
      finish_reason: finish,
    })),
    usage: usageOf(choices, inputTokens),
  };
}

export function chatResponse(made: Made, choices: readonly Choice[], inputTokens: number, logprobs: boolean): WholeAnswer {
  return {
    ...head(made, 'chat.completion'),
    choices: choices.map(({ text, tokens, finish, calls = [] }, index) => ({
      index,
      message: {
        role: 'assistant',
        content: calls.length > 0 ? null : text,
        refusal: null,
        ...(calls.length > 0 ? { tool_calls: calls.map((call, at) => toolCall(callId(made, index, at), call)) } : {}),
      },
      logprobs: logprobs ? chatLogprobs(tokens) : null,
      finish_reason: finish,
    })),
    usage: usageOf(choices, inputTokens),
  };
}

/** The same answer with the ids of prompts and replies, in the places where vLLM has them. */
export function withTokenIds(response: WholeAnswer, choices: readonly Choice[], promptOf: (index: number) => TokenIds): object {
  const prompt_token_ids = [...promptOf(0)];
  const chat = 'message' in (response.choices[0] ?? {});
  return {
    ...response,
    ...(chat ? { prompt_token_ids } : {}),
    choices: response.choices.map((choice, index) => ({
      ...choice,
      ...(chat ? {} : { prompt_token_ids: [...promptOf(index)] }),
      token_ids: [...(choices[index]?.ids ?? [])],
    })),
  };
}

export function completionChunk(made: Made, index: number, piece: Piece, logprobs: boolean): object {
  const { text = '', tokens = [], finish } = piece;
  const choice = { index, text, logprobs: logprobs ? completionLogprobs(tokens) : null, finish_reason: finish ?? null };
  return { ...head(made, 'text_completion'), choices: [choice] };
}

export function chatChunk(made: Made, index: number, piece: Piece, logprobs: boolean): object {
  const { start, text, tokens, finish, call } = piece;
  const delta = start
    ? { role: 'assistant', content: '' }
    : call
      ? { tool_calls: [callPiece(call)] }
      : text === undefined
        ? {}
        : { content: text };
  const choice = { index, delta, logprobs: logprobs && tokens ? chatLogprobs(tokens) : null, finish_reason: finish ?? null };
  return { ...head(made, 'chat.completion.chunk'), choices: [choice] };
}

/** The id of a call, the same in a stream and in a whole answer. */
export function callId({ id }: Made, index: number, at: number): string {
  return `call_${id.slice(-12)}_${index}_${at}`;
}

function toolCall(id: string, call: { readonly name: string; readonly arguments: string }): object {
  return { id, type: 'function', function: { name: call.name, arguments: call.arguments } };
}

function callPiece({ index, id, name, arguments: given }: NonNullable<Piece['call']>): object {
  return {
    index,
    ...(id === undefined ? {} : { id, type: 'function' }),
    function: { ...(name === undefined ? {} : { name }), arguments: given },
  };
}

export function usageOf(
  choices: readonly Choice[],
  inputTokens: number,
): { readonly prompt_tokens: number; readonly completion_tokens: number; readonly total_tokens: number } {
  const output = choices.reduce((sum, { outputTokens }) => sum + outputTokens, 0);
  return { prompt_tokens: inputTokens, completion_tokens: output, total_tokens: inputTokens + output };
}

function head(made: Made, object: string): object {
  return { id: made.id, object, created: made.created, model: made.model, system_fingerprint: made.fingerprint };
}

function completionLogprobs(tokens: readonly ScoredToken[]): object {
  let offset = 0;
  return {
    tokens: tokens.map(({ text }) => text),
    token_logprobs: tokens.map(({ logprob }) => logprob),
    top_logprobs: tokens.map(likeliestByText),
    text_offset: tokens.map(({ text }) => {
      const at = offset;
      offset += text.length;
      return at;
    }),
  };
}

/**
 * The likeliest tokens of a place by their texts. The token that stands there is always among them, also when others were likelier;
 * of several tokens with one text (parts of a character) the likeliest is told. Null at the start of a prompt, as from OpenAI.
 */
function likeliestByText({ text, logprob, top = [] }: ScoredToken): Record<string, number> | null {
  if (logprob === null) return null;
  const told: Record<string, number> = {};
  for (const one of [...top, { text, logprob }]) told[one.text] = Math.max(told[one.text] ?? -Infinity, one.logprob);
  return told;
}

function chatLogprobs(tokens: readonly ScoredToken[]): object {
  const entry = (text: string, logprob: number | null): object => ({
    token: text,
    logprob,
    bytes: [...new TextEncoder().encode(text)],
  });
  const content = tokens.map(({ text, logprob, top = [] }) => ({
    ...entry(text, logprob),
    top_logprobs: top.map((other) => entry(other.text, other.logprob)),
  }));
  return { content, refusal: null };
}
