/**
 * The prompt of a verl RL row: what the environment's ReAct format tells an agent. Most rows follow the scripts of
 * AgentGym's verl integration and add a sentence by the user; where an environment says so (`rows.request: null`) there is none.
 */
import { createFormat } from '../../agent/formats/index.ts';
import type { Environment } from '../../envs/environment.ts';
import { factsOf } from '../../envs/lookup.ts';
import type { DataMessage } from '../rows.ts';

export type PromptForm = 'auto' | 'system' | 'system+user';

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
  const request = factsOf(environment ?? env).rows?.request;
  const asks = form === 'system+user' || (form === 'auto' && request !== null);
  if (!asks) return messages;
  return [...messages, { role: 'user', content: request ?? 'Please begin the task.' }];
}
