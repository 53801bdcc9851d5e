/** Draws the guesses as tiles, for a terminal. */
import type { WordleState } from './wordle.ts';

const codes: Readonly<Record<string, string>> = { g: '30;42', y: '30;43', b: '37;100' };
const signs: Readonly<Record<string, string>> = { g: '[]', y: '()', b: '  ' };

export function drawState(state: unknown, { colour = false }: { colour?: boolean } = {}): string {
  if (!isWordleState(state)) return '';
  const lines = state.guesses.map((guess, i) => {
    const answer = state.answers[i] ?? '';
    if (answer === '') return `${guess} (invalid)`;
    return [...guess]
      .map((letter, at) => {
        const kind = answer[at] ?? 'b';
        if (colour) return `\u001b[${codes[kind] ?? '0'}m ${letter.toUpperCase()} \u001b[0m`;
        const [left = ' ', right = ' '] = signs[kind] ?? '  ';
        return `${left}${letter.toUpperCase()}${right}`;
      })
      .join(' ');
  });
  return lines.join('\n');
}

export function isWordleState(state: unknown): state is WordleState {
  const { guesses, answers } = (state ?? {}) as Partial<WordleState>;
  return Array.isArray(guesses) && Array.isArray(answers);
}
