/** What helps a player: a hint, the expert to watch, the next task, and keeping the play as a demonstration. */
import { formatTask } from '../../../src/core/task.ts';
import { usePhrases } from '../language.ts';
import type { Play } from '../play.ts';
import { href } from '../route.ts';
import type { Table } from './table.ts';

interface ToolsProps {
  readonly play: Play;
  readonly table: Table;
  readonly canSave: boolean;
}

export function Tools({ play, table, canSave }: ToolsProps) {
  const t = usePhrases();
  const { watching, hint, expert, watch, save } = table;
  const at = (index: number): string => href(['play'], { task: formatTask({ ...play.task, index }) });
  return (
    <div class="controls tools" role="group" aria-label={t('Play')}>
      {!play.done && (
        <>
          <button type="button" onClick={hint}>
            {t('Hint')}
          </button>
          <button type="button" onClick={expert} disabled={watching}>
            {t('Expert’s step')}
          </button>
          <button type="button" aria-pressed={watching} onClick={() => watch(!watching)}>
            {watching ? t('Stop') : t('Watch the expert')}
          </button>
        </>
      )}
      {canSave && play.turns.length > 0 && (
        <button type="button" class={play.success ? 'primary' : ''} onClick={save}>
          {t('Save as demonstration')}
        </button>
      )}
      <a class="button" href={at(play.task.index + 1)}>
        {t('Next task')} →
      </a>
    </div>
  );
}
