/** Who answers in a conversation: an engine, an endpoint, an expert, a person. Named on the command line by one string. */
import type { Segment } from '../core/trajectory.ts';
import type { TaskRef } from '../core/task.ts';
import type { ActionForm, Environment } from '../envs/environment.ts';
import type { Conversation, Message, ToolCall } from './conversation.ts';
import type { ReplyScore } from './endpoint/score-reply.ts';
import type { Renderer } from './renderer.ts';

/** Whoever answers in an episode. */
export interface Policy extends AsyncDisposable {
  /** As named on the command line: `base`, `run:outputs/x@step_40`, `openai:m@http://…`, `expert`. */
  readonly id: string;
  reply(conversation: Conversation, limits: ReplyLimits, situation?: Situation): Promise<Reply>;
  /** How its conversations become tokens; absent for policies that take text. */
  readonly renderer?: Renderer | undefined;
  /** Longest conversation in tokens, where there is a limit. */
  readonly context?: number | undefined;
  /** How many replies it is worth asking for at once; absent: any number. */
  readonly concurrency?: number | undefined;
  /** What its answers depend on beyond its name (a checkpoint's hash, sampling defaults), for the record of an evaluation. */
  readonly identity?: Readonly<Record<string, string | number>> | undefined;
  /** Counted since it was opened. */
  usage?(): PolicyUsage;
  /** How likely somebody else's reply is to these messages, where the policy can tell it without its weights being here. */
  scoreReply?(messages: readonly Message[], reply: string, signal: AbortSignal): Promise<ReplyScore>;
}

export interface PolicyUsage {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly retries: number;
  /** In dollars, where prices are known. */
  readonly cost?: number;
  /** Fields of the request that the endpoint refused and no longer gets. */
  readonly leftOut?: readonly string[];
}

/** How long an answer may be, and how it is sampled. */
export interface ReplyLimits {
  readonly maxTokens: number;
  readonly temperature: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly minP?: number;
  readonly stopStrings?: readonly string[];
  readonly seed: number;
  readonly signal: AbortSignal;
  /** Told of each token as it is sampled, by policies that have tokens. Must not throw. */
  readonly onToken?: (token: number) => void;
}

/** What policies that know more than the conversation may look at: experts, random play, people. */
export interface Situation {
  readonly environment: Environment;
  readonly task: TaskRef;
  readonly observation: string;
  /** Admissible actions, where the environment knows them. */
  readonly actions?: readonly string[] | undefined;
  /** Asks the environment for them, where it must be asked. */
  listActions?(): Promise<readonly string[] | undefined>;
  /** Replies so far. */
  readonly turn: number;
  /** A reply in the episode's format that carries this action. */
  write(action: string, thought?: string): string;
  /** Tools to offer through the endpoint's own channel; absent unless the format asks for it. */
  readonly tools?: readonly ActionForm[] | undefined;
}

/** An answer, with its tokens where the policy has them. */
export interface Reply {
  readonly segment: Extract<Segment, { role: 'assistant' }>;
  readonly stop: 'token' | 'string' | 'length' | 'context';
  /** Tokens read and written, where the policy counts them. */
  readonly usage?: { readonly input: number; readonly output: number };
  readonly toolCall?: ToolCall;
}
