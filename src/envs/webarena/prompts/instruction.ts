/** A prompt file of WebArena in its raw form (Python) or its JSON form: introduction, examples, template and what they are for. */
import * as z from 'zod';
import { AgogeError } from '../../../core/error.ts';
import { NotALiteral, pythonAssignment } from '../../../core/python/literal.ts';

const instruction = z.object({
  intro: z.string(),
  examples: z.array(z.tuple([z.string(), z.string()])),
  template: z.string(),
  meta_data: z.looseObject({
    observation: z.string().optional(),
    action_type: z.string().optional(),
    keywords: z.array(z.string()),
    prompt_constructor: z.enum(['DirectPromptConstructor', 'CoTPromptConstructor']),
    answer_phrase: z.string().optional(),
    action_splitter: z.string().min(1),
    force_prefix: z.string().optional(),
  }),
});

export type Instruction = z.infer<typeof instruction>;

/** Reads a prompt file; a name that ends in .py, or a text that does not begin like JSON, is Python. Throws ENV_WEBARENA_PROMPT. */
export function readInstruction(text: string, where: string): Instruction {
  const read = instruction.safeParse(where.endsWith('.py') || !/^\s*\{/.test(text) ? python(text, where) : json(text, where));
  if (read.success) {
    if (read.data.meta_data.prompt_constructor === 'CoTPromptConstructor' && read.data.meta_data.answer_phrase === undefined) {
      throw problem(where, 'a CoTPromptConstructor needs meta_data.answer_phrase');
    }
    return read.data;
  }
  const [issue] = read.error.issues;
  throw problem(where, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'unreadable'}`);
}

function python(text: string, where: string): unknown {
  try {
    return pythonAssignment(text, 'prompt');
  } catch (thrown) {
    if (!(thrown instanceof NotALiteral)) throw thrown;
    const { message } = thrown;
    throw new AgogeError(
      'ENV_WEBARENA_PROMPT',
      `${where} has ${message}: write it like the prompt files of WebArena, or as JSON`,
    );
  }
}

function json(text: string, where: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw problem(where, 'it is not JSON');
  }
}

function problem(where: string, why: string): AgogeError {
  return new AgogeError(
    'ENV_WEBARENA_PROMPT',
    `${where} is not a prompt of WebArena (${why}): give a file of agent/prompts/raw or jsons`,
  );
}
