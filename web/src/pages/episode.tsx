/** One episode: as a conversation or as tokens, with its group, the same task elsewhere, and another one beside it. */
import { useEffect, useState } from 'preact/hooks';
import type { EpisodeSummary, EpisodeView } from '../../../src/dashboard/model.ts';
import { usePhrases } from '../language.ts';
import { Conversation } from '../components/conversation.tsx';
import { Show, useLoaded } from '../components/loaded.tsx';
import { short } from '../components/numbers.ts';
import { RunFrame } from '../components/run-frame.tsx';
import { Tokens } from '../components/tokens.tsx';
import { go, href } from '../route.ts';
import type { Source } from '../source.ts';
import { EpisodeTable, OutcomeWord, queryOf, saysMore } from './episodes.tsx';

export interface EpisodePageProps {
  readonly source: Source;
  readonly id: string;
  readonly place: string;
  readonly query: URLSearchParams;
}

export function EpisodePage(props: EpisodePageProps) {
  return (
    <RunFrame source={props.source} id={props.id} section="episodes">
      {() => <Shown {...props} />}
    </RunFrame>
  );
}

function Shown({ source, id, place, query }: EpisodePageProps) {
  const t = usePhrases();
  const beside = query.get('beside');
  const [tokens, setTokens] = useState(false);
  const episode = useLoaded(() => source.episode(id, place), [id, place]);
  const other = useLoaded(async () => (beside === null ? undefined : source.episode(id, beside)), [id, beside]);
  const { neighbours, move } = useNeighbours(source, id, place, query);
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    t: () => setTokens((shown) => !shown),
    g: () => document.getElementById('group')?.scrollIntoView({ behavior: 'smooth' }),
  });
  return (
    <>
      <p class="controls">
        {neighbours.before && <a href={neighbours.before}>← {t('Previous')}</a>}
        {neighbours.after && <a href={neighbours.after}>{t('Next')} →</a>}
        <button type="button" aria-pressed={tokens} onClick={() => setTokens(!tokens)}>
          {tokens ? t('Conversation') : t('Token view')}
        </button>
        {beside !== null && <a href={href(['run', id, 'episode', place], withoutBeside(query))}>{t('Close the comparison')}</a>}
        <span class="muted">{t('Keys: j next, k previous, g group, t tokens.')}</span>
      </p>
      <Show of={episode}>
        {(shown) => (
          <>
            <div class={beside === null ? 'columns one' : 'columns two'}>
              <Column episode={shown} tokens={tokens} />
              {beside !== null && <Show of={other}>{(second) => second && <Column episode={second} tokens={tokens} />}</Show>}
            </div>
            <Others source={source} id={id} episode={shown} query={query} />
          </>
        )}
      </Show>
    </>
  );
}

function Column({ episode, tokens }: { readonly episode: EpisodeView; readonly tokens: boolean }) {
  const t = usePhrases();
  return (
    <article class="episode">
      <h2>
        {episode.task} <OutcomeWord outcome={episode.outcome} />
      </h2>
      <p class="muted">
        {t('Step')} {episode.step} · {t('Sample')} {episode.sample} · {saysMore(episode) && `${episode.category} · `}
        {t('Reward')} {short(episode.reward)} · {episode.policy} · {episode.format}
      </p>
      {tokens ? <Tokens episode={episode} /> : <Conversation episode={episode} />}
    </article>
  );
}

function Others({
  source,
  id,
  episode,
  query,
}: {
  readonly source: Source;
  readonly id: string;
  readonly episode: EpisodeView;
  readonly query: URLSearchParams;
}) {
  const t = usePhrases();
  const all = useLoaded(() => source.episodes(id, { task: episode.task, limit: 200 }), [id, episode.task]);
  return (
    <Show of={all}>
      {({ rows }) => {
        const group = rows.filter((row) => together(row, episode) && row.place !== episode.place);
        const elsewhere = rows.filter((row) => !together(row, episode));
        return (
          <section id="group">
            <h2>{t('Rest of the group')}</h2>
            {group.length > 0 && (
              <p>
                <a href={href(['run', id, 'groups'], { step: episode.step, task: episode.task })}>{t('All samples together')}</a>
              </p>
            )}
            <BesideLinks id={id} episode={episode} rows={group} query={query} />
            {group.length > 0 && <EpisodeTable id={id} rows={group} />}
            <h2>{t('Same task elsewhere')}</h2>
            <BesideLinks id={id} episode={episode} rows={elsewhere} query={query} />
            {elsewhere.length > 0 && <EpisodeTable id={id} rows={elsewhere} />}
          </section>
        );
      }}
    </Show>
  );
}

interface BesideProps {
  readonly id: string;
  readonly episode: EpisodeView;
  readonly rows: readonly EpisodeSummary[];
  readonly query: URLSearchParams;
}

function BesideLinks({ id, episode, rows, query }: BesideProps) {
  const t = usePhrases();
  if (rows.length === 0) return <p class="muted">{t('There is none.')}</p>;
  return (
    <p class="controls">
      {t('Side by side')}:
      {rows.slice(0, 12).map((row) => (
        <a
          key={row.place}
          href={href(['run', id, 'episode', episode.place], { ...Object.fromEntries(query), beside: row.place })}
        >
          {t('step')} {row.step} · {t('sample')} {row.sample} {row.policy !== episode.policy && row.policy}{' '}
          <OutcomeWord outcome={row.outcome} />
        </a>
      ))}
    </p>
  );
}

/** Sampled together: one group of one step, or one evaluation. */
function together(a: EpisodeSummary, b: EpisodeSummary): boolean {
  return a.step === b.step && a.purpose === b.purpose;
}

/** The episodes before and after this one in the list it was opened from. */
function useNeighbours(source: Source, id: string, place: string, query: URLSearchParams) {
  const filter = queryOf(withoutBesideSearch(query));
  const list = useLoaded(() => source.episodes(id, filter), [id, query.toString()]);
  const rows = list !== undefined && 'value' in list ? list.value.rows : [];
  const index = rows.findIndex((one) => one.place === place);
  const at = (offset: number) => (index < 0 ? undefined : rows[index + offset]);
  const link = (offset: number): string | undefined => {
    const target = at(offset);
    return target && href(['run', id, 'episode', target.place], withoutBeside(query));
  };
  const move = (offset: number): void => {
    const target = at(offset);
    if (target) go(['run', id, 'episode', target.place], withoutBeside(query));
  };
  return { neighbours: { before: link(-1), after: link(1) }, move };
}

function withoutBeside(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...query].filter(([key]) => key !== 'beside'));
}

function withoutBesideSearch(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams(withoutBeside(query));
}

function useKeys(actions: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const typing =
        event.target instanceof HTMLInputElement ||
        event.target instanceof HTMLTextAreaElement ||
        event.target instanceof HTMLSelectElement;
      if (!typing && !event.ctrlKey && !event.metaKey && !event.altKey) actions[event.key]?.();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  });
}
