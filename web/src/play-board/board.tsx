/** One play: what was said and done so far, what can be done next, what the expert would do, and what the world looks like. */
import { useEffect, useRef } from 'preact/hooks';
import { usePhrases } from '../language.ts';
import { RewardLine, Said } from '../components/conversation.tsx';
import { short } from '../components/numbers.ts';
import { visible } from '../components/visible.ts';
import { Picture } from '../pictures/picture.tsx';
import type { Play, World } from '../play.ts';
import type { Source } from '../source.ts';
import { Entry } from './entry.tsx';
import { useTable } from './table.ts';
import { Tools } from './tools.tsx';

export interface BoardProps {
  readonly play: Play;
  readonly environment: World;
  readonly source: Source;
}

export function Board({ play, environment, source }: BoardProps) {
  const t = usePhrases();
  const table = useTable(play, source);
  const { said, watching, send } = table;
  const actions = [...new Set(play.actions)];
  return (
    <div class="play" data-environment={environment.name}>
      <div>
        <Instructions environment={environment} open={play.turns.length === 0} />
        <Told play={play} />
        {play.done ? (
          <p role="status">
            <strong>{play.success ? t('The task is solved.') : t('The episode is over.')}</strong>
          </p>
        ) : (
          <Entry actions={actions} onSend={send} />
        )}
        <Tools play={play} table={table} canSave={source.save !== undefined} />
        <p role="status">{said}</p>
      </div>
      <aside>
        <p>
          {t('Score')} <strong>{short(play.reward)}</strong> · {t('Turns')} {play.turns.length}
        </p>
        {actions.length > 0 && !play.done && !watching && (
          <div class="possible">
            <h2>{t('Possible actions')}</h2>
            <div class="admissible">
              {actions.slice(0, 60).map((action) => (
                <button type="button" key={action} onClick={() => send(action)}>
                  {action}
                </button>
              ))}
            </div>
          </div>
        )}
        <Picture environment={environment.name} state={play.state} />
      </aside>
    </div>
  );
}

function Instructions({ environment, open }: { readonly environment: World; readonly open: boolean }) {
  const t = usePhrases();
  return (
    <details open={open}>
      <summary>{t('How to act')}</summary>
      <pre class="file">{visible(environment.instructions.task)}</pre>
      <ul class="plain" lang="en">
        {environment.instructions.actions.map((action) => (
          <li key={action.name}>
            <code>{action.template}</code>{' '}
            {action.description !== action.template && <span class="muted">{action.description}</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Told({ play }: { readonly play: Play }) {
  const t = usePhrases();
  const end = useRef<HTMLDivElement>(null);
  const turns = play.turns.length;
  useEffect(() => {
    if (turns > 0) end.current?.scrollIntoView({ block: 'nearest' });
  }, [turns]);
  return (
    <>
      <ol class="conversation" aria-live="polite">
        <li class="turn">
          <Said what={t('Observation')} kind="observation" text={play.observation} />
        </li>
        {play.turns.map((turn, i) => (
          <li class="turn" key={i}>
            <div class="turn-number" aria-hidden="true">
              {i + 1}
            </div>
            <Said what={t('Action')} kind="action" text={turn.action} />
            <Said what={t('Observation')} kind="observation" text={turn.observation} />
            <RewardLine reward={turn.reward} breakdown={turn.breakdown} />
          </li>
        ))}
      </ol>
      <div ref={end} />
    </>
  );
}
