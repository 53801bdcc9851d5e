/** SearchQA's state as text for a terminal: the question, the last search with its passages (those with the answer marked), the answer. */
import { printable } from '../../core/printable.ts';
import type { SearchQAState } from './episode.ts';

export function drawState(state: unknown, { colour }: { readonly colour: boolean }): string {
  const { question = '', query, passages = [], answer, solved } = state as Partial<SearchQAState>;
  const paint = (code: number, text: string): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const lines = [paint(1, printable(question))];
  if (query !== undefined) lines.push(`search: ${printable(query)}`);
  for (const { title, text, hit } of passages) {
    lines.push(`${hit ? paint(32, '●') : '○'} ${paint(1, printable(title))} ${printable(text)}`);
  }
  if (answer !== undefined) lines.push(`answer: ${paint(solved === true ? 32 : 31, printable(answer))}`);
  return lines.join('\n');
}
