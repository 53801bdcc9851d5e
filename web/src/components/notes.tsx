/** What a person wrote about a run: a note and tags, changed in place. */
import { useState } from 'preact/hooks';
import type { RunSummary } from '../../../src/dashboard/model.ts';
import { usePhrases } from '../language.ts';
import type { Source } from '../source.ts';

export function Notes({ run, source }: { readonly run: RunSummary; readonly source: Source }) {
  const t = usePhrases();
  const [written, setWritten] = useState(run.annotation);
  const [editing, setEditing] = useState(false);
  const [problem, setProblem] = useState('');
  const { note = '', tags = [] } = written ?? {};
  const save = (form: HTMLFormElement): void => {
    const data = new FormData(form);
    const text = (name: string): string => {
      const value = data.get(name);
      return typeof value === 'string' ? value : '';
    };
    const list = text('tags').split(/[,，]/);
    const change = { note: text('note'), tags: list.map((tag) => tag.trim()).filter((tag) => tag !== '') };
    source.annotate?.(run.id, change).then(
      (kept) => {
        setWritten(kept);
        setEditing(false);
        setProblem('');
      },
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    );
  };
  if (!editing)
    return (
      <p class="notes">
        {tags.map((tag) => (
          <span class="tag" key={tag}>
            {tag}
          </span>
        ))}
        {note !== '' && <span class="note">{note}</span>}
        {source.annotate && (
          <button type="button" class="plain" onClick={() => setEditing(true)}>
            ✎ {note === '' && tags.length === 0 ? t('Add a note or tags') : ''}
            <span class="only-read">{t('Note')}</span>
          </button>
        )}
      </p>
    );
  return (
    <form
      class="controls notes"
      onSubmit={(event) => {
        event.preventDefault();
        save(event.currentTarget);
      }}
    >
      <label>
        {t('Note')}
        <textarea name="note" rows={2} maxLength={10_000} defaultValue={note} />
      </label>
      <label>
        {t('Tags')}
        <input name="tags" defaultValue={tags.join(', ')} placeholder={t('separated by commas')} />
      </label>
      <button class="primary" type="submit">
        {t('Save')}
      </button>
      <button type="button" onClick={() => setEditing(false)}>
        {t('Cancel')}
      </button>
      {problem !== '' && (
        <span class="why" role="alert">
          {problem}
        </span>
      )}
    </form>
  );
}
