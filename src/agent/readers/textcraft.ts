/**
 * How AgentGym's clients read a TextCraft reply, by generation: `2024` recorded AgentTraj-L, `2025` is the present client,
 * `adapt` the recorder of ADaPT-style samples. Needed to replay recordings and to score old results as they were scored.
 */
import type { Read } from '../format.ts';

export const ONE_ACTION_ONLY = "Error: Only one 'Action' is allowed per response. Please adjust your response.";

/** The text after the last `Action:`, before any `Instruction:`, cleaned. */
export function readTextCraft2024(reply: string): Read {
  return { action: cleaned(reply.split('Instruction:')[0]?.split('Action:').at(-1) ?? '') };
}

/** The line after the one `Action:`; none is an empty action, more than one is refused. */
export function readTextCraft2025(reply: string): Read {
  const lines = [...reply.matchAll(/Action:\s*([\s\S]*?)(?=\n|$)/g)];
  if (lines.length > 1) return { action: null, problem: ONE_ACTION_ONLY };
  return { action: cleaned(lines[0]?.[1] ?? '') };
}

/** The last line that is neither a thought nor an acknowledgement, without its prompt sign, cleaned. */
export function readTextCraftAdapt(reply: string): Read {
  return { action: cleaned(lastAdaptLine(reply)) };
}

/** That line as it was written; empty where there is none. */
export function lastAdaptLine(reply: string): string {
  let last = '';
  for (const line of reply.split('\n')) {
    const text = line.trim().replace(/^>\s*/, '');
    if (text !== '' && !/^think:/i.test(text) && !/^ok\.?$/i.test(text)) last = text;
  }
  return last;
}

/** Letters, digits, commas and blanks stay; blanks collapse. */
function cleaned(text: string): string {
  return text
    .replace(/[^A-Za-z0-9, ]+/g, '')
    .split(' ')
    .filter(Boolean)
    .join(' ');
}
