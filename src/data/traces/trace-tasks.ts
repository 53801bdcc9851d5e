/** A logged conversation as a task, as a demonstration, and as the episode that it would have been. */
import { createHash } from 'node:crypto';
import type { Trajectory, Turn } from '../../core/trajectory.ts';
import { openingOf } from '../../gym/agents/chat.ts';
import type { TraceTask } from '../../gym/agents/trace-task.ts';
import { textWithCalls } from '../../policy/tools-as-text.ts';
import type { ConversationRow } from '../rows.ts';
import type { LoggedCall, LoggedMessage } from './logged-call.ts';

/** Shares of the tasks that are never trained on. */
export interface HeldOut {
  readonly validation: number;
  readonly test: number;
}

/** Undefined where the model never answered, or not at the end. Equal conversations have equal ids and lie in the same split. */
export function traceTask({ messages, tools, reward }: LoggedCall, heldOut: HeldOut): TraceTask | undefined {
  const first = messages.findIndex(({ role }) => role === 'assistant');
  if (first < 1 || messages.at(-1)?.role !== 'assistant') return undefined;
  const rest = messages.slice(first);
  const opening = messages.slice(0, first).map(({ role, content }) => ({ role, content }));
  const heard = rest.filter(({ role }) => role !== 'assistant').map(({ role, content }) => [role, content]);
  const digest = createHash('sha256')
    .update(JSON.stringify([opening, tools, heard]))
    .digest();
  return {
    id: digest.toString('hex').slice(0, 12),
    split: splitOf(digest.readUInt32BE(16) / 2 ** 32, heldOut),
    messages: opening,
    tools: tools.map(({ function: { name, description, parameters } }) => ({
      function: { name, ...(description === undefined ? {} : { description }), parameters },
    })),
    further: rest.filter(({ role }) => role === 'user').map(({ content }) => content),
    results: resultsOf(rest),
    replies: rest.filter(({ role }) => role === 'assistant').map(replyOf),
    ...(reward === undefined ? {} : { reward }),
  };
}

/** Messages that `agoge sft` learns from: the same words as in play. */
export function demonstrationOf(task: TraceTask, { messages }: LoggedCall): ConversationRow {
  const opening = openingOf(task).map(({ role, text }) => ({ role, content: text }));
  const turns = turnsOf(messages.slice(task.messages.length));
  const played = turns.flatMap(({ reply, observation, done }) => [
    { role: 'assistant' as const, content: reply },
    ...(done ? [] : [{ role: 'user' as const, content: observation }]),
  ]);
  const { id, reward } = task;
  const row = { kind: 'conversation' as const, messages: [...opening, ...played], itemId: id, extra: { format: 'direct' } };
  return reward === undefined ? row : { ...row, reward };
}

/** What rewards and judges look at. */
export function trajectoryOf(task: TraceTask, { messages }: LoggedCall, env: string, index: number): Trajectory {
  return {
    task: { env, split: task.split, index },
    ...{ category: task.split, sample: 0, seed: 0, policy: 'log', format: 'direct', segments: [], retries: 0 },
    observation: openingOf(task)
      .map(({ text }) => text)
      .join('\n\n'),
    turns: turnsOf(messages.slice(task.messages.length)),
    outcome: { kind: 'finished', reward: task.reward ?? NaN, success: task.reward !== undefined && task.reward >= 1 },
    time: { total: 0, policy: 0, environment: 0 },
  };
}

/** Every reply with what was heard after it. */
function turnsOf(messages: readonly LoggedMessage[]): Turn[] {
  const turns: { reply: string; heard: string[] }[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') turns.push({ reply: replyOf(message), heard: [] });
    else turns.at(-1)?.heard.push(message.content);
  }
  return turns.map(({ reply, heard }, at) => ({
    reply,
    action: reply,
    observation: heard.join('\n'),
    reward: 0,
    done: at === turns.length - 1,
  }));
}

function replyOf({ content, tool_calls: calls = [] }: LoggedMessage): string {
  // A reply that calls tools is played as its calls alone: words beside them are lost to the agent as well.
  return calls.length > 0
    ? textWithCalls(
        '',
        calls.map((call) => call.function),
      )
    : content;
}

/** What each call was answered: by its id where there is one, else in the order in which answers came. */
function resultsOf(messages: readonly LoggedMessage[]): TraceTask['results'] {
  const answers = messages.filter(({ role }) => role === 'tool');
  const calls = messages.flatMap(({ tool_calls: called = [] }) => called);
  return calls.flatMap((call, at) => {
    const answer = answers.find((one) => one.tool_call_id !== undefined && one.tool_call_id === call.id) ?? answers[at];
    return answer ? [{ ...call.function, content: answer.content }] : [];
  });
}

function splitOf(place: number, { validation, test }: HeldOut): TraceTask['split'] {
  return place < test ? 'test' : place < test + validation ? 'validation' : 'train';
}
