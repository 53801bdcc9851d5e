/** The original's agents by our policies: the teacher plays a task's reference actions, the prompt agent asks a model anew at every step. */
import { AgogeError } from '../../core/error.ts';
import type { Action } from '../../envs/webarena/actions/action.ts';
import { parseAction } from '../../envs/webarena/actions/parse.ts';
import type { Expert } from '../../envs/environment.ts';
import type { Told } from '../../envs/webarena/prompt.ts';
import { constructChat, currentText } from '../../envs/webarena/prompts/construct.ts';
import { extractAction } from '../../envs/webarena/prompts/extract.ts';
import type { Instruction } from '../../envs/webarena/prompts/instruction.ts';
import { type SiteAddresses, toLocal } from '../../envs/webarena/tasks/sites.ts';
import { Conversation, type Message } from '../../policy/conversation.ts';
import type { Policy } from '../../policy/policy.ts';

export interface Decided {
  readonly action: Action;
  /** The reply as it came. */
  readonly reply: string;
}

/** Plays one task. */
export interface Agent {
  next(told: Told, observation: string, signal: AbortSignal): Promise<Decided>;
  /** What stands around an action in a reply, for the hint after a reply without one. */
  readonly splitter?: string | undefined;
}

/** Plays what is written down; throws POLICY_EXPERT_GAVE_UP at its end. */
export function teacherAgent(expert: Expert, addresses: SiteAddresses): Agent {
  return {
    next: (_, observation) => {
      const reply = expert.next(observation);
      if (reply === null)
        throw new AgogeError('POLICY_EXPERT_GAVE_UP', 'the reference actions end before the task: complete them');
      return Promise.resolve({ action: actionOf(reply, addresses), reply });
    },
  };
}

export interface PromptAgentOptions {
  readonly policy: Policy;
  readonly instruction: Instruction;
  readonly addresses: SiteAddresses;
  readonly temperature: number;
  readonly topP: number;
  readonly maxTokens: number;
  readonly stop?: string | undefined;
  /** Replies that are asked for while none holds an action. */
  readonly tries: number;
  /** Longest page in tokens of the policy's own tokenizer; 0 shows all of it. */
  readonly maxObservation: number;
  readonly seed: number;
}

export function promptAgent(options: PromptAgentOptions): Agent {
  const { policy, instruction, addresses } = options;
  const {
    action_splitter: splitter,
    prompt_constructor: kind,
    answer_phrase: phrase,
    force_prefix: prefix = '',
  } = instruction.meta_data;
  const answerPhrase = kind === 'CoTPromptConstructor' ? phrase : undefined;
  const messages = policy.id.startsWith('openai:') ? namedExamples : spokenExamples;
  let turn = 0;
  return {
    splitter,
    next: async (told, _, signal) => {
      const current = currentText(instruction, { ...told, page: shortened(told.page, options) });
      for (let attempt = 1; ; attempt++) {
        const conversation = new Conversation(policy.renderer);
        conversation.open(messages(instruction, current));
        const { segment } = await policy.reply(conversation, {
          maxTokens: options.maxTokens,
          temperature: options.temperature,
          topP: options.topP,
          seed: options.seed + turn++,
          signal,
          ...(options.stop !== undefined && { stopStrings: [options.stop] }),
        });
        const reply = prefix + segment.text;
        const extracted = extractAction(reply, { splitter, answerPhrase });
        const action: Action = 'text' in extracted ? actionOf(extracted.text, addresses) : { kind: 'none' };
        if (action.kind !== 'none' || attempt >= options.tries) return { action, reply };
      }
    },
  };
}

/** A text that is no action is played as none. */
function actionOf(text: string, addresses: SiteAddresses): Action {
  const parsed = parseAction(toLocal(text, addresses));
  return 'action' in parsed ? parsed.action : { kind: 'none' };
}

/** For OpenAI's chat, as the original asks it: examples are system messages with names. */
function namedExamples(instruction: Instruction, current: string): readonly Message[] {
  return constructChat(instruction, current).map(({ role, name, content }) => ({ role, text: content, ...(name && { name }) }));
}

/** For chat templates, which know no names: examples are turns. */
function spokenExamples(instruction: Instruction, current: string): readonly Message[] {
  return constructChat(instruction, current).map(({ role, name, content }) => {
    if (name === 'example_user') return { role: 'user', text: content };
    return { role: name === 'example_assistant' ? 'assistant' : role, text: content };
  });
}

function shortened(page: string, { maxObservation, policy }: PromptAgentOptions): string {
  if (maxObservation === 0) return page;
  const tokenizer = policy.renderer?.tokenizer;
  if (!tokenizer) {
    throw new AgogeError(
      'CONFIG_WEBARENA',
      `${policy.id} does not tell its tokens, so --max-obs-length cannot be counted: leave it out, or use a local model`,
    );
  }
  return tokenizer.decode(tokenizer.encode(page).slice(0, maxObservation));
}
