/** What can be done with the runs that are marked: compared, put away, removed. */
import { useState } from 'preact/hooks';
import type { RunSummary } from '../../../src/dashboard/model.ts';
import { usePhrases } from '../language.ts';
import { href } from '../route.ts';
import type { Source } from '../source.ts';

interface ChosenProps {
  readonly source: Source;
  readonly runs: readonly RunSummary[];
  readonly onEdit: () => void;
  readonly onClear: () => void;
}

export function Chosen({ source, runs, onEdit, onClear }: ChosenProps) {
  const t = usePhrases();
  const [problem, setProblem] = useState('');
  const [asking, setAsking] = useState(false);
  const archived = runs.every((run) => run.annotation?.archived === true);
  const each = (act: (id: string) => Promise<unknown> | undefined): void => {
    setProblem('');
    Promise.all(runs.map(async (run) => act(run.id))).then(
      () => {
        onClear();
        onEdit();
      },
      (error: unknown) => {
        setProblem(error instanceof Error ? error.message : String(error));
        onEdit();
      },
    );
  };
  return (
    <div class="controls chosen" role="group" aria-label={t('Selected')}>
      <strong>
        {runs.length} {t('selected')}
      </strong>
      <a class="button primary" href={href(['compare'], { run: runs.map(({ id }) => id) })}>
        {t('Compare')}
      </a>
      {source.annotate && (
        <>
          <button type="button" onClick={() => each((id) => source.annotate?.(id, { archived: !archived }))}>
            {archived ? t('Take out of the archive') : t('Archive')}
          </button>
          {asking ? (
            <>
              <span class="why">{t('Remove these folders for good?')}</span>
              <button type="button" class="danger" onClick={() => each((id) => source.remove?.(id))}>
                {t('Remove')}
              </button>
              <button type="button" onClick={() => setAsking(false)}>
                {t('Cancel')}
              </button>
            </>
          ) : (
            <button type="button" onClick={() => setAsking(true)}>
              {t('Delete')}
            </button>
          )}
        </>
      )}
      {problem !== '' && (
        <span class="why" role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}
