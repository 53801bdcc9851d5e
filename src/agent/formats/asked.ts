/**
 * Which format a prompt asks for, told from its own words: turns that it shows, forms that it spells out, sentences that ask for the bare
 * action. Rows of other systems do not name their format, and a reader that expects another one reads nothing.
 */
import type { Instructions } from '../../envs/environment.ts';
import type { Message } from '../../policy/conversation.ts';
import type { PromptFormat } from '../format.ts';
import { formatOfCounts, formatOfReply, writtenAlike } from './detect.ts';
import { createFormat } from './index.ts';

export interface AskedFormat {
  readonly format: string;
  /** The words that tell it. */
  readonly words: string;
}

/** Undefined where a prompt does not say how to reply. */
export function formatAskedBy(prompt: readonly Message[]): AskedFormat | undefined {
  return shownTurns(prompt) ?? spelledOut(prompt.filter(({ role }) => role !== 'assistant').map(({ text }) => text));
}

/** Would a reply as the prompt asks for it be read? Replies are written in one format and read by the other, with an action of the world. */
export function readsWhatIsAsked(reader: PromptFormat, asked: string, instructions: Instructions): boolean {
  if (instructions.verbatim === true || writtenAlike(reader.name, asked)) return true;
  const [form] = instructions.actions;
  if (!form) return true;
  const action = form.template.replace(/\{(\w+)\}/g, 'x');
  const replies = [undefined, 'I take the next step.'].map((thought) => createFormat(asked).write(action, thought, instructions));
  return replies.every((reply) => reader.read(reply, instructions).action === action);
}

/** Canned answers to the instructions are no turns of play. */
const canned = /^(ok|okay|sure|understood|got it|i understand)\b[^\n]{0,80}$/i;

function shownTurns(prompt: readonly Message[]): AskedFormat | undefined {
  const replies = prompt.filter(({ role, text }) => role === 'assistant' && !canned.test(text.trim())).map(({ text }) => text);
  const counts: Record<string, number> = {};
  for (const reply of replies) {
    const format = formatOfReply(reply) ?? 'none';
    counts[format] = (counts[format] ?? 0) + 1;
  }
  const format = formatOfCounts(counts);
  const first = replies.find((reply) => formatOfReply(reply) === format);
  return format === undefined || first === undefined ? undefined : { format, words: first };
}

/** In this order: a prompt that spells out a form may well ask for "only one action" in it. */
const signs: readonly (readonly [string, RegExp])[] = [
  ['function_calling', /[^\n]*"function_name"[^\n]*/],
  ['tools', /[^\n]*(<tool_call>|\{\s*"name"\s*:[^\n]*"arguments"\s*:)[^\n]*/],
  ['code', /[^\n]*```python\b[^\n]*/i],
  ['react', /((^|\n)[ \t"'`*]*thought\**:[\s\S]{0,200}?)?(^|[\n"'`])[ \t*]*action\**:[^\n]*(\n[^\n]+)?/i],
  ['adapt', /(^|\n)>\s*(think:\s*)?\w[^\n]*|[^\n]*line that starts with "> "[^\n]*/i],
  [
    'direct',
    /[^\n]*\b(only (contain |output |return |reply with |respond with |give |say |write )?(the|an|one|your|a single) (next )?(action|command)|(just|only) the (action|command)|(action|command) and nothing else|action only)\b[^\n]*/i,
  ],
];

function spelledOut(texts: readonly string[]): AskedFormat | undefined {
  for (const [format, sign] of signs) {
    const words = texts.map((text) => sign.exec(text)?.[0]).find((found) => found !== undefined);
    if (words !== undefined) return { format, words: words.trim() };
  }
  return undefined;
}
