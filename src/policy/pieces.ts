/**
 * Texts beside one another as tokens: what the template wrote may hold control tokens, what anybody said never becomes one,
 * whatever it contains. Both go through one encoding where that is safe, as the model saw it in training.
 */
import type { Tokenizer } from '../engine/engine.ts';
import type { Message, TemplateParts } from './chat-template.ts';

export interface EndOfTurn {
  readonly text: string;
  readonly tokens: readonly number[];
  /** The one token that ends a turn, where it is one. */
  readonly token?: number | undefined;
}

export class Pieces {
  constructor(private readonly tokenizer: Tokenizer) {}

  /** Tokens of text in which control tokens count. `continues`: it goes on from the text before it. */
  written(text: string, continues = false): number[] {
    return this.tokenizer.encode(text, { continues });
  }

  /** Tokens of text that is only text. */
  said(text: string, continues = false): number[] {
    return this.tokenizer.encode(text, { plain: true, continues });
  }

  /** What ends a reply: the end-of-turn token that the template writes after one, else the first line end as a string. */
  endOfTurn(afterReply: string): EndOfTurn {
    for (const token of this.tokenizer.endOfTurn) {
      const text = this.tokenizer.decode([token]) || this.specialText(token, afterReply);
      if (text !== '' && afterReply.startsWith(text)) return { text, tokens: [token], token };
    }
    const newline = afterReply.indexOf('\n');
    const text = newline >= 0 ? afterReply.slice(0, newline + 1) : afterReply;
    return { text, tokens: this.written(text) };
  }

  /** Does what stands after this text go on from it? A text begins anew after nothing and after a control token. */
  continuesAfter(text: string): boolean {
    return text !== '' && this.written(text).at(-1) === this.said(text).at(-1);
  }

  /** Tokens of each opening message: the render is cut where the render of the messages so far ends. */
  opening(messages: readonly Message[], render: TemplateParts['render']): number[][] {
    const whole = render(messages, true);
    let from = 0;
    let waiting: Message[] = [];
    return messages.map((message, index) => {
      waiting.push(message);
      const to = index === messages.length - 1 ? whole.length : prefixLength(whole, messages.slice(0, index + 1), render);
      if (to === undefined || to <= from) return [];
      const before = whole.slice(Math.max(0, from - 64), from);
      const tokens = this.texts(whole.slice(from, to), waiting, this.continuesAfter(before));
      from = to;
      waiting = [];
      return tokens;
    });
  }

  /** In one piece where no message holds a control token in its text. */
  whole(messages: readonly Message[], text: string): number[] {
    const safe = messages.every(({ text: said }) => this.isPlain(said));
    return safe ? this.written(text) : this.texts(text, messages, false);
  }

  /** Control text around what was said. As one piece where that is safe. */
  around(before: string, text: string, after: string, continues: boolean): number[] {
    if (this.isPlain(text)) return this.written(before + text + after, continues);
    return [
      ...this.written(before, continues),
      ...this.said(text, before === '' ? continues : this.continuesAfter(before)),
      ...this.written(after, true),
    ];
  }

  /** A rendered piece that holds these messages in order. */
  private texts(piece: string, messages: readonly Message[], continues: boolean): number[] {
    const [message, ...others] = messages;
    const text = message?.text.trim() ?? '';
    const at = text === '' ? -1 : piece.indexOf(text);
    if (at < 0) return others.length > 0 ? this.texts(piece, others, continues) : this.written(piece, continues);
    const end = at + text.length;
    if (others.length === 0) return this.around(piece.slice(0, at), text, piece.slice(end), continues);
    return [...this.around(piece.slice(0, at), text, '', continues), ...this.texts(piece.slice(end), others, true)];
  }

  /** Does the text hold no control token? */
  private isPlain(text: string): boolean {
    return this.tokenizer.isPlain?.(text) === true || sameTokens(this.written(text), this.said(text));
  }

  /** Some tokenizers decode control tokens to nothing: find the start of the text that encodes to the token. */
  private specialText(token: number, text: string): string {
    if (this.written(text)[0] !== token) return '';
    for (let length = 1; length <= text.length; length++) {
      const start = text.slice(0, length);
      const tokens = this.written(start);
      if (tokens.length === 1 && tokens[0] === token) return start;
    }
    return '';
  }
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

function sameTokens(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((token, at) => token === b[at]);
}
