/**
 * From text to the tokens a model reads, piece by piece: each observation is tokenised once, when it is appended, and a
 * reply is kept as sampled. Text of the environment never becomes a control token, whatever it contains.
 */
import type { TokenIds } from '../core/trajectory.ts';
import type { Sample, Tokenizer } from '../engine/engine.ts';
import { examineTemplate, plainTemplate, type Message, type Rewrite, type TemplateParts } from './chat-template.ts';

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
  const end = endOfTurn(tokenizer, parts.afterReply);
  const between = parts.afterReply.slice(end.text.length);
  const replyContinues = continuesAfter(tokenizer, parts.beforeReply);
  const observations = new Remembered<TokenIds>();
  const openings = new Remembered<TokenIds[]>();

  return {
    tokenizer,
    rewrites: parts.rewrites,
    stopTokens: end.token === undefined ? tokenizer.endOfTurn : [...new Set([end.token, ...tokenizer.endOfTurn])],
    stopStrings: end.token === undefined && end.text !== '' ? [end.text] : [],
    open: (messages) => openings.get(JSON.stringify(messages), () => openingTokens(tokenizer, messages, parts.render)),
    whole: (messages) => wholeTokens(tokenizer, messages, parts.render(messages, false)),
    next(observation, closed) {
      const text = parts.trims ? observation.trim() : observation;
      const tokens = observations.get(text, () =>
        encodeAround(tokenizer, between, text, parts.beforeReply, end.token === undefined),
      );
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
    reply: (text) => [...tokenizer.encode(text, { plain: true, continues: replyContinues }), ...end.tokens],
  };
}

/** A chat template says itself where the beginning-of-sequence token stands; the plain one puts it first, for models that know it so. */
function templateOf({ addsBos = false }: Tokenizer, template = plainTemplate): string {
  return addsBos && template === plainTemplate ? `{{ bos_token }}${plainTemplate}` : template;
}

interface EndOfTurn {
  readonly text: string;
  readonly tokens: readonly number[];
  /** The one token that ends a turn, where it is one. */
  readonly token?: number | undefined;
}

/** What ends a reply: the end-of-turn token that the template writes after one, else the first line end as a string. */
function endOfTurn(tokenizer: Tokenizer, afterReply: string): EndOfTurn {
  for (const token of tokenizer.endOfTurn) {
    const text = tokenizer.decode([token]) || specialText(tokenizer, token, afterReply);
    if (text !== '' && afterReply.startsWith(text)) return { text, tokens: [token], token };
  }
  const newline = afterReply.indexOf('\n');
  const text = newline >= 0 ? afterReply.slice(0, newline + 1) : afterReply;
  const tokens = tokenizer.encode(text);
  return { text, tokens };
}

/** Some tokenizers decode control tokens to nothing: find the start of the text that encodes to the token. */
function specialText(tokenizer: Tokenizer, token: number, text: string): string {
  if (tokenizer.encode(text)[0] !== token) return '';
  for (let length = 1; length <= text.length; length++) {
    const start = text.slice(0, length);
    const tokens = tokenizer.encode(start);
    if (tokens.length === 1 && tokens[0] === token) return start;
  }
  return '';
}

/** Does what stands after this text go on from it? A text begins anew after nothing and after a control token. */
function continuesAfter(tokenizer: Tokenizer, text: string): boolean {
  return text !== '' && tokenizer.encode(text).at(-1) === tokenizer.encode(text, { plain: true }).at(-1);
}

/** Encodes control text around plain text. As one piece where that is safe, as the model saw it in training. */
function encodeAround(tokenizer: Tokenizer, before: string, text: string, after: string, continues: boolean): number[] {
  if (isPlain(tokenizer, text)) return tokenizer.encode(before + text + after, { continues });
  return [
    ...tokenizer.encode(before, { continues }),
    ...tokenizer.encode(text, { plain: true, continues: before === '' ? continues : continuesAfter(tokenizer, before) }),
    ...tokenizer.encode(after, { continues: true }),
  ];
}

/** Does the text hold no control token? */
function isPlain(tokenizer: Tokenizer, text: string): boolean {
  return tokenizer.isPlain?.(text) === true || sameTokens(tokenizer.encode(text), tokenizer.encode(text, { plain: true }));
}

function sameTokens(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((token, at) => token === b[at]);
}

/** In one piece where no message holds a control token in its text. */
function wholeTokens(tokenizer: Tokenizer, messages: readonly Message[], text: string): number[] {
  const safe = messages.every(({ text: said }) => isPlain(tokenizer, said));
  return safe ? tokenizer.encode(text) : encodeTexts(tokenizer, text, messages, false);
}

/** Tokens of each opening message: the render is cut where the render of the messages so far ends. */
function openingTokens(tokenizer: Tokenizer, messages: readonly Message[], render: TemplateParts['render']): number[][] {
  const whole = render(messages, true);
  let from = 0;
  let waiting: Message[] = [];
  return messages.map((message, index) => {
    waiting.push(message);
    const to = index === messages.length - 1 ? whole.length : prefixLength(whole, messages.slice(0, index + 1), render);
    if (to === undefined || to <= from) return [];
    const tokens = encodeTexts(
      tokenizer,
      whole.slice(from, to),
      waiting,
      continuesAfter(tokenizer, whole.slice(Math.max(0, from - 64), from)),
    );
    from = to;
    waiting = [];
    return tokens;
  });
}

/** Length of the render of the first messages, where it is a prefix of the whole. */
function prefixLength(whole: string, messages: readonly Message[], render: TemplateParts['render']): number | undefined {
  try {
    const start = render(messages, false);
    return whole.startsWith(start) ? start.length : undefined;
  } catch {
    return undefined; // a template may refuse a system message alone: it is then rendered with the message after it
  }
}

/** Encodes a rendered piece that holds these messages in order; their text never becomes a control token. */
function encodeTexts(tokenizer: Tokenizer, piece: string, messages: readonly Message[], continues: boolean): number[] {
  const [message, ...others] = messages;
  const text = message?.text.trim() ?? '';
  const at = text === '' ? -1 : piece.indexOf(text);
  if (at < 0)
    return others.length > 0 ? encodeTexts(tokenizer, piece, others, continues) : tokenizer.encode(piece, { continues });
  if (others.length === 0) return encodeAround(tokenizer, piece.slice(0, at), text, piece.slice(at + text.length), continues);
  const end = at + text.length;
  return [
    ...encodeAround(tokenizer, piece.slice(0, at), text, '', continues),
    ...encodeTexts(tokenizer, piece.slice(end), others, true),
  ];
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
