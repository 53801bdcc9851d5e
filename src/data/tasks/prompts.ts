/**
 * The prompt of a verl RL row: what the environment's ReAct format tells an agent. TextCraft's rows hold only the system
 * message, so that verl's loop asks the environment for the first observation; the others follow the scripts of AgentGym's
 * verl integration and add a sentence by the user.
 */
import { createFormat } from '../../agent/formats/index.ts';
import type { Environment } from '../../envs/environment.ts';
import type { DataMessage } from '../rows.ts';

export type PromptForm = 'auto' | 'system' | 'system+user';

const REQUESTS: Readonly<Record<string, string>> = {
  webshop: 'Please help me with my shopping task.',
  searchqa: 'Please answer the question that the environment gives you.',
};

export function rowPrompt(env: string, environment: Environment | undefined, form: PromptForm = 'auto'): readonly DataMessage[] {
  const text = environment
    ? createFormat('react').opening({ ...environment.instructions, verbatim: false })
    : [
        {
          role: 'system' as const,
          text: `You act in the environment ${env}, one action per reply:\nThought:\n<your reasoning>\n\nAction:\n<your action>`,
        },
      ];
  const messages = text.map(({ role, text }): DataMessage => ({ role, content: text }));
  const asks = form === 'system+user' || (form === 'auto' && env !== 'textcraft');
  if (!asks) return messages;
  return [...messages, { role: 'user', content: REQUESTS[env] ?? 'Please begin the task.' }];
}
