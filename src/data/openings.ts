/**
 * What some clients put before the first observation of a recorded episode (rules, a worked example, how to reply). The environment never
 * says it, so a policy that learned to expect it would never see it in play.
 */
import { factsOf } from '../envs/lookup.ts';
import { firstObservation } from './play/first-observation.ts';
import type { ConversationRow } from './rows.ts';
import { envOf } from './select.ts';

/** The row with its first observation as the environment says it; the same row where its environment has no such opening. */
export function withoutOpening(row: ConversationRow): ConversationRow {
  const at = firstObservation(row.messages);
  const first = row.messages[at];
  const opening = factsOf(envOf(row) ?? '').rows?.opening;
  if (!first || first.role !== 'user' || !opening?.test(first.content)) return row;
  const content = first.content.replace(opening, '');
  return { ...row, messages: row.messages.map((message, i) => (i === at ? { ...message, content } : message)) };
}
