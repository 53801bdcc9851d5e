/** Roles that a chat template passes over without a word: a model would never see such messages, so they are refused instead. */
import type { Template } from '@huggingface/jinja';
import { bounded } from '../../core/bounded.ts';

const known = new WeakMap<Template, Map<string, boolean>>();

/** Does the template leave messages of this role out? Asked once for each. */
export function leavesOut(template: Template, role: string): boolean {
  const verdicts = known.get(template) ?? new Map<string, boolean>();
  known.set(template, verdicts);
  const verdict = verdicts.get(role) ?? isSilent(template, role);
  verdicts.set(role, verdict);
  return verdict;
}

function isSilent(template: Template, role: string): boolean {
  if (role === 'user' || role === 'assistant') return false;
  const message = { role, content: 'Qtold7' };
  const turns = [
    { role: 'user', content: 'Qasked8' },
    { role: 'assistant', content: 'Qreply9' },
  ];
  const messages = role === 'system' ? [message, ...turns] : [...turns, message];
  const words = { messages, add_generation_prompt: true, bos_token: '', eos_token: '' };
  try {
    return !bounded(2000, () => template.render(words), 'MODEL_CHAT_TEMPLATE', 'the chat template').includes(message.content);
  } catch {
    return false; // it says itself what it refuses, as soon as it is asked in earnest
  }
}
