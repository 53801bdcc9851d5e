/** A film or a person as a card: the name above, then what is known. */
import { Facts, isFields, isList, ToolFrame, wordsOf, type Drawn } from './tool-frame.tsx';

export function FilmPicture({ state }: Drawn) {
  return (
    <ToolFrame
      state={state}
      draw={({ found }) => {
        const result = found?.result;
        const [only] = isList(result) && result.length === 1 ? result : [result];
        if (!isFields(only)) return <Facts value={only} />;
        const { title, name, overview, biography, id, ...rest } = only;
        const heading = title ?? name;
        const text = overview ?? biography;
        return (
          <div class="card film">
            {heading !== undefined && (
              <p>
                <strong>{wordsOf(heading)}</strong> {id !== undefined && <small class="muted">{wordsOf(id)}</small>}
              </p>
            )}
            {text !== undefined && <p>{wordsOf(text)}</p>}
            <Facts value={rest} />
          </div>
        );
      }}
    />
  );
}
