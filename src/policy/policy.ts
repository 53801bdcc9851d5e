/** Who answers in a conversation: an engine, an endpoint, an expert, a person. Named on the command line by one string. */
import type { Segment } from '../core/trajectory.ts';
import type { Conversation } from './conversation.ts';

export interface Policy extends AsyncDisposable {
  /** As named on the command line: `base`, `run:outputs/x@step_40`, `openai:m@http://…`, `expert`. */
  readonly id: string;
  reply(conversation: Conversation, limits: ReplyLimits): Promise<Reply>;
}

export interface ReplyLimits {
  readonly maxTokens: number;
  readonly temperature: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly minP?: number;
  readonly stopStrings?: readonly string[];
  readonly seed: number;
  readonly signal: AbortSignal;
}

export interface Reply {
  readonly segment: Extract<Segment, { role: 'assistant' }>;
  readonly stop: 'token' | 'string' | 'length' | 'context';
  /** Tokens read and written, where the policy counts them. */
  readonly usage?: { readonly input: number; readonly output: number };
}
