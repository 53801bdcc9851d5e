/** What a model is asked: the original's prompt constructors, for chat and completion models and for Llama 2. */
import { AgogeError } from '../../../core/error.ts';
import { pythonStrip } from '../../../core/python/strings.ts';
import type { Told } from '../prompt.ts';
import type { Instruction } from './instruction.ts';

export interface PromptMessage {
  readonly role: 'system' | 'user';
  /** OpenAI's name for whose words an example shows. */
  readonly name?: 'example_user' | 'example_assistant';
  readonly content: string;
}

/** The template with what the agent sees. */
export function currentText({ template }: Instruction, { objective, url, page, previous }: Told): string {
  const values: Readonly<Record<string, string>> = { objective, url, observation: page, previous_action: previous };
  return template.replace(/\{\{|\}\}|\{([^{}]*)\}|[{}]/g, (found, name: string | undefined) => {
    if (found === '{{' || found === '}}') return found.charAt(0);
    const value = name === undefined ? undefined : values[name];
    if (value !== undefined) return value;
    throw new AgogeError(
      'ENV_WEBARENA_PROMPT',
      `the template has ${found}: use {${Object.keys(values).join('}, {')}}, and write other braces twice`,
    );
  });
}

export function constructChat({ intro, examples }: Instruction, current: string): readonly PromptMessage[] {
  const shown = examples.flatMap(([question, reply]): PromptMessage[] => [
    { role: 'system', name: 'example_user', content: question },
    { role: 'system', name: 'example_assistant', content: reply },
  ]);
  return [{ role: 'system', content: intro }, ...shown, { role: 'user', content: current }];
}

export function constructCompletion({ intro, examples }: Instruction, current: string): string {
  const shown = examples.map(([question, reply]) => `Observation\n:${question}\n\nAction: ${reply}\n\n`).join('');
  return `${intro}\n\nHere are a few examples:\n${shown}Now make prediction given the observation\n\nObservation\n:${current}\n\nAction:`;
}

/** Llama 2's own form; the introduction stands before the first example. */
export function constructLlama2(
  { intro, examples, meta_data: { force_prefix: prefix = '' } }: Instruction,
  current: string,
): string {
  const system = `<<SYS>>\n${intro}\n<</SYS>>\n\n`;
  const shown = examples.map(([question, reply], at) => {
    const asked = at === 0 ? system + question : question;
    return `<s>[INST] ${pythonStrip(asked)} [/INST] ${pythonStrip(reply)} </s>`;
  });
  return `${shown.join('')}<s>[INST] ${pythonStrip(current)} [/INST] ${prefix}`;
}
