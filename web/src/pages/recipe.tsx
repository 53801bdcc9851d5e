/** The resolved recipe of a run, what differs from another run's, and the log. */
import { usePhrases } from '../language.ts';
import { Show, useLoaded } from '../components/loaded.tsx';
import { RunFrame } from '../components/run-frame.tsx';
import { visible } from '../components/visible.ts';
import { go } from '../route.ts';
import type { Source } from '../source.ts';

export function RecipePage({
  source,
  id,
  query,
}: {
  readonly source: Source;
  readonly id: string;
  readonly query: URLSearchParams;
}) {
  const t = usePhrases();
  const other = query.get('with') ?? '';
  const runs = useLoaded(() => source.runs(), []);
  const second = useLoaded(async () => (other === '' ? undefined : await source.run(other)), [other]);
  return (
    <RunFrame source={source} id={id} section="recipe">
      {(run) => (
        <>
          {source.live && (
            <label class="controls">
              {t('What differs from')}
              <select value={other} onChange={(event) => go(['run', id, 'recipe'], { with: event.currentTarget.value })}>
                <option value="">{t('none')}</option>
                {runs !== undefined &&
                  'value' in runs &&
                  runs.value
                    .filter((one) => one.id !== id)
                    .map((one) => (
                      <option key={one.id} value={one.id}>
                        {one.id}
                      </option>
                    ))}
              </select>
            </label>
          )}
          {other === '' ? (
            <pre class="file">{visible(run.config)}</pre>
          ) : (
            <Show of={second}>{(value) => <Difference here={run.config} there={value?.config ?? ''} />}</Show>
          )}
        </>
      )}
    </RunFrame>
  );
}

/** Lines of one recipe that the other does not have, and the other way round: enough for files of `key: value` lines. */
function Difference({ here, there }: { readonly here: string; readonly there: string }) {
  const t = usePhrases();
  const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '');
  const [ours, theirs] = [lines(here), lines(there)];
  const added = ours.filter((line) => !theirs.includes(line));
  const removed = theirs.filter((line) => !ours.includes(line));
  if (added.length + removed.length === 0) return <p class="empty">{t('The recipes are equal.')}</p>;
  return (
    <pre class="file">
      {removed.map((line) => (
        <del key={`- ${line}`}>
          - {visible(line)}
          {'\n'}
        </del>
      ))}
      {added.map((line) => (
        <ins key={`+ ${line}`}>
          + {visible(line)}
          {'\n'}
        </ins>
      ))}
    </pre>
  );
}

export function LogPage({ source, id }: { readonly source: Source; readonly id: string }) {
  return (
    <RunFrame source={source} id={id} section="log">
      {(_, changes) => <Log source={source} id={id} changes={changes} />}
    </RunFrame>
  );
}

function Log({ source, id, changes }: { readonly source: Source; readonly id: string; readonly changes: number }) {
  const t = usePhrases();
  const log = useLoaded(() => source.log(id), [id, changes]);
  return (
    <Show of={log}>
      {(text) =>
        text.trim() === '' ? (
          <p class="empty">{t('Nothing has been logged yet.')}</p>
        ) : (
          <pre class="file log" tabIndex={0}>
            {visible(text)}
          </pre>
        )
      }
    </Show>
  );
}
