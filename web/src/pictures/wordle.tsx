/** Wordle's guesses as tiles, and the tries that are left as empty ones. */
import { isWordleState } from '../../../src/envs/wordle/draw.ts';
import { visible } from '../components/visible.ts';

const colours: Readonly<Record<string, string>> = { g: '#4d8f5b', y: '#b08a2e', b: '#6f7580' };

export function WordlePicture({ state }: { readonly state: unknown }) {
  if (!isWordleState(state)) return null;
  return (
    <div class="picture">
      {rowsOf(state.guesses).map((guess, row) => (
        <div key={row} style={{ display: 'flex', gap: '4px', marginBottom: '4px' }}>
          {[...visible(guess)].slice(0, 12).map((letter, at) => (
            <span
              key={at}
              style={{
                width: '32px',
                height: '32px',
                lineHeight: '32px',
                textAlign: 'center',
                borderRadius: '4px',
                color: '#fff',
                fontWeight: 600,
                ...(letter === ' '
                  ? { boxShadow: 'inset 0 0 0 1px var(--line)' }
                  : { background: colours[state.answers[row]?.[at] ?? ''] ?? '#9a4a4a' }),
              }}
            >
              {letter.toUpperCase()}
            </span>
          ))}
        </div>
      ))}
    </div>
  );
}

/** Six tries of five letters. */
function rowsOf(guesses: readonly string[]): string[] {
  return Array.from({ length: Math.max(6, guesses.length) }, (_, row) => guesses[row] ?? ' '.repeat(5));
}
