/** The list of runs below the folder that is shown: searched, sorted, put away, and chosen to be compared. */
import { useState } from 'preact/hooks';
import type { RunSummary } from '../../../src/dashboard/model.ts';
import { diagnosisInChinese, remediesInChinese } from '../chinese.ts';
import { useLanguage, usePhrases, type Phrase } from '../language.ts';
import { Show, useChanges, useLoaded } from '../components/loaded.tsx';
import { clock, day, percent } from '../components/numbers.ts';
import { Reason } from '../components/reason.tsx';
import { Status } from '../components/run-frame.tsx';
import { nameOf, RunName, RunTitle } from '../components/run-name.tsx';
import { ShareText } from '../components/share.tsx';
import { Sparkline } from '../charts/sparkline.tsx';
import { inWords } from '../components/warnings.tsx';
import { href } from '../route.ts';
import type { Source } from '../source.ts';

const columns = ['Run', 'Status', 'Recipe', 'Step', 'Success', 'Trend', 'Updated'] as const satisfies readonly Phrase[];
type Column = (typeof columns)[number];
const kinds = ['all', 'training', 'evaluation', 'archived'] as const;

interface Choice {
  readonly search: string;
  readonly kind: (typeof kinds)[number];
  readonly folder: string;
  readonly by: Column;
  readonly down: boolean;
}

/** Kept while the page is open, so that going back finds the list as it was left. */
let kept: Choice = { search: '', kind: 'all', folder: '', by: 'Updated', down: true };
const rowsAtFirst = 100;
/** Of an evaluation with many policies. */
const mostScores = 3;

export function RunsPage({ source }: { readonly source: Source }) {
  const t = usePhrases();
  const follows = useChanges((changed) => source.follow(undefined, changed), []);
  const [edits, setEdits] = useState(0);
  const runs = useLoaded(() => source.runs(), [follows, edits]);
  return (
    <>
      <h1>{t('Runs')}</h1>
      <Show of={runs}>
        {(list) =>
          list.length === 0 ? (
            <p class="empty">{t('No runs here yet. Start one with `agoge demo`.')}</p>
          ) : (
            <List source={source} runs={list} onEdit={() => setEdits((count) => count + 1)} />
          )
        }
      </Show>
    </>
  );
}

interface ListProps {
  readonly source: Source;
  readonly runs: readonly RunSummary[];
  readonly onEdit: () => void;
}

function List({ source, runs, onEdit }: ListProps) {
  const t = usePhrases();
  const [choice, setChoice] = useState(kept);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [most, setMost] = useState(rowsAtFirst);
  const choose = (change: Partial<Choice>): void => {
    kept = { ...choice, ...change };
    setChoice(kept);
  };
  const folders = [...new Set(runs.map(({ id }) => folderOf(id)))].sort();
  const shown = runs.filter((run) => fits(run, choice)).sort((a, b) => order(a, b, choice));
  const marked = shown.filter(({ id }) => selected.has(id));
  const mark = (ids: readonly string[], on: boolean): void =>
    setSelected(new Set(on ? [...selected, ...ids] : [...selected].filter((id) => !ids.includes(id))));
  return (
    <>
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
          {shown.length} / {runs.length}
        </span>
      </form>
      {marked.length > 0 && <Chosen source={source} runs={marked} onEdit={onEdit} onClear={() => setSelected(new Set())} />}
      {shown.length === 0 && <p class="empty">{t('No run matches. Loosen the search.')}</p>}
      {shown.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label={t('Runs')}>
          <table class="list cards runs">
            <thead>
              <tr>
                <th scope="col">
                  {source.live && (
                    <input
                      type="checkbox"
                      aria-label={t('Select all')}
                      checked={marked.length === shown.length}
                      onChange={(event) =>
                        mark(
                          shown.map(({ id }) => id),
                          event.currentTarget.checked,
                        )
                      }
                    />
                  )}
                </th>
                {columns.map((column) => (
                  <th
                    key={column}
                    scope="col"
                    aria-sort={choice.by === column ? (choice.down ? 'descending' : 'ascending') : undefined}
                  >
                    {column === 'Trend' ? (
                      t(column)
                    ) : (
                      <button
                        type="button"
                        class="plain"
                        onClick={() => choose({ by: column, down: choice.by === column ? !choice.down : column !== 'Run' })}
                      >
                        {t(column)}
                        {choice.by === column && (choice.down ? ' ↓' : ' ↑')}
                      </button>
                    )}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.slice(0, most).map((run) => (
                <Row
                  key={run.id}
                  run={run}
                  live={source.live}
                  marked={selected.has(run.id)}
                  onMark={(on) => mark([run.id], on)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {shown.length > most && (
        <button type="button" onClick={() => setMost(most + 400)}>
          {t('Show more')} ({shown.length - most})
        </button>
      )}
    </>
  );
}

interface RowProps {
  readonly run: RunSummary;
  readonly live: boolean;
  readonly marked: boolean;
  readonly onMark: (on: boolean) => void;
}

function Row({ run, live, marked, onMark }: RowProps) {
  const t = usePhrases();
  const chinese = useLanguage() === 'zh';
  return (
    <tr class={run.annotation?.archived === true ? 'archived' : ''}>
      <td class="mark">
        {live && (
          <input
            type="checkbox"
            aria-label={`${t('Select')} ${run.id}`}
            checked={marked}
            onChange={(event) => onMark(event.currentTarget.checked)}
          />
        )}
      </td>
      <td class="first">
        <a href={href(['run', run.id])}>
          <RunName run={run} />
        </a>
        {run.annotation?.tags.map((tag) => (
          <span class="tag" key={tag}>
            {tag}
          </span>
        ))}
        {run.annotation !== undefined && run.annotation.note !== '' && <div class="muted note">{run.annotation.note}</div>}
      </td>
      <td>
        <Status status={run.status} warnings={run.warnings.length + run.diagnosis.length} />
        <Reason run={run} />
        {run.diagnosis.map((found) => (
          <div class="why" key={found.kind} title={chinese ? remediesInChinese[found.kind] : found.remedy}>
            {chinese ? diagnosisInChinese(found) : found.says}
          </div>
        ))}
        {run.warnings.map((warning) => (
          <div class="why" key={inWords(warning, t)} title={inWords(warning, t)}>
            {inWords(warning, t)}
          </div>
        ))}
      </td>
      <td class="muted recipe">
        <RunTitle run={run} />
      </td>
      <td class={run.step === undefined ? 'number none' : 'number'} data-label={t('Step')}>
        {run.step ?? '–'}
        {run.steps !== undefined && <span class="muted"> / {run.steps}</span>}
      </td>
      <td class="number" data-label={t('Success')}>
        <Success run={run} />
      </td>
      <td class={run.sparkline.length < 2 ? 'none' : ''}>
        <Sparkline values={run.sparkline} label={`${t('Trend')}: ${run.id}`} />
      </td>
      <td class="muted when">
        <span>{day(run.updatedAt)}</span> <span>{clock(run.updatedAt)}</span>
      </td>
    </tr>
  );
}

/** Of a training the first and the last evaluation; of an evaluation its policies, the first of them. */
function Success({ run }: { readonly run: RunSummary }) {
  const t = usePhrases();
  const [first] = run.scores;
  const last = run.scores.at(-1);
  if (first === undefined || last === undefined)
    return (
      <>
        {percent(run.success)} {run.success !== undefined && <span class="muted">{t('training')}</span>}
      </>
    );
  if (run.kind !== 'eval')
    return (
      <>
        {first !== last && <span class="muted">{percent(first.success)} → </span>}
        <ShareText share={last} />
      </>
    );
  const rest = run.scores.length - mostScores;
  const several = new Set(run.scores.map(({ panel }) => panel)).size > 1;
  return (
    <>
      {run.scores.slice(0, mostScores).map((share) => (
        <div key={`${share.panel} ${share.policy}`}>
          <ShareText share={share} />
          {run.scores.length > 1 && (
            <span class="muted">
              {' '}
              {several && `${share.panel.split('/')[0] ?? ''} · `}
              {share.policy}
            </span>
          )}
        </div>
      ))}
      {rest > 0 && <span class="muted">+{rest}</span>}
    </>
  );
}

/** What can be done with the runs that are marked. */
function Chosen({ source, runs, onEdit, onClear }: ListProps & { readonly onClear: () => void }) {
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
      {problem !== '' && (
        <span class="why" role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}

function folderOf(id: string): string {
  return id.split('/').slice(0, -1).join('/');
}

function fits(run: RunSummary, { search, kind, folder }: Choice): boolean {
  const archived = run.annotation?.archived === true;
  const rightKind =
    kind === 'archived' ? archived : !archived && (kind === 'all' || (kind === 'evaluation') === (run.kind === 'eval'));
  const rightFolder = folder === '' || `${folderOf(run.id)}/`.startsWith(folder);
  if (!rightKind || !rightFolder) return false;
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return true;
  const { note = '', tags = [] } = run.annotation ?? {};
  const text = [nameOf(run), run.id, run.recipe, run.status, run.reason ?? '', note, ...tags].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}

const collator = new Intl.Collator('en', { numeric: true });

/** Runs without a value come last, whatever the direction. */
function order(a: RunSummary, b: RunSummary, { by, down }: Choice): number {
  const [first, second] = [valueOf(a, by), valueOf(b, by)];
  if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined);
  const sign = typeof first === 'number' ? first - Number(second) : collator.compare(first, String(second));
  return down ? -sign : sign;
}

function valueOf(run: RunSummary, by: Column): string | number | undefined {
  switch (by) {
    case 'Run':
      return nameOf(run);
    case 'Status':
      return run.status;
    case 'Recipe':
      return run.recipe;
    case 'Step':
      return run.step;
    case 'Success':
      return run.success;
    case 'Trend':
      return undefined;
    case 'Updated':
      return run.updatedAt;
  }
}
