/**
 * How AgentGym's own clients read a reply, for recordings that must replay exactly. Two generations: 2024 (AgentTraj-L)
 * and 2025 (current; the Sampling recordings). For new agents use the prompt formats: they say what is wrong with a reply
 * instead of sending an empty action.
 */

/** What was read from a reply: an action, or the reason why there is none. */
export type Read = { readonly action: string; readonly thought?: string } | { readonly action: null; readonly problem: string };

/** Reads a reply without knowing the environment's action forms. */
export type Reader = (reply: string) => Read;

export type Generation = '2024' | '2025';

const ONE_ACTION_ONLY = "Error: Only one 'Action' is allowed per response. Please adjust your response.";

/** What stands between the first `Action:` and the next, else the whole reply. */
export function afterAction(reply: string): Read {
  const parts = reply.replace(/<\/s>$/, '').split('Action:');
  return { action: (parts[1] ?? parts[0] ?? '').trim() };
}

/** ReAct of the shared adapter: the text after the last `Action:`, which may span lines. */
export function lastAction(reply: string): Read {
  const parts = reply.replace(/<\/s>$/, '').split('Action:');
  if (parts.length > 1) return { action: (parts.at(-1) ?? '').trim() };
  return { action: /search\[|click\[/.test(reply) ? reply.trim() : '' };
}

/** The line after the one `Action:`; none is an empty action, more than one is refused. */
export function oneAction(reply: string): Read {
  const lines = [...reply.matchAll(/Action:\s*([\s\S]*?)(?=\n|$)/g)];
  if (lines.length > 1) return { action: null, problem: ONE_ACTION_ONLY };
  return { action: cleaned(lines[0]?.[1] ?? '') };
}

export function wholeReply(reply: string): Read {
  return { action: reply };
}

/** Letters, digits, commas and blanks stay; blanks collapse. */
export function cleaned(text: string): string {
  return text
    .replace(/[^A-Za-z0-9, ]+/g, '')
    .split(' ')
    .filter(Boolean)
    .join(' ');
}
