/** One choice of a completion: samples from the engine and turns tokens into text as they come, cut at stop strings. */
import { AgogeError } from '../../core/error.ts';
import type { TokenIds } from '../../core/trajectory.ts';
import type { Constraint, Engine, Sample } from '../../engine/engine.ts';
import type { CalledTool } from '../tools-as-text.ts';

export interface ScoredToken {
  readonly text: string;
  /** Null for the first token of a prompt, which nothing stands before. */
  readonly logprob: number | null;
  /** The likeliest tokens of its position, where they were asked for. */
  readonly top?: readonly { readonly text: string; readonly logprob: number }[];
}

export interface Choice {
  readonly text: string;
  readonly tokens: readonly ScoredToken[];
  /** As sampled, the token that ended it included. */
  readonly ids: TokenIds;
  readonly finish: 'stop' | 'length' | 'tool_calls';
  /** Calls of tools, where the reply is some; its text is empty then. */
  readonly calls?: readonly CalledTool[];
  readonly outputTokens: number;
}

export interface ChoiceRequest {
  readonly prompt: TokenIds;
  readonly maxTokens: number;
  readonly temperature: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly minP?: number;
  readonly topLogprobs?: number;
  readonly constraint?: Constraint;
  readonly logitBias?: Readonly<Record<string, number>>;
  readonly stopStrings: readonly string[];
  /** Beside those that end a turn of the model's. */
  readonly stopTokens: readonly number[];
  readonly seed: number;
  readonly signal: AbortSignal;
}

/** Samples one choice; `onText` gets the text piece by piece, never a part of a character nor of a stop string. */
export async function generate(
  engine: Engine,
  request: ChoiceRequest,
  onText?: (text: string, tokens: readonly ScoredToken[]) => void,
): Promise<Choice> {
  const { tokenizer, context } = engine.model;
  const room = context - request.prompt.length;
  if (room < 1) throw tooLong(request.prompt.length, context);
  const stopTokens = [...new Set([...tokenizer.endOfTurn, ...request.stopTokens])];
  const ids: number[] = [];
  const scored: ScoredToken[] = [];
  let shown = 0;
  let told = 0;
  const show = (text: string): void => {
    if (!onText || (text.length <= shown && told === scored.length)) return;
    onText(text.slice(shown), scored.slice(told));
    shown = Math.max(shown, text.length);
    told = scored.length;
  };
  const sample = await engine.sample({
    ...request,
    maxTokens: Math.min(request.maxTokens, room),
    stopTokens,
    onToken(token, logprob, rawLogprob, top) {
      ids.push(token);
      scored.push({
        text: tokenizer.decode([token]),
        logprob: rawLogprob ?? logprob,
        ...(top && { top: top.map((other) => ({ text: tokenizer.decode([other.token]), logprob: other.logprob })) }),
      });
      if (onText && !stopTokens.includes(token)) show(settled(tokenizer.decode(ids), request.stopStrings));
    },
  });
  if (request.topLogprobs !== undefined && request.topLogprobs > 0 && scored.some(({ top }) => !top)) {
    throw new AgogeError('ENGINE_NO_TOP_LOGPROBS', 'this engine does not tell likely alternatives: ask without top_logprobs');
  }
  const text = finalText(engine, sample, request.stopStrings);
  show(text);
  return {
    text,
    tokens: scored,
    ids: sample.tokens,
    finish: sample.stop === 'token' || sample.stop === 'string' ? 'stop' : 'length',
    outputTokens: sample.tokens.length,
  };
}

export function tooLong(length: number, context: number): AgogeError {
  return new AgogeError('ENGINE_PROMPT_TOO_LONG', `the prompt has ${length} tokens and the context is ${context}: shorten it`);
}

/** The text of a whole sample, without the token or the string that ended it. */
function finalText(engine: Engine, { tokens, stop }: Sample, stopStrings: readonly string[]): string {
  const text = engine.model.tokenizer.decode(stop === 'token' ? tokens.subarray(0, -1) : tokens);
  let end = text.length;
  for (const marker of stopStrings) {
    const at = text.indexOf(marker);
    if (at >= 0 && at < end) end = at;
  }
  return text.slice(0, end);
}

/** What of a growing text will not change any more: not a broken character at its end, not the start of a stop string. */
function settled(text: string, stopStrings: readonly string[]): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '\ufffd') end--;
  for (const marker of stopStrings) {
    const at = text.indexOf(marker);
    if (at >= 0) end = Math.min(end, at);
    else {
      for (let length = Math.min(marker.length - 1, end); length > 0; length--) {
        if (!text.slice(0, end).endsWith(marker.slice(0, length))) continue;
        end -= length;
        break;
      }
    }
  }
  return text.slice(0, end);
}
