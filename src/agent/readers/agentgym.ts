/**
 * How AgentGym's own clients read a reply, for recordings that must replay exactly. Two generations: 2024 (AgentTraj-L)
 * and 2025 (current; the Sampling recordings). For new agents use the formats of this package: they say what is wrong
 * with a reply instead of sending an empty action.
 */
import type { Read, Reader } from '../format.ts';

export type Generation = '2024' | '2025';

const onlyOne = "Error: Only one 'Action' is allowed per response. Please adjust your response.";
const noFence =
  'Cannot parse action from response. Your action should be inside triple backticks (```). Please adjust accordingly.';

/** The reader of an environment's AgentGym client in a generation; environments without a rule take the whole reply. */
export function agentGymReader(env: string, generation: Generation): Reader {
  const reader = readers[env] ?? whole;
  return typeof reader === 'function' ? reader : reader[generation];
}

/** Deletes every character but letters, digits, commas and blanks, then collapses blanks, as the TextCraft client does. */
export function cleanAction(text: string): string {
  return text
    .replace(/[^A-Za-z0-9, ]+/g, '')
    .split(/\s+/)
    .filter(Boolean)
    .join(' ');
}

function textcraft2024(reply: string): Read {
  const before = reply.split('Instruction:')[0] ?? '';
  return { action: cleanAction(before.split('Action:').at(-1) ?? '') };
}

function oneAction2025(reply: string): Read {
  const found = [...reply.matchAll(/Action:\s*(.*?)(?=\n|$)/gs)].map((match) => match[1] ?? '');
  if (found.length > 1) return { action: null, problem: onlyOne };
  return { action: cleanAction(found[0] ?? '') };
}

function babyai2024(reply: string): Read {
  const parts = reply.replace(/<\/s>$/, '').split('Action:');
  return { action: (parts[1] ?? parts[0] ?? '').trim() };
}

/** ReAct of the shared adapter: the text after the last `Action:`, which may span lines. */
function react(reply: string): Read {
  const parts = reply.replace(/<\/s>$/, '').split('Action:');
  if (parts.length > 1) return { action: (parts.at(-1) ?? '').trim() };
  return { action: /search\[|click\[/.test(reply) ? reply.trim() : '' };
}

function sqlgym(reply: string): Read {
  const fenced = reply.split('```sql').at(-1) ?? '';
  return { action: (fenced.split('```')[0] ?? '').trim() };
}

function lmrlgym(reply: string): Read {
  const parts = reply.replace(/<\/s>$/, '').split('Action:');
  return { action: (parts[1] ?? parts[0] ?? '').trim() };
}

/** The server reads the fence itself: the reply goes there whole, provided it has one. */
function webarena(reply: string): Read {
  return /```[\s\S]*```/.test(reply) ? { action: reply } : { action: null, problem: noFence };
}

function whole(reply: string): Read {
  return { action: reply };
}

const readers: Readonly<Record<string, Reader | Readonly<Record<Generation, Reader>>>> = {
  textcraft: { '2024': textcraft2024, '2025': oneAction2025 },
  babyai: { '2024': babyai2024, '2025': oneAction2025 },
  webshop: react,
  alfworld: react,
  sciworld: react,
  sqlgym,
  searchqa: whole,
  webarena,
  maze: lmrlgym,
  wordle: lmrlgym,
};
