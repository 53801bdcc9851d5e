/** One episode as a conversation: observation, thought, action, reward, turn by turn. Everything is shown as text. */
import type { Ended, EpisodeView, TurnView } from '../../../src/dashboard/model.ts';
import { usePhrases, type Phrase } from '../language.ts';
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
        <div>
          <Said what={t('Observation')} kind="observation" text={episode.observation} />
        </div>
        <Picture environment={environment} state={episode.state} />
      </li>
      {episode.turnsTaken.map((turn, i) => (
        <li class="turn" key={i} id={`turn-${String(i)}`}>
          <div>
            <Turn turn={turn} number={i + 1} />
            <a
              class="takeover"
              href={href(['play'], { task: episode.task, from: actionsUpTo(episode, i), set: settingsOf(episode) })}
            >
              {t('Take over from here')}
            </a>
          </div>
          <Picture environment={environment} state={turn.state} />
        </li>
      ))}
      <li class="turn muted">{endedText(episode.ended, t)}</li>
    </ol>
  );
}

function endedText(ended: Ended, t: (phrase: Phrase) => string): string {
  switch (ended.kind) {
    case 'finished':
      return `${t(ended.success ? 'finished, solved' : 'finished, not solved')}, ${t('reward')} ${short(ended.reward)}`;
    case 'truncated':
      return `${t(`stopped at the limit of ${ended.limit}`)}, ${t('reward')} ${short(ended.reward)}`;
    case 'failed':
      return `${t(failures[ended.by])}: ${ended.message} [${ended.code}]`;
  }
}

const failures = {
  environment: 'failed in the environment',
  policy: 'failed in the policy',
  reward: 'failed in the reward',
  deadline: 'failed: its time was over',
  cancelled: 'failed: it was cancelled',
} as const satisfies Readonly<Record<string, Phrase>>;

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
      <RewardLine reward={turn.reward} breakdown={turn.breakdown} />
    </>
  );
}

export interface RewardLineProps {
  readonly reward: number;
  /** What the environment made it of (WebShop: type, attributes, options, price). */
  readonly breakdown?: Readonly<Record<string, number>> | undefined;
}

/** What a turn earned; nothing where it earned nothing. */
export function RewardLine({ reward, breakdown }: RewardLineProps) {
  const t = usePhrases();
  if (reward === 0 && breakdown === undefined) return null;
  return (
    <div class="earned">
      <strong class="reward">
        {t('Reward')} {short(reward)}
      </strong>
      {breakdown && (
        <dl class="breakdown" aria-label={t('Parts of the reward')}>
          {Object.entries(breakdown).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{short(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

const longText = 4000;

export function Said({ what, kind, text }: { readonly what: string; readonly kind: string; readonly text: string }) {
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

/** Settings of the world that was played in, for taking over; undefined where it is the usual one. */
function settingsOf({ settings = {} }: EpisodeView): string | undefined {
  return Object.keys(settings).length > 0 ? JSON.stringify(settings) : undefined;
}

/** The actions up to and with a turn, for taking over: one per line, as the play page reads them. */
function actionsUpTo(episode: EpisodeView, turn: number): string {
  return JSON.stringify(episode.turnsTaken.slice(0, turn + 1).flatMap(({ action }) => (action === null ? [] : [action])));
}
