/** The newest episode of a running run or evaluation as it is being played, token by token; asked for only while somebody looks. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { LiveEpisode } from '../../../src/dashboard/model.ts';
import { usePhrases, type Phrase } from '../language.ts';
import type { Source } from '../source.ts';
import { Said } from './conversation.tsx';
import { visible } from './visible.ts';

/** Milliseconds between two questions. */
const pace = 400;

interface LiveProps {
  readonly source: Source;
  readonly id: string;
  /** It plays only now and then. */
  readonly seldom: boolean;
}

export function LiveLook({ source, id, seldom }: LiveProps) {
  const t = usePhrases();
  const waiting: Phrase = seldom
    ? 'Waiting for the next evaluation: between them nothing is played …'
    : 'Waiting for the next episode …';
  const [watching, setWatching] = useState(false);
  const episode = useLive(source, id, watching);
  return (
    <section class="live">
      <button type="button" aria-pressed={watching} onClick={() => setWatching(!watching)}>
        {watching ? t('Stop watching') : `▶ ${t('Watch it play')}`}
      </button>
      {watching && (episode ? <Playing episode={episode} /> : <p class="muted">{t(waiting)}</p>)}
    </section>
  );
}

function useLive(source: Source, id: string, watching: boolean): LiveEpisode | undefined {
  const [episode, setEpisode] = useState<LiveEpisode>();
  useEffect(() => {
    if (!watching) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let current = true;
    const ask = async (): Promise<void> => {
      const now = await source.playing?.(id).catch(() => undefined);
      if (!current) return;
      if (now) setEpisode(now);
      timer = setTimeout(() => void ask(), pace);
    };
    void ask();
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [source, id, watching]);
  return episode;
}

function Playing({ episode }: { readonly episode: LiveEpisode }) {
  const t = usePhrases();
  const { number, task, said, reply, whole } = episode;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [episode]);
  return (
    <div class="playing" ref={box} tabIndex={0} role="region" aria-label={t('Watch it play')}>
      <p class="muted">
        #{number} {task}
      </p>
      {said.map(({ role, text }, i) => (
        <Said
          key={i}
          what={t(role === 'assistant' ? 'Reply' : role === 'user' ? 'Observation' : 'Prompt')}
          kind={role === 'assistant' ? 'action' : 'observation'}
          text={text}
        />
      ))}
      <div class="said action">
        <span class="who">{t('Reply')}</span>
        <pre data-whole={whole}>
          {reply.map((token, i) => (
            <span key={i} class="live-token">
              {visible(token)}
            </span>
          ))}
          {!whole && <span class="caret" aria-hidden="true" />}
        </pre>
      </div>
    </div>
  );
}
