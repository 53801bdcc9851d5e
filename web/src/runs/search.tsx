/** What of the list is shown: words, kind, folder, and the columns that are added. */
import type { RunSummary } from '../../../src/dashboard/model.ts';
import { usePhrases } from '../language.ts';
import { extraColumns, type ExtraColumn } from './columns.ts';
import { folderOf, kinds, type Wanted } from './find.ts';

interface SearchProps {
  readonly runs: readonly RunSummary[];
  readonly shown: number;
  readonly choice: Wanted;
  readonly choose: (change: Partial<Wanted>) => void;
  readonly extra: readonly ExtraColumn[];
  readonly onColumns: (columns: readonly ExtraColumn[]) => void;
}

export function Search({ runs, shown, choice, choose, extra, onColumns }: SearchProps) {
  const t = usePhrases();
  const folders = [...new Set(runs.map(({ id }) => folderOf(id)))].sort();
  return (
    <form class="controls" role="search" onSubmit={(event) => event.preventDefault()}>
      <label>
        {t('Search')}
        <input
          type="search"
          value={choice.search}
          placeholder={t('name, recipe, tag, note')}
          onInput={(event) => choose({ search: event.currentTarget.value })}
        />
      </label>
      <label>
        {t('Show')}
        <select
          value={choice.kind}
          onChange={(event) => choose({ kind: kinds.find((kind) => kind === event.currentTarget.value) ?? 'all' })}
        >
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {t(kind)}
            </option>
          ))}
        </select>
      </label>
      {folders.length > 1 && (
        <label>
          {t('Folder')}
          <select value={choice.folder} onChange={(event) => choose({ folder: event.currentTarget.value })}>
            <option value="">{t('all')}</option>
            {folders.map((folder) => (
              <option key={folder} value={`${folder}/`}>
                {folder === '' ? './' : `${folder}/`}
              </option>
            ))}
          </select>
        </label>
      )}
      <span class="muted">
        {shown} / {runs.length}
      </span>
      <Columns extra={extra} onColumns={onColumns} />
    </form>
  );
}

function Columns({ extra, onColumns }: Pick<SearchProps, 'extra' | 'onColumns'>) {
  const t = usePhrases();
  return (
    <fieldset class="columns-choice">
      <legend>{t('Columns')}</legend>
      {extraColumns.map((column) => (
        <label key={column}>
          <input
            type="checkbox"
            checked={extra.includes(column)}
            onChange={({ currentTarget: { checked } }) =>
              onColumns(extraColumns.filter((one) => (one === column ? checked : extra.includes(one))))
            }
          />
          {t(column)}
        </label>
      ))}
    </fieldset>
  );
}
