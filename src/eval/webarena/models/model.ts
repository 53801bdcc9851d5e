/** A model as the prompt agent knows it: it is asked with a prompt file, and says how long a page is in its own tokens. */
import type { Instruction } from '../../../envs/webarena/prompts/instruction.ts';
import type { Tokenizer } from '../../../engine/engine.ts';
import type { ReplyLimits } from '../../../policy/policy.ts';

export interface PromptModel extends AsyncDisposable {
  readonly id: string;
  /** The reply to a prompt file's instructions and the current page, in the form that the model is asked in. */
  ask(instruction: Instruction, current: string, limits: ReplyLimits): Promise<string>;
  /** Cuts pages, where the model's tokens can be counted. */
  readonly cutter?: PageCutter | undefined;
}

/** The beginning of a page: so many tokens of it. */
export type PageCutter = (page: string, tokens: number) => Promise<string> | string;

export function cutterOf(tokenizer: Tokenizer): PageCutter {
  return (page, tokens) => tokenizer.decode(tokenizer.encode(page, { plain: true }).slice(0, tokens));
}
