/**
 * The conversation: an append-only list of segments. Text of the environment is tokenised once, when it is
 * appended; tokens of the policy are kept as sampled. `tokens` is always exactly what the next reply is sampled from.
 * Without a renderer (endpoints, experts, people) segments carry text only.
 */
import { AgogeError } from '../core/error.ts';
import type { Segment, TokenIds } from '../core/trajectory.ts';
import type { Sample } from '../engine/engine.ts';
import type { Message } from './chat-template.ts';
import type { Renderer } from './renderer.ts';

export type { Message } from './chat-template.ts';
export type AssistantSegment = Extract<Segment, { role: 'assistant' }>;

/** A call made through an endpoint's own tool channel; the observation that follows answers it. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface ConversationMessage extends Message {
  readonly toolCall?: ToolCall | undefined;
}

/** The tokens of an episode: what was read and what was sampled, in order; it only grows. */
export class Conversation {
  private readonly list: Segment[] = [];
  private readonly said: ConversationMessage[] = [];
  private buffer = new Int32Array(256);
  private length = 0;
  private closed = true;

  constructor(readonly renderer?: Renderer) {}

  get segments(): readonly Segment[] {
    return this.list;
  }

  /** The same as messages, for endpoints that take text. */
  get messages(): readonly ConversationMessage[] {
    return this.said;
  }

  /** Everything so far as tokens: the prompt of the next reply. A view, valid until the next append. */
  get tokens(): Int32Array {
    return this.buffer.subarray(0, this.length);
  }

  /** The opening: instructions, worked examples, the first observation. Called once, before anything else. */
  open(messages: readonly Message[]): void {
    if (this.list.length > 0)
      throw new AgogeError('POLICY_CONVERSATION', 'a conversation is opened once: append observations to it');
    const tokens = this.renderer?.open(messages);
    messages.forEach((message, index) => {
      // Canned replies are part of the instructions: nobody sampled them, nobody is trained on them.
      const role = message.role === 'user' ? 'user' : 'system';
      this.push({ role, text: message.text, tokens: tokens?.[index] ?? [] }, message);
    });
  }

  /** What the environment answered. */
  observe(text: string): void {
    this.push({ role: 'user', text, tokens: this.renderer?.next(text, this.closed) ?? [] }, { role: 'user', text });
  }

  /** A reply as sampled. `stop` decides whether the policy closed its own turn. */
  reply(segment: AssistantSegment, stop: Sample['stop'], toolCall?: ToolCall): void {
    if (segment.tokens.length !== segment.logprobs.length) {
      throw new AgogeError(
        'POLICY_CONVERSATION',
        `a reply has ${segment.tokens.length} tokens and ${segment.logprobs.length} log-probabilities: a policy returns one for each token`,
      );
    }
    if (typeof (segment.text as unknown) !== 'string' || segment.logprobs.some(Number.isNaN)) {
      throw new AgogeError(
        'POLICY_CONVERSATION',
        'a reply has no text, or a log-probability that is not a number: a policy returns the text and one number for each token',
      );
    }
    this.push(segment, { role: 'assistant', text: segment.text, ...(toolCall ? { toolCall } : {}) });
    if (this.renderer) this.closed = this.renderer.closed(segment.tokens, stop);
  }

  private push(segment: Segment, message: ConversationMessage): void {
    this.list.push(segment);
    this.said.push(message);
    this.append(segment.tokens);
  }

  private append(tokens: TokenIds): void {
    if (this.length + tokens.length > this.buffer.length) {
      const larger = new Int32Array(Math.max(this.buffer.length * 2, this.length + tokens.length));
      larger.set(this.tokens);
      this.buffer = larger;
    }
    this.buffer.set(tokens, this.length);
    this.length += tokens.length;
  }
}
