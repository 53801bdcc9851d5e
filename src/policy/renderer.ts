/**
 * From text to the tokens a model reads, piece by piece: each observation is tokenised once, when it is appended, and a
 * reply is kept as sampled. Text of the environment never becomes a control token, whatever it contains.
 */
import type { TokenIds } from '../core/trajectory.ts';
import type { Sample, Tokenizer } from '../engine/engine.ts';
import { examineTemplate, plainTemplate, type Message, type Rewrite } from './chat-template.ts';
import { Pieces } from './pieces.ts';

/** Turns messages into tokens by the model's chat template. */
export interface Renderer {
  readonly tokenizer: Tokenizer;
  /** Tokens of each opening message; the last one's end with the start of the reply. */
  open(messages: readonly Message[]): TokenIds[];
  /** Tokens of a conversation that is over, as the template writes it: what a reward model reads. */
  whole(messages: readonly Message[]): TokenIds;
  /** Tokens from the end of a reply to the start of the next one. `closed`: the reply ended with its own end-of-turn. */
  next(observation: string, closed: boolean): TokenIds;
  /** What ends a reply. */
  readonly stopTokens: readonly number[];
  readonly stopStrings: readonly string[];
  /** Did the policy itself end its turn the way the conversation goes on from? */
  closed(tokens: TokenIds, stop: Sample['stop']): boolean;
  /** The text of sampled tokens, without what ended them. */
  text(tokens: TokenIds, stop: Sample['stop'], stopStrings?: readonly string[]): string;
  /** Tokens of a reply somebody else wrote (an expert's, for demonstrations), its end-of-turn included. */
  reply(text: string): TokenIds;
  /** How the model's template treats earlier turns where that differs from what is done here; for a notice at start-up. */
  readonly rewrites: readonly Rewrite[];
}

export interface RendererOptions {
  /** The Jinja template; absent: the plain one (observation, `> `, action, end of line). */
  readonly template?: string | undefined;
  readonly thinking?: boolean | undefined;
}

/** A renderer for a tokenizer and a chat template; throws POLICY_TEMPLATE where the template cannot grow. */
export function createRenderer(tokenizer: Tokenizer, options: RendererOptions = {}): Renderer {
  const { bosToken, eosToken } = tokenizer;
  const parts = examineTemplate(templateOf(tokenizer, options.template), { bosToken, eosToken, thinking: options.thinking });
  const pieces = new Pieces(tokenizer);
  const end = pieces.endOfTurn(parts.afterReply);
  const between = parts.afterReply.slice(end.text.length);
  const replyContinues = pieces.continuesAfter(parts.beforeReply);
  const observations = new Remembered<TokenIds>();
  const openings = new Remembered<TokenIds[]>();

  return {
    tokenizer,
    rewrites: parts.rewrites,
    stopTokens: end.token === undefined ? tokenizer.endOfTurn : [...new Set([end.token, ...tokenizer.endOfTurn])],
    stopStrings: end.token === undefined && end.text !== '' ? [end.text] : [],
    open: (messages) => openings.get(JSON.stringify(messages), () => pieces.opening(messages, parts.render)),
    whole: (messages) => pieces.whole(messages, parts.render(messages, false)),
    next(observation, closed) {
      const text = parts.trims ? observation.trim() : observation;
      const tokens = observations.get(text, () => pieces.around(between, text, parts.beforeReply, end.token === undefined));
      return closed ? tokens : [...end.tokens, ...tokens];
    },
    closed: (tokens, stop) =>
      end.token === undefined ? stop === 'string' : stop === 'token' && tokens[tokens.length - 1] === end.token,
    text(tokens, stop, stopStrings = []) {
      if (stop === 'token') return tokenizer.decode(tokens.slice(0, -1));
      const text = tokenizer.decode(tokens);
      if (stop !== 'string') return text;
      const cuts = [...stopStrings, ...(end.token === undefined ? [end.text] : [])]
        .map((cut) => text.indexOf(cut))
        .filter((at) => at >= 0);
      return cuts.length > 0 ? text.slice(0, Math.min(...cuts)) : text;
    },
    reply: (text) => [...pieces.said(text, replyContinues), ...end.tokens],
  };
}

/** A chat template says itself where the beginning-of-sequence token stands; the plain one puts it first, for models that know it so. */
function templateOf({ addsBos = false }: Tokenizer, template = plainTemplate): string {
  return addsBos && template === plainTemplate ? `{{ bos_token }}${plainTemplate}` : template;
}

/** A bounded memory: observations repeat (eight samples of a task, "Got 1 stick"), tokenising them need not. */
class Remembered<Value> {
  private readonly values = new Map<string, Value>();

  get(key: string, make: () => Value): Value {
    const known = this.values.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (this.values.size >= 8192) this.values.clear();
    this.values.set(key, made);
    return made;
  }
}
