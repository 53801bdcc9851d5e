/** A played trajectory as a row, and what of it the format of a file has room for. */
import { infoOf } from '../../agent/items.ts';
import { formatTask } from '../../core/task.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import type { Environment } from '../../envs/environment.ts';
import type { FormatName } from '../formats/format.ts';
import type { ConversationRow, DataMessage } from '../rows.ts';

/** A trajectory as a conversation, the environment's last words included. */
export function rowOf(trajectory: Trajectory, environment: Environment): ConversationRow {
  const { task, outcome, turns } = trajectory;
  const messages = trajectory.segments.map((segment): DataMessage => ({
    role: segment.role,
    content: segment.text,
    ...(segment.role === 'assistant' && segment.reasoning !== undefined ? { reasoning: segment.reasoning } : {}),
  }));
  const last = turns.at(-1);
  if (last && messages.at(-1)?.role === 'assistant') messages.push({ role: 'user', content: last.observation });
  return {
    kind: 'conversation',
    messages,
    itemId: infoOf(environment, task)?.itemId,
    sample: trajectory.sample,
    env: environment.name,
    model: trajectory.policy,
    ...(outcome.kind === 'failed' ? {} : { reward: outcome.reward, success: outcome.kind === 'finished' && outcome.success }),
    extra: { task: formatTask(task), category: trajectory.category, format: trajectory.format },
  };
}

/** What a format has room for: sampled rows say in which format they were asked for, chat rows everything. */
export function written(row: ConversationRow, to: FormatName): ConversationRow {
  const { extra, ...plain } = to === 'agenttraj' || to === 'verl-sft' ? endingWithReply(row) : row;
  if (to === 'chat') return { ...plain, ...(extra ? { extra } : {}) };
  return to === 'sampling' && extra ? { ...plain, extra: { format: extra['format'] } } : plain;
}

/** The same without the environment's last message, as AgentTraj-L ends. */
function endingWithReply(row: ConversationRow): ConversationRow {
  return row.messages.at(-1)?.role === 'user' ? { ...row, messages: row.messages.slice(0, -1) } : row;
}
