/** What a program says of its own run, read as the text of a stranger: it has one of three shapes or the run failed. */

export type ProgramRun =
  | { readonly printed: string }
  | { readonly returned: unknown }
  /** `compiles`: it was a program at all. */
  | { readonly error: string; readonly compiles: boolean };

/** Deeper lists are no answer to a task, and what walks through them would run out of its stack. */
const deepest = 200;
const longestError = 200;

export function readRun(text: string): ProgramRun {
  let given: unknown;
  try {
    given = JSON.parse(text) as unknown;
  } catch {
    return failure('what it returned is no JSON');
  }
  if (typeof given !== 'object' || given === null) return failure('the program spoiled its result');
  const { printed, returned, error, compiles } = given as Record<string, unknown>;
  if (typeof printed === 'string') return { printed };
  if (typeof error === 'string') return failure(error, compiles !== false);
  if (!Object.hasOwn(given, 'returned')) return failure('the program spoiled its result');
  return isDeep(returned) ? failure('what it returned is nested too deeply') : { returned };
}

export function failure(error: string, compiles = true): ProgramRun {
  return { error: error.slice(0, longestError), compiles };
}

function isDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth >= deepest || Object.values(value).some((one) => isDeep(one, depth + 1));
}
