/** Where the first observation of a conversation stands: after a system message, or after AgentGym's task description and its canned reply. */
import type { DataMessage } from '../rows.ts';

export function firstObservation(messages: readonly DataMessage[]): number {
  const [first, second, third] = messages;
  if (first?.role === 'system') return 1;
  const canned = second?.role === 'assistant' && (second.loss === false || /^ok\b/i.test(second.content.trim()));
  return first?.role === 'user' && canned && third?.role === 'user' ? 2 : 0;
}
