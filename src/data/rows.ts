/**
 * What every data format is read into and written from: conversations (trajectories, demonstrations) and tasks (which
 * item to play, with the prompt a trainer shows). A row keeps the fields it does not know in `extra`, so that reading a
 * file and writing it in its own format gives equal rows.
 */
export type Role = 'system' | 'user' | 'assistant' | 'tool';

export type Fields = Readonly<Record<string, unknown>>;

/** One message of it. */
export interface DataMessage {
  readonly role: Role;
  readonly content: string;
  /** AgentGym's flag: null for what the environment said, false for a canned reply, true for what to learn. */
  readonly loss?: boolean | null | undefined;
  /** Hidden reasoning that an endpoint returned beside the content. */
  readonly reasoning?: string | null | undefined;
  readonly extra?: Fields | undefined;
}

/** A conversation to learn from. */
export interface ConversationRow {
  readonly kind: 'conversation';
  readonly messages: readonly DataMessage[];
  /** AgentGym's id, `textcraft_17`. */
  readonly itemId?: string | undefined;
  readonly reward?: number | undefined;
  readonly success?: boolean | undefined;
  /** Which of several samples of the same task. */
  readonly sample?: number | undefined;
  /** Environment, where the file says it. */
  readonly env?: string | undefined;
  /** Who answered. */
  readonly model?: string | undefined;
  readonly extra?: Fields | undefined;
}

/** A task to play. */
export interface TaskRow {
  readonly kind: 'task';
  readonly itemId?: string | undefined;
  /** Environment, where the file says it (verl: data_source). */
  readonly env?: string | undefined;
  readonly prompt?: readonly DataMessage[] | undefined;
  readonly ability?: string | undefined;
  /** verl's reward_model: style and ground_truth. */
  readonly rewardModel?: Fields | undefined;
  /** verl's extra_info: index, interaction_kwargs, … */
  readonly extraInfo?: Fields | undefined;
  readonly extra?: Fields | undefined;
}

/** A row of a data file. */
export type Row = ConversationRow | TaskRow;

/** A row and where it stands: rows of a file are counted from 1, as people count. */
export interface PlacedRow<R extends Row = Row> {
  readonly row: R;
  readonly file: string;
  readonly number: number;
}

/** Is this message one to learn from? Replies are, unless the file says no. */
export function isLearned(message: DataMessage): boolean {
  return message.role === 'assistant' && message.loss !== false;
}
