/** One episode as a conversation: observation, thought, action, reward, turn by turn. Everything is shown as text. */
import type { EpisodeView, TurnView } from '../../../src/report/model.ts';
import { usePhrases } from '../language.ts';
import { Picture } from '../pictures/picture.tsx';
import { href } from '../route.ts';
import { short } from './numbers.ts';
import { visible } from './visible.ts';

export function Conversation({ episode }: { readonly episode: EpisodeView }) {
  const t = usePhrases();
  const environment = episode.task.split('/')[0] ?? '';
  return (
    <ol class="conversation">
      <li class="turn">
        <Said what={t('Observation')} kind="observation" text={episode.observation} />
        <Picture environment={environment} state={episode.state} />
      </li>
      {episode.turnsTaken.map((turn, i) => (
        <li class="turn" key={i} id={`turn-${String(i)}`}>
          <Turn turn={turn} number={i + 1} />
          <Picture environment={environment} state={turn.state} />
          <a class="takeover" href={href(['play'], { task: episode.task, from: actionsUpTo(episode, i) })}>
            {t('Take over from here')}
          </a>
        </li>
      ))}
      <li class="turn muted">{episode.ended}</li>
    </ol>
  );
}

function Turn({ turn, number }: { readonly turn: TurnView; readonly number: number }) {
  const t = usePhrases();
  return (
    <>
      <div class="turn-number" aria-hidden="true">
        {number}
      </div>
      {turn.thought !== undefined && turn.thought !== '' && <Said what={t('Thought')} kind="thought" text={turn.thought} />}
      <Said what={t('Action')} kind="action" text={turn.action ?? `(${t('nothing could be read')}) ${turn.reply}`} />
      <Said what={t('Observation')} kind="observation" text={turn.problem ?? turn.observation} />
      {(turn.reward !== 0 || turn.breakdown) && (
        <p class="reward">
          {t('Reward')} {short(turn.reward)}
        </p>
      )}
      {turn.breakdown && <Breakdown parts={turn.breakdown} />}
    </>
  );
}

/** The parts that the environment made the reward of (WebShop: type, attributes, options, price). */
function Breakdown({ parts }: { readonly parts: Readonly<Record<string, number>> }) {
  const t = usePhrases();
  return (
    <dl class="breakdown" aria-label={t('Parts of the reward')}>
      {Object.entries(parts).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{short(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

const longText = 4000;

function Said({ what, kind, text }: { readonly what: string; readonly kind: string; readonly text: string }) {
  const shown = visible(text);
  return (
    <div class={`said ${kind}`}>
      <span class="who">{what}</span>
      {shown.length <= longText ? (
        <pre>{shown}</pre>
      ) : (
        <details>
          <summary>
            <pre>{shown.slice(0, longText)}…</pre>
          </summary>
          <pre>{shown.slice(longText)}</pre>
        </details>
      )}
    </div>
  );
}

/** The actions up to and with a turn, for taking over: one per line, as the play page reads them. */
function actionsUpTo(episode: EpisodeView, turn: number): string {
  return JSON.stringify(episode.turnsTaken.slice(0, turn + 1).flatMap(({ action }) => (action === null ? [] : [action])));
}
