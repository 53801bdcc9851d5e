/** /v1/chat/completions: one turn of a conversation, text or calls of tools, whole or in chunks. */
import type { Context } from 'hono';
import { AgogeError } from '../../core/error.ts';
import type { Engine } from '../../engine/engine.ts';
import { callId, chatChunk, chatResponse, usageOf, withTokenIds, type Made, type Piece } from './answers.ts';
import type { ChatTurn, ChatWriter } from './chat.ts';
import { generate, type Choice, type ChoiceRequest, type ScoredToken } from './generation.ts';
import { madeBy, refuseUnfit, samplingOf, streamed, whole } from './request.ts';
import type { ChatRequest } from './schema.ts';

export async function answerChat(
  context: Context,
  engine: Engine,
  name: string,
  request: ChatRequest,
  writer: ChatWriter,
): Promise<Response> {
  const logprobs = request.logprobs === true;
  if (request.return_token_ids === true && request.stream === true)
    throw new AgogeError('ENGINE_NO_STREAMED_IDS', 'return_token_ids comes with whole answers: ask without stream');
  const turn = writer.turn(request);
  const asked = choiceOf(engine, request, turn);
  refuseUnfit(engine, asked);
  const made = madeBy(engine, name, 'chatcmpl');
  const indices = Array.from({ length: request.n ?? 1 }, (_, index) => index);
  const inputTokens = turn.prompt.length;
  if (request.stream === true)
    return streamed(
      context,
      async (write, signal) => {
        const send = (index: number, piece: Piece): void => {
          write(chatChunk(made, index, piece, logprobs));
        };
        for (const index of indices) send(index, { start: true });
        const choices = await Promise.all(
          indices.map((index) => streamChoice(engine, { ...asked, seed: asked.seed + index, signal }, turn, made, index, send)),
        );
        if (request.stream_options?.include_usage === true)
          write({ ...chatChunk(made, 0, {}, false), choices: [], usage: usageOf(choices, inputTokens) });
      },
      '[DONE]',
    );
  return whole(context, async (signal) => {
    const choices = await Promise.all(
      indices.map((index) => sayChoice(engine, { ...asked, seed: asked.seed + index, signal }, turn)),
    );
    const answer = chatResponse(made, choices, inputTokens, logprobs);
    return request.return_token_ids === true ? withTokenIds(answer, choices, () => turn.prompt) : answer;
  });
}

/** The settings of a choice of a turn. */
export function choiceOf(
  engine: Engine,
  request: Parameters<typeof samplingOf>[0] & Pick<ChatRequest, 'max_completion_tokens' | 'max_tokens' | 'top_logprobs'>,
  turn: ChatTurn,
): Omit<ChoiceRequest, 'signal'> {
  const sampling = samplingOf(request);
  return {
    ...sampling,
    stopStrings: [...sampling.stopStrings, ...turn.stopStrings],
    ...(turn.constraint ? { constraint: turn.constraint } : {}),
    ...(request.top_logprobs != null && request.top_logprobs > 0 ? { topLogprobs: request.top_logprobs } : {}),
    prompt: turn.prompt,
    maxTokens: request.max_completion_tokens ?? request.max_tokens ?? engine.model.context,
  };
}

/** A choice, with its calls read. */
export async function sayChoice(
  engine: Engine,
  request: ChoiceRequest,
  turn: ChatTurn,
  onText?: (text: string, tokens: readonly ScoredToken[]) => void,
): Promise<Choice> {
  const choice = await generate(engine, request, onText);
  turn.remember(choice.text, choice.ids);
  const { content, calls } = turn.said(choice.text);
  return { ...choice, text: content, calls, finish: calls.length > 0 ? 'tool_calls' : choice.finish };
}

/** A choice in pieces: text as it comes, unless it may turn out to be a call; calls when they are whole. */
async function streamChoice(
  engine: Engine,
  request: ChoiceRequest,
  turn: ChatTurn,
  made: Made,
  index: number,
  send: (index: number, piece: Piece) => void,
): Promise<Choice> {
  let text = '';
  let sent = 0;
  let held: ScoredToken[] = [];
  const done = await sayChoice(engine, request, turn, (more, tokens) => {
    text += more;
    held.push(...tokens);
    if (sent === 0 && turn.mayCall(text)) return;
    send(index, { text: text.slice(sent), tokens: held });
    sent = text.length;
    held = [];
  });
  done.calls?.forEach((call, at) => {
    send(index, { call: { index: at, id: callId(made, index, at), name: call.name, arguments: '' } });
    send(index, { call: { index: at, arguments: call.arguments } });
  });
  if (sent === 0 && done.text !== '') send(index, { text: done.text, tokens: held });
  send(index, { finish: done.finish });
  return done;
}
