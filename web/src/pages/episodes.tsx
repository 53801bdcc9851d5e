/** The list of a run's episodes with its filter; the filter is in the address, so a filtered list can be shared. */
import type { EpisodeQuery, EpisodeSummary } from '../../../src/dashboard/model.ts';
import { asPhrase, usePhrases } from '../language.ts';
import { Breakable } from '../components/breakable.tsx';
import { Show, useLoaded } from '../components/loaded.tsx';
import { short } from '../components/numbers.ts';
import { RunFrame } from '../components/run-frame.tsx';
import { go, href } from '../route.ts';
import type { Source } from '../source.ts';
import { EpisodeFilter, outcomes } from './episode-filter.tsx';

const pageSize = 100;

export function queryOf(search: URLSearchParams): EpisodeQuery {
  const number = (key: string): number | undefined => (search.get(key) ? Number(search.get(key)) : undefined);
  const text = (key: string): string | undefined => search.get(key) ?? undefined;
  const query = {
    purpose: (['train', 'eval'] as const).find((purpose) => purpose === search.get('purpose')),
    step: number('step'),
    task: text('task'),
    category: text('category'),
    outcome: outcomes.find((outcome) => outcome === search.get('outcome')),
    policy: text('policy'),
    minReward: number('minReward'),
    text: text('text'),
    offset: number('offset'),
    limit: pageSize,
  };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}

export interface EpisodesPageProps {
  readonly source: Source;
  readonly id: string;
  readonly query: URLSearchParams;
}

export function EpisodesPage({ source, id, query }: EpisodesPageProps) {
  return (
    <RunFrame source={source} id={id} section="episodes">
      {(run, changes) => <List source={source} id={id} query={query} steps={run.episodeSteps} changes={changes} />}
    </RunFrame>
  );
}

function List({
  source,
  id,
  query,
  steps,
  changes,
}: EpisodesPageProps & { readonly steps: readonly number[]; readonly changes: number }) {
  const t = usePhrases();
  const asked = queryOf(query);
  const page = useLoaded(() => source.episodes(id, asked), [id, query.toString(), changes]);
  const categories = page !== undefined && 'value' in page ? page.value.categories : [];
  const set = (change: Readonly<Record<string, string>>): void =>
    go(['run', id, 'episodes'], { ...Object.fromEntries(query), offset: undefined, ...change });
  return (
    <>
      <EpisodeFilter query={query} steps={steps} categories={categories} set={set} />
      <Show of={page}>
        {({ total, partial, rows }) =>
          rows.length === 0 ? (
            <p class="empty">{t('No episode matches. Loosen the filter.')}</p>
          ) : (
            <>
              <EpisodeTable id={id} rows={rows} query={query} />
              <Pager id={id} query={query} total={total} partial={partial} offset={asked.offset ?? 0} shown={rows.length} />
            </>
          )
        }
      </Show>
    </>
  );
}

export function EpisodeTable({
  id,
  rows,
  query,
}: {
  readonly id: string;
  readonly rows: readonly EpisodeSummary[];
  readonly query?: URLSearchParams;
}) {
  const t = usePhrases();
  const categories = rows.some(saysMore);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={t('Episodes')}>
      <table class="list cards narrow">
        <thead>
          <tr>
            <th scope="col">{t('Task')}</th>
            <th scope="col">{t('Step')}</th>
            {categories && <th scope="col">{t('Category')}</th>}
            <th scope="col">{t('Outcome')}</th>
            <th scope="col">{t('Reward')}</th>
            <th scope="col">{t('Turns')}</th>
            <th scope="col">{t('Tokens')}</th>
            <th scope="col">{t('Policy')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.place}>
              <td class="first">
                <a href={href(['run', id, 'episode', row.place], query ? Object.fromEntries(query) : {})}>
                  <Breakable text={row.task} />{' '}
                  <span class="muted" title={`${t('Sample')} ${String(row.sample)}`}>
                    ·{row.sample}
                  </span>
                </a>
              </td>
              <td class="number" data-label={t('Step')}>
                {row.step}
                {row.purpose === 'eval' && <span class="muted"> {t('evaluation')}</span>}
              </td>
              {categories && <td>{row.category}</td>}
              <td>
                <OutcomeWord outcome={row.outcome} />
              </td>
              <td class="number" data-label={t('Reward')}>
                {short(row.reward)}
              </td>
              <td class="number" data-label={t('Turns')}>
                {row.turns}
              </td>
              <td class="number" data-label={t('Tokens')}>
                {row.tokens}
              </td>
              <td class="muted">{row.policy}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A category that is the split's own name tells nothing that the task does not. */
export function saysMore({ task, category }: Pick<EpisodeSummary, 'task' | 'category'>): boolean {
  return category !== '' && category !== task.slice(task.lastIndexOf('/') + 1, task.lastIndexOf('#'));
}

export function OutcomeWord({ outcome }: { readonly outcome: string }) {
  const t = usePhrases();
  const phrase = asPhrase(outcome);
  return <span class={`outcome ${outcome}`}>{phrase ? t(phrase) : outcome}</span>;
}

interface PagerProps {
  readonly id: string;
  readonly query: URLSearchParams;
  readonly total: number;
  readonly partial: boolean;
  readonly offset: number;
  readonly shown: number;
}

function Pager({ id, query, total, partial, offset, shown }: PagerProps) {
  const t = usePhrases();
  const to = (start: number): string =>
    href(['run', id, 'episodes'], { ...Object.fromEntries(query), offset: start || undefined });
  return (
    <p class="pager">
      {offset > 0 && <a href={to(Math.max(0, offset - pageSize))}>←</a>} {offset + 1}–{offset + shown} / {total} {t('episodes')}
      {partial && <span class="muted"> ({t('more than was searched')})</span>}{' '}
      {offset + shown < total && <a href={to(offset + pageSize)}>→</a>}
    </p>
  );
}
