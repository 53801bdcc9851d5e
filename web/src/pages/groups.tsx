/** The samples of a task together: what each did turn by turn, where they part, what that earned; over the steps of a run. */
import type { EpisodeSummary, EpisodeView } from '../../../src/dashboard/model.ts';
import { usePhrases } from '../language.ts';
import { Show, useLoaded } from '../components/loaded.tsx';
import { short } from '../components/numbers.ts';
import { RunFrame } from '../components/run-frame.tsx';
import { visible } from '../components/visible.ts';
import { go, href } from '../route.ts';
import type { Source } from '../source.ts';
import { OutcomeWord } from './episodes.tsx';

export interface GroupsPageProps {
  readonly source: Source;
  readonly id: string;
  readonly query: URLSearchParams;
}

/** Samples that are laid beside each other. */
const mostSamples = 16;

export function GroupsPage({ source, id, query }: GroupsPageProps) {
  const t = usePhrases();
  return (
    <RunFrame source={source} id={id} section="groups">
      {(run, changes) => {
        const step = Number(query.get('step') ?? run.episodeSteps.at(-1) ?? 0);
        const task = query.get('task');
        return (
          <>
            <label class="controls">
              {t('Step')}
              <select
                value={step}
                onChange={(event) => go(['run', id, 'groups'], { step: event.currentTarget.value, task: task ?? undefined })}
              >
                {run.episodeSteps.map((one) => (
                  <option key={one} value={one}>
                    {one}
                  </option>
                ))}
              </select>
            </label>
            {task === null ? (
              <Groups source={source} id={id} step={step} changes={changes} />
            ) : (
              <Group source={source} id={id} step={step} task={task} />
            )}
          </>
        );
      }}
    </RunFrame>
  );
}

interface GroupsProps {
  readonly source: Source;
  readonly id: string;
  readonly step: number;
  readonly changes: number;
}

function Groups({ source, id, step, changes }: GroupsProps) {
  const t = usePhrases();
  const page = useLoaded(() => source.episodes(id, { step, limit: 1000 }), [id, step, changes]);
  return (
    <Show of={page}>
      {({ rows }) => {
        // What a step learned from; tasks that were evaluated after it are no groups.
        const trained = rows.filter(({ purpose }) => purpose === 'train');
        const tasks = byTask(trained.length > 0 ? trained : rows);
        if (tasks.size === 0) return <p class="empty">{t('No episode matches. Loosen the filter.')}</p>;
        return (
          <div class="scroll" tabIndex={0} role="region" aria-label={t('Groups')}>
            <table class="list cards narrow">
              <thead>
                <tr>
                  <th scope="col">{t('Task')}</th>
                  <th scope="col">{t('Rewards')}</th>
                  <th scope="col">{t('Signal')}</th>
                  <th scope="col">{t('Category')}</th>
                </tr>
              </thead>
              <tbody>
                {[...tasks].map(([task, samples]) => (
                  <tr key={task}>
                    <td class="first">
                      <a href={href(['run', id, 'groups'], { step, task })}>{task}</a>
                    </td>
                    <td class="number">
                      {samples
                        .toSorted(bySample)
                        .map(({ reward }) => short(reward))
                        .join('  ')}
                    </td>
                    <td>
                      {new Set(samples.map(({ reward }) => reward)).size > 1 ? t('yes') : <span class="why">{t('no')}</span>}
                    </td>
                    <td class="muted">{samples[0]?.category}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        );
      }}
    </Show>
  );
}

interface GroupProps {
  readonly source: Source;
  readonly id: string;
  readonly step: number;
  readonly task: string;
}

function Group({ source, id, step, task }: GroupProps) {
  const t = usePhrases();
  const loaded = useLoaded(async () => {
    const { rows } = await source.episodes(id, { task, limit: 1000 });
    const mine = rows.filter((row) => row.step === step).toSorted(bySample);
    const chosen = mine.filter((row) => row.purpose === mine[0]?.purpose).slice(0, mostSamples);
    return { rows, samples: await Promise.all(chosen.map((row) => source.episode(id, row.place))) };
  }, [id, step, task]);
  return (
    <Show of={loaded}>
      {({ rows, samples }) => (
        <>
          <h2>{task}</h2>
          {rows.some((row) => row.step !== step) && (
            <p class="controls">
              {t('The same task at other steps')}:
              {[...new Set(rows.map((row) => row.step))].map((one) => (
                <a
                  key={one}
                  href={href(['run', id, 'groups'], { step: one, task })}
                  aria-current={one === step ? 'page' : undefined}
                >
                  {one} ({short(meanReward(rows.filter((row) => row.step === one)))})
                </a>
              ))}
            </p>
          )}
          {samples.length === 0 ? <p class="empty">{t('There is none.')}</p> : <Samples id={id} samples={samples} />}
        </>
      )}
    </Show>
  );
}

function Samples({ id, samples }: { readonly id: string; readonly samples: readonly EpisodeView[] }) {
  const t = usePhrases();
  const turns = Math.max(...samples.map(({ turnsTaken }) => turnsTaken.length));
  const actions = samples.map(({ turnsTaken }) => turnsTaken.map(({ action, reply }) => action ?? reply));
  const parting = partingTurn(actions);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={t('Samples')}>
      <table class="list samples">
        <thead>
          <tr>
            <th scope="col">{t('Turn')}</th>
            {samples.map((sample) => (
              <th scope="col" key={sample.place}>
                <a href={href(['run', id, 'episode', sample.place])}>
                  {t('Sample')} {sample.sample}
                  {sample.policy !== samples[0]?.policy && ` ${sample.policy}`}
                </a>{' '}
                <OutcomeWord outcome={sample.outcome} />
                <div>
                  {t('Reward')} {short(sample.reward)}
                  {sample.advantage !== undefined && ` · ${t('advantage')} ${short(sample.advantage)}`}
                </div>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: turns }, (_, turn) => (
            <tr key={turn} class={turn === parting ? 'parting' : ''}>
              <th scope="row">
                {turn + 1} {turn === parting && <span class="why">{t('here they part')}</span>}
              </th>
              {actions.map((taken, i) => (
                <td key={i} class={turn === parting && taken[turn] !== usual(actions, turn) ? 'other' : ''}>
                  {taken[turn] === undefined ? <span class="muted">–</span> : <code>{visible(taken[turn])}</code>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What most samples did in a turn; of equals the first. */
function usual(actions: readonly (readonly string[])[], turn: number): string | undefined {
  const counts = new Map<string | undefined, number>();
  for (const taken of actions) counts.set(taken[turn], (counts.get(taken[turn]) ?? 0) + 1);
  const none: readonly [string | undefined, number] = [undefined, 0];
  const [most] = [...counts].reduce<readonly [string | undefined, number]>(
    (first, one) => (one[1] > first[1] ? one : first),
    none,
  );
  return most;
}

/** The first turn that is not the same in all samples; -1 where all are equal. */
function partingTurn(actions: readonly (readonly string[])[]): number {
  const most = Math.max(...actions.map((taken) => taken.length));
  for (let turn = 0; turn < most; turn++) if (new Set(actions.map((taken) => taken[turn])).size > 1) return turn;
  return -1;
}

function byTask(rows: readonly EpisodeSummary[]): ReadonlyMap<string, readonly EpisodeSummary[]> {
  const tasks = new Map<string, EpisodeSummary[]>();
  for (const row of rows) tasks.set(row.task, [...(tasks.get(row.task) ?? []), row]);
  return tasks;
}

function bySample(a: EpisodeSummary, b: EpisodeSummary): number {
  return a.sample - b.sample;
}

function meanReward(rows: readonly EpisodeSummary[]): number {
  const rewards = rows.flatMap(({ reward }) => (reward === null ? [] : [reward]));
  return rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
}
