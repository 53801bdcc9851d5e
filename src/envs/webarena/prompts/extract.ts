/** Finds the action in a reply, as the original's prompt constructors do: the first text between two splitters. */
import { AgogeError } from '../../../core/error.ts';
import { pythonStrip } from '../../../core/python/strings.ts';
import type { ActionError } from '../actions/action.ts';

export interface Extraction {
  /** What stands before and after an action, an expression as in the original's files; usually three backticks. */
  readonly splitter: string;
  /** Named in the error of a constructor that lets the model think first; absent for one that does not. */
  readonly answerPhrase?: string | undefined;
}

export type Extracted = { readonly text: string } | { readonly error: ActionError };

export function extractAction(reply: string, { splitter, answerPhrase }: Extraction): Extracted {
  const found = between(reply, splitter);
  if (found !== undefined) return { text: pythonStrip(found) };
  const message =
    answerPhrase === undefined
      ? `Cannot parse action from response ${reply}`
      : `Cannot find the answer phrase "${answerPhrase}" in "${reply}"`;
  return { error: { type: 'ActionParsingError', message } };
}

function between(reply: string, splitter: string): string | undefined {
  if (!/[\\^$.*+?()[\]{}|]/.test(splitter)) {
    const start = reply.indexOf(splitter);
    const end = start < 0 ? -1 : reply.indexOf(splitter, start + splitter.length);
    return end < 0 ? undefined : reply.slice(start + splitter.length, end);
  }
  try {
    return new RegExp(`${splitter}([\\s\\S]*?)${splitter}`, 'u').exec(reply)?.at(-1);
  } catch (cause) {
    throw new AgogeError('ENV_WEBARENA_PROMPT', `the action splitter ${splitter} is no expression: write three backticks`, {
      cause,
    });
  }
}
