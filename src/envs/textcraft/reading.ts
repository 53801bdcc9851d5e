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

/**
 * The reader of an interaction for verl: the last line that is neither a thought nor an acknowledgement, cleaned. A prompt sign with nothing
 * after it is such a line, so nothing before it counts, except what stands after the last `Action:`.
 */
export function readTextCraftInteraction(reply: string): Read {
  const text = reply
    .trim()
    .replace(/^assistant\s*\n?/gim, '')
    .replace(/<\|im_start\|>assistant\s*\n?/gi, '')
    .replace(/<\|im_end\|>|<\/?think>/gi, '');
  const lines = text.split('\n').map((line) => line.trim());
  const said = lines.findLast((line) => line !== '' && line !== 'OK.' && line !== 'OK' && !/^(?:>\s*)?think:/i.test(line)) ?? '';
  const marked = [...text.matchAll(/Action:\s*([^\n]*)/g)].at(-1)?.[1] ?? '';
  return { action: cleaned(said.replace(/^>\s*/, '')) || cleaned(marked) };
}

/** The first line after the first `Action:`, as it is written; without one, the first line with a command in it. */
export function readTextCraftFirstAction(reply: string): Read {
  const marked = /Action:\s*([^\n]+)/.exec(reply)?.[1];
  if (marked !== undefined) return { action: marked.trim() };
  const word = ['craft ', 'get ', 'inventory'].find((one) => reply.toLowerCase().includes(one));
  const line = word === undefined ? undefined : reply.split('\n').find((one) => one.toLowerCase().includes(word));
  return { action: (line ?? '').trim() };
}

/** A command anywhere in the reply, thoughts included: what is crafted goes before what is fetched, and the inventory is last. */
export function readTextCraftAnywhere(reply: string): Read {
  const found = commands.map((form) => form.exec(reply)?.[0]).find((text) => text !== undefined);
  return { action: cleaned((found ?? '').replace(/\s+/g, ' ')) };
}

const commands = [/craft\s+\d+\s+[\w\s,]+\s+using\s+[\w\s,]+/i, /craft\s+[\w\s,]+/i, /get\s+\d+\s+[\w\s]+/i, /inventory/i];
