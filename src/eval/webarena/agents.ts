/** The original's agents by our policies: the teacher plays a task's reference actions, the prompt agent asks a model anew at every step. */
import { AgogeError } from '../../core/error.ts';
import type { Action, ActionSet } from '../../envs/webarena/actions/action.ts';
import { parseAction } from '../../envs/webarena/actions/parse.ts';
import { parsePlaywright } from '../../envs/webarena/actions/playwright.ts';
import type { Told } from '../../envs/webarena/prompt.ts';
import { currentText } from '../../envs/webarena/prompts/construct.ts';
import { extractAction } from '../../envs/webarena/prompts/extract.ts';
import type { Instruction } from '../../envs/webarena/prompts/instruction.ts';
import type { Teacher } from '../../envs/webarena/tasks/book.ts';
import { type SiteAddresses, toLocal } from '../../envs/webarena/tasks/sites.ts';
import type { PromptModel } from './models/model.ts';

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
  /** The grammar of its actions. */
  readonly actionSet: ActionSet;
}

/** Plays what is written down; throws POLICY_EXPERT_GAVE_UP at its end. */
export function teacherAgent(expert: Teacher, addresses: SiteAddresses): Agent {
  const { actionSet } = expert;
  return {
    actionSet,
    next: (_, observation) => {
      const reply = expert.next(observation);
      if (reply === null)
        throw new AgogeError('POLICY_EXPERT_GAVE_UP', 'the reference actions end before the task: complete them');
      return Promise.resolve({ action: actionOf(reply, addresses, actionSet), reply });
    },
  };
}

export interface PromptAgentOptions {
  readonly model: PromptModel;
  readonly instruction: Instruction;
  readonly addresses: SiteAddresses;
  readonly actionSet: ActionSet;
  readonly temperature: number;
  readonly topP: number;
  readonly maxTokens: number;
  readonly stop?: string | undefined;
  /** Replies that are asked for while none holds an action. */
  readonly tries: number;
  /** Longest page in tokens of the model; 0 shows all of it. */
  readonly maxObservation: number;
  readonly seed: number;
}

export function promptAgent(options: PromptAgentOptions): Agent {
  const { model, instruction, addresses, actionSet } = options;
  const {
    action_splitter: splitter,
    prompt_constructor: kind,
    answer_phrase: phrase,
    force_prefix: prefix = '',
  } = instruction.meta_data;
  const answerPhrase = kind === 'CoTPromptConstructor' ? phrase : undefined;
  let turn = 0;
  return {
    splitter,
    actionSet,
    next: async (told, _, signal) => {
      const current = currentText(instruction, { ...told, page: await shortened(told.page, options) });
      for (let attempt = 1; ; attempt++) {
        const said = await model.ask(instruction, current, {
          maxTokens: options.maxTokens,
          temperature: options.temperature,
          topP: options.topP,
          seed: options.seed + turn++,
          signal,
          ...(options.stop !== undefined && { stopStrings: [options.stop] }),
        });
        const reply = prefix + said;
        const extracted = extractAction(reply, { splitter, answerPhrase });
        const action: Action = 'text' in extracted ? actionOf(extracted.text, addresses, actionSet) : { kind: 'none' };
        if (action.kind !== 'none' || attempt >= options.tries) return { action, reply };
      }
    },
  };
}

/** A text that is no action is played as none. */
function actionOf(text: string, addresses: SiteAddresses, actionSet: ActionSet): Action {
  const local = toLocal(text, addresses);
  const parsed = actionSet === 'playwright' ? parsePlaywright(local) : parseAction(local);
  return 'action' in parsed ? parsed.action : { kind: 'none' };
}

async function shortened(page: string, { maxObservation, model }: PromptAgentOptions): Promise<string> {
  if (maxObservation === 0) return page;
  if (model.cutter) return model.cutter(page, maxObservation);
  throw new AgogeError(
    'CONFIG_WEBARENA',
    `${model.id} does not tell its tokens, so --max-obs-length cannot be counted: name a tokenizer (--tokenizer), or set it to 0`,
  );
}
