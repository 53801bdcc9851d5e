/** The list of runs below the folder that is shown: searched, sorted, put away, and chosen to be compared. */
import { useState } from 'preact/hooks';
import type { RunSummary } from '../../../src/dashboard/model.ts';
import { usePhrases } from '../language.ts';
import { Show, useChanges, useLoaded } from '../components/loaded.tsx';
import { Chosen } from '../runs/chosen.tsx';
import { fixedColumns, keepColumns, keptColumns, order, type Column, type ExtraColumn } from '../runs/columns.ts';
import { fits, type Wanted } from '../runs/find.ts';
import { Row } from '../runs/row.tsx';
import { Search } from '../runs/search.tsx';
import type { Source } from '../source.ts';

interface Choice extends Wanted {
  readonly by: Column;
  readonly down: boolean;
}

/** Kept while the page is open, so that going back finds the list as it was left. */
let kept: Choice = { search: '', kind: 'all', folder: '', by: 'Updated', down: true };
const rowsAtFirst = 100;

export function RunsPage({ source }: { readonly source: Source }) {
  const t = usePhrases();
  const follows = useChanges((changed) => source.follow(undefined, changed), []);
  const [edits, setEdits] = useState(0);
  const runs = useLoaded(() => source.runs(), [follows, edits]);
  return (
    <>
      <h1>{t('Runs')}</h1>
      <Show of={runs}>
        {(list) =>
          list.length === 0 ? (
            <p class="empty">{t('No runs here yet. Start one with `agoge demo`.')}</p>
          ) : (
            <List source={source} runs={list} onEdit={() => setEdits((count) => count + 1)} />
          )
        }
      </Show>
    </>
  );
}

interface ListProps {
  readonly source: Source;
  readonly runs: readonly RunSummary[];
  readonly onEdit: () => void;
}

function List({ source, runs, onEdit }: ListProps) {
  const t = usePhrases();
  const [choice, setChoice] = useState(kept);
  const [extra, setExtra] = useState(keptColumns);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [most, setMost] = useState(rowsAtFirst);
  const choose = (change: Partial<Choice>): void => {
    kept = { ...choice, ...change };
    setChoice(kept);
  };
  const show = (columns: readonly ExtraColumn[]): void => {
    keepColumns(columns);
    setExtra(columns);
  };
  const shown = runs.filter((run) => fits(run, choice)).sort((a, b) => order(a, b, choice.by, choice.down));
  const marked = shown.filter(({ id }) => selected.has(id));
  const mark = (ids: readonly string[], on: boolean): void =>
    setSelected(new Set(on ? [...selected, ...ids] : [...selected].filter((id) => !ids.includes(id))));
  return (
    <>
      <Search runs={runs} shown={shown.length} choice={choice} choose={choose} extra={extra} onColumns={show} />
      {marked.length > 0 && <Chosen source={source} runs={marked} onEdit={onEdit} onClear={() => setSelected(new Set())} />}
      {shown.length === 0 && <p class="empty">{t('No run matches. Loosen the search.')}</p>}
      {shown.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label={t('Runs')}>
          <table class="list cards runs">
            <Head
              live={source.live || runs.length > 1}
              extra={extra}
              choice={choice}
              choose={choose}
              all={marked.length === shown.length}
              onAll={(on) =>
                mark(
                  shown.map(({ id }) => id),
                  on,
                )
              }
            />
            <tbody>
              {shown.slice(0, most).map((run) => (
                <Row
                  key={run.id}
                  run={run}
                  live={source.live || runs.length > 1}
                  extra={extra}
                  marked={selected.has(run.id)}
                  onMark={(on) => mark([run.id], on)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {shown.length > most && (
        <button type="button" onClick={() => setMost(most + 400)}>
          {t('Show more')} ({shown.length - most})
        </button>
      )}
    </>
  );
}

interface HeadProps {
  readonly live: boolean;
  readonly extra: readonly ExtraColumn[];
  readonly choice: Choice;
  readonly choose: (change: Partial<Choice>) => void;
  readonly all: boolean;
  readonly onAll: (on: boolean) => void;
}

function Head({ live, extra, choice, choose, all, onAll }: HeadProps) {
  const t = usePhrases();
  const columns: readonly Column[] = [...fixedColumns, ...extra, 'Updated'];
  return (
    <thead>
      <tr>
        <th scope="col">
          {live && (
            <input
              type="checkbox"
              aria-label={t('Select all')}
              checked={all}
              onChange={(event) => onAll(event.currentTarget.checked)}
            />
          )}
        </th>
        {columns.map((column) => (
          <th
            key={column}
            scope="col"
            aria-sort={choice.by === column ? (choice.down ? 'descending' : 'ascending') : undefined}
            title={column === 'Duration' ? t('from the start to the last word, pauses before a resume included') : undefined}
          >
            {column === 'Trend' ? (
              t(column)
            ) : (
              <button
                type="button"
                class="plain"
                onClick={() => choose({ by: column, down: choice.by === column ? !choice.down : column !== 'Run' })}
              >
                {t(column)}
                {choice.by === column && (choice.down ? ' ↓' : ' ↑')}
              </button>
            )}
          </th>
        ))}
      </tr>
    </thead>
  );
}
