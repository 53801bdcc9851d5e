/**
 * How AgentGym's own clients read a reply, for recordings that must replay exactly. Two generations: 2024 (AgentTraj-L)
 * and 2025 (current; the Sampling recordings). For new agents use the formats of this package: they say what is wrong
 * with a reply instead of sending an empty action.
 */
import type { Read, Reader } from '../format.ts';
import { readTextCraft2024, readTextCraft2025 } from './textcraft.ts';

export type Generation = '2024' | '2025';

const noFence =
  'Cannot parse action from response. Your action should be inside triple backticks (```). Please adjust accordingly.';

/** The reader of an environment's AgentGym client in a generation; environments without a rule take the whole reply. */
export function agentGymReader(env: string, generation: Generation): Reader {
  const reader = readers[env] ?? whole;
  return typeof reader === 'function' ? reader : reader[generation];
}

/** What stands between the first `Action:` and the next, else the whole reply. */
function afterAction(reply: string): Read {
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

/** The server reads the fence itself: the reply goes there whole, provided it has one. */
function webarena(reply: string): Read {
  return /```[\s\S]*```/.test(reply) ? { action: reply } : { action: null, problem: noFence };
}

function whole(reply: string): Read {
  return { action: reply };
}

const readers: Readonly<Record<string, Reader | Readonly<Record<Generation, Reader>>>> = {
  textcraft: { '2024': readTextCraft2024, '2025': readTextCraft2025 },
  babyai: { '2024': afterAction, '2025': readTextCraft2025 },
  webshop: react,
  alfworld: react,
  sciworld: react,
  sqlgym,
  searchqa: whole,
  webarena,
  maze: afterAction,
  wordle: afterAction,
};
