/**
 * What an agent is told and how its replies are read, from the words of a recipe or of the command line: one block that RL,
 * SFT, `agoge eval` and `agoge data sample` share. Files are read here, once.
 */
import { readFile } from 'node:fs/promises';
import { AgogeError } from '../core/error.ts';
import { plainTemplate, type Message } from '../policy/chat-template.ts';
import type { PromptFormat } from './format.ts';
import { openFormat } from './formats/index.ts';
import { stoppingAt, withOpening, withPrompt } from './formats/variations.ts';

export interface PromptConfig {
  readonly format: string;
  /** null: as the format has it. */
  readonly few_shot: boolean | null;
  /** A file, `row` for what each row says, or null for the format's own words. */
  readonly prompt: string | null;
  /** The words themselves, where they are known without the file (a checkpoint's record). */
  readonly prompt_text?: string | undefined;
  readonly thinking: boolean | null;
  /** Texts that end a reply, beside those of the format. */
  readonly stop?: readonly string[] | undefined;
  /** A Jinja file, or `plain`. */
  readonly chat_template: string | null;
}

export interface Prompting {
  readonly format: PromptFormat;
  /** The user's own words, where there are some. */
  readonly promptText?: string | undefined;
  /** The format of one task: with the words of its row, where that was asked for and the row has some. */
  formatOf(task: { readonly prompt?: readonly Message[] | undefined }): PromptFormat;
  /** Episodes open with the words of their rows. */
  readonly rows: boolean;
  /** For the renderer of a model. */
  readonly template?: string | undefined;
  readonly thinking?: boolean | undefined;
}

export async function openPrompting(config: PromptConfig): Promise<Prompting> {
  const rows = config.prompt === 'row';
  const promptText = config.prompt_text ?? (rows || config.prompt === null ? undefined : await textOf(config.prompt));
  const template = config.chat_template === null ? undefined : await templateOf(config.chat_template);
  const plain = await openFormat(config.format, config.few_shot === null ? {} : { fewShot: config.few_shot });
  const asked = promptText === undefined ? plain : withPrompt(plain, promptText);
  const format = stoppingAt(asked, config.stop ?? []);
  return {
    format,
    promptText,
    rows,
    formatOf: ({ prompt }) => (rows && prompt ? withOpening(format, prompt) : format),
    ...(template === undefined ? {} : { template }),
    ...(config.thinking === null ? {} : { thinking: config.thinking }),
  };
}

/** The Jinja text of a file, or the plain template. */
export async function templateOf(file: string): Promise<string> {
  return file === 'plain' ? plainTemplate : textOf(file);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    throw new AgogeError('CONFIG_NO_FILE', `${file} cannot be read: give the path of a text file`, { cause: thrown });
  }
}
