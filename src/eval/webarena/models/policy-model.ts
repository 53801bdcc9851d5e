/** A policy of ours as a prompt agent's model: chat models by their template, any model of an engine by a text of its own. */
import { AgogeError } from '../../../core/error.ts';
import { constructChat, constructCompletion, constructLlama2 } from '../../../envs/webarena/prompts/construct.ts';
import type { Instruction } from '../../../envs/webarena/prompts/instruction.ts';
import { Conversation, type Message } from '../../../policy/conversation.ts';
import { EnginePolicy } from '../../../policy/engine-policy.ts';
import type { Policy, ReplyLimits } from '../../../policy/policy.ts';
import { cutterOf, type PageCutter, type PromptModel } from './model.ts';

/** How a prompt is written: as messages, as the text that base models go on from, or in Llama 2's own form. */
export type PromptForm = 'chat' | 'completion' | 'llama2';

export function policyModel(policy: Policy, form: PromptForm, cutter?: PageCutter): PromptModel {
  const tokenizer = policy.renderer?.tokenizer;
  const messages = policy.id.startsWith('openai:') ? namedExamples : spokenExamples;
  return {
    id: policy.id,
    cutter: cutter ?? (tokenizer && cutterOf(tokenizer)),
    ask: async (instruction, current, limits) => {
      if (form !== 'chat') return goOn(policy, promptText(form, instruction, current), limits);
      const conversation = new Conversation(policy.renderer);
      conversation.open(messages(instruction, current));
      return (await policy.reply(conversation, limits)).segment.text;
    },
    [Symbol.asyncDispose]: () => policy[Symbol.asyncDispose](),
  };
}

export function promptText(form: 'completion' | 'llama2', instruction: Instruction, current: string): string {
  return form === 'llama2' ? constructLlama2(instruction, current) : constructCompletion(instruction, current);
}

/** For OpenAI's chat, as the original asks it: examples are system messages with names. */
function namedExamples(instruction: Instruction, current: string): readonly Message[] {
  return constructChat(instruction, current).map(({ role, name, content }) => ({ role, text: content, ...(name && { name }) }));
}

/** For chat templates, which know no names: examples are turns. */
export function spokenExamples(instruction: Instruction, current: string): readonly Message[] {
  return constructChat(instruction, current).map(({ role, name, content }) => {
    if (name === 'example_user') return { role: 'user', text: content };
    return { role: name === 'example_assistant' ? 'assistant' : role, text: content };
  });
}

/** The engine's own words after a text; no template is in between. */
async function goOn(policy: Policy, text: string, limits: ReplyLimits): Promise<string> {
  if (!(policy instanceof EnginePolicy)) {
    throw new AgogeError('CONFIG_WEBARENA', `${policy.id} takes messages and no text to go on from: use --mode chat`);
  }
  const { tokenizer, context } = policy.engine.model;
  const { bosToken = '', addsBos = false, endOfTurn } = tokenizer;
  const prompt = tokenizer.encode(addsBos && !text.startsWith(bosToken) ? bosToken + text : text);
  if (prompt.length >= context) {
    throw new AgogeError(
      'ENGINE_PROMPT_TOO_LONG',
      `the prompt has ${prompt.length} tokens and ${policy.id} reads ${context}: lower --max-obs-length`,
    );
  }
  const { stopStrings = [], maxTokens, temperature, topP, seed, signal } = limits;
  const { tokens, stop } = await policy.engine.sample({
    prompt,
    maxTokens: Math.min(maxTokens, context - prompt.length),
    temperature,
    ...(topP !== undefined && { topP }),
    ...(stopStrings.length > 0 && { stopStrings }),
    stopTokens: endOfTurn,
    seed,
    signal,
  });
  const reply = tokenizer.decode(stop === 'token' ? tokens.slice(0, -1) : tokens);
  const end = Math.min(...stopStrings.map((cut) => reply.indexOf(cut)).filter((at) => at >= 0));
  return Number.isFinite(end) ? reply.slice(0, end) : reply;
}
