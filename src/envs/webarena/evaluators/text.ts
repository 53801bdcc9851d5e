/** Comparing an answer with a reference: WebArena's cleaning, exact match and inclusion. */
import { pythonStrip } from '../../../core/python/strings.ts';
import { wordTokens } from './word-tokens.ts';

/** Without blanks and one pair of quotes around it, in lower case. */
export function cleanAnswer(answer: string): string {
  let text = pythonStrip(answer);
  for (const quote of ["'", '"']) {
    if (text.startsWith(quote) && text.endsWith(quote)) {
      text = text.slice(1, -1);
      break;
    }
  }
  return pythonLower(text);
}

export function exactMatch(reference: string, answer: string): number {
  return cleanAnswer(answer) === cleanAnswer(reference) ? 1 : 0;
}

/** Does the answer hold the reference? A single character must be a word of its own where `tokenize` is asked for. */
export function mustInclude(reference: string, answer: string, { tokenize = false } = {}): number {
  const wanted = cleanAnswer(reference);
  const given = cleanAnswer(answer);
  if (tokenize && Array.from(wanted).length === 1 && wordTokens(wanted).length === 1)
    return wordTokens(given).includes(wanted) ? 1 : 0;
  return given.includes(wanted) ? 1 : 0;
}

/** `str.lower()`: as in JavaScript but for the final sigma, which both handle, so plain lower case will do. */
function pythonLower(text: string): string {
  return text.toLowerCase();
}
