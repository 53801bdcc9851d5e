/**
 * How AgentGym's clients read a TextCraft reply, by generation: `2024` recorded AgentTraj-L, `adapt` is
 * the recorder of ADaPT-style samples. Needed to replay recordings and to score old results as they were scored.
 */
import { cleaned, type Read } from '../agentgym/reading.ts';

/** The text after the last `Action:`, before any `Instruction:`, cleaned. */
export function readTextCraft2024(reply: string): Read {
  return { action: cleaned(reply.split('Instruction:')[0]?.split('Action:').at(-1) ?? '') };
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

/** A command anywhere in the reply, thoughts included: what is crafted goes before what is fetched, and the inventory is last. */
export function readTextCraftAnywhere(reply: string): Read {
  const found = commands.map((form) => form.exec(reply)?.[0]).find((text) => text !== undefined);
  return { action: cleaned((found ?? '').replace(/\s+/g, ' ')) };
}

const commands = [/craft\s+\d+\s+[\w\s,]+\s+using\s+[\w\s,]+/i, /craft\s+[\w\s,]+/i, /get\s+\d+\s+[\w\s]+/i, /inventory/i];
