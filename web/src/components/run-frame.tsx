/** What every page of a run has above its content: the run's name and status, its sections, and what could not be read. */
import type { ComponentChildren } from 'preact';
import type { NamedShare, RunDetail } from '../../../src/dashboard/model.ts';
import { asPhrase, usePhrases, type Phrase } from '../language.ts';
import { href } from '../route.ts';
import type { Source } from '../source.ts';
import { Show, useChanges, useLoaded } from './loaded.tsx';
import { Notes } from './notes.tsx';
import { duration, percent } from './numbers.ts';
import { Reason } from './reason.tsx';
import { nameOf, RunTitle } from './run-name.tsx';
import { ShareText } from './share.tsx';
import { Diagnoses } from './diagnosis.tsx';
import { Warnings } from './warnings.tsx';

const sections: readonly (readonly [string | undefined, Phrase])[] = [
  [undefined, 'Overview'],
  ['episodes', 'Episodes'],
  ['groups', 'Groups'],
  ['evaluations', 'Evaluations'],
  ['recipe', 'Recipe'],
  ['log', 'Log'],
];

/** An evaluation of its own has one page of scores and no recipe. */
const trainingOnly: ReadonlySet<string | undefined> = new Set(['evaluations', 'recipe']);
/** A reward model plays nothing. */
const playedOnly: ReadonlySet<string | undefined> = new Set(['episodes', 'groups', 'evaluations']);

function has(kind: RunDetail['kind'], section: string | undefined): boolean {
  if (kind === 'eval') return !trainingOnly.has(section);
  return kind !== 'reward' || !playedOnly.has(section);
}

export interface RunFrameProps {
  readonly source: Source;
  readonly id: string;
  readonly section?: string;
  readonly children: (run: RunDetail, changes: number) => ComponentChildren;
}

export function RunFrame({ source, id, section, children }: RunFrameProps) {
  const t = usePhrases();
  const changes = useChanges((changed) => source.follow(id, changed), [id]);
  const run = useLoaded(() => source.run(id), [id, changes]);
  const marked = (name: string | undefined, kind: RunDetail['kind']): boolean =>
    name === (kind === 'eval' && trainingOnly.has(section) ? undefined : section);
  return (
    <Show of={run}>
      {(detail) => (
        <>
          <RunHead run={detail} source={source} />
          <nav class="tabs" aria-label={id}>
            {sections
              .filter(([name]) => has(detail.kind, name))
              .map(([name, phrase]) => (
                <a
                  key={phrase}
                  href={href(name === undefined ? ['run', id] : ['run', id, name])}
                  aria-current={marked(name, detail.kind) ? 'page' : undefined}
                >
                  {t(phrase)}
                </a>
              ))}
          </nav>
          {detail.problems.length > 0 && (
            <div class="problems" role="status">
              <strong>{t('Some of this run could not be read:')}</strong>
              <ul>
                {detail.problems.map((problem) => (
                  <li key={problem}>{problem}</li>
                ))}
              </ul>
            </div>
          )}
          {children(detail, changes)}
        </>
      )}
    </Show>
  );
}

/** How the run stands: what it is, how far it is, what it has gained, and what a person should know. */
function RunHead({ run, source }: { readonly run: RunDetail; readonly source: Source }) {
  const t = usePhrases();
  const [first] = run.scores;
  const last = run.scores.at(-1);
  const started = isStart(run.scores);
  const best = run.scores.reduce((one, other) => (other.success > one.success ? other : one), first ?? none);
  return (
    <>
      <div class="run-head">
        <h1>{nameOf(run)}</h1>
        {nameOf(run) !== run.id && <code class="muted">{run.id}</code>}
        <Status status={run.status} warnings={run.warnings.length + run.diagnosis.length} />
        <span class="muted">
          <RunTitle run={run} />
        </span>
      </div>
      {run.kind !== 'eval' && (
        <p class="standing">
          {run.step !== undefined && (
            <span>
              {t('Step')} {run.step}
              {run.steps !== undefined && ` / ${String(run.steps)}`}
            </span>
          )}
          {run.status === 'running' && run.steps !== undefined && (
            <progress max={run.steps} value={run.step ?? 0} aria-label={t('Progress')} />
          )}
          {run.secondsLeft !== undefined && (
            <span>
              {t('left')}: {duration(run.secondsLeft)}
            </span>
          )}
          {first && last && (
            <span>
              {first.panel}: {started && <ShareText share={first} />}
              {started && ' → '}
              <ShareText share={last} />
            </span>
          )}
          {best.step !== undefined && (
            <span class="muted">
              {t('best')}: {percent(best.success)} {best.step === 0 ? t('before training') : `${t('step')} ${String(best.step)}`}
            </span>
          )}
        </p>
      )}
      <Reason run={run} />
      <Diagnoses run={run} />
      <Warnings warnings={run.warnings} />
      <Notes run={run} source={source} />
    </>
  );
}

/** Is the first of them what was measured before training? A demo is evaluated before and after, without steps. */
export function isStart(scores: readonly NamedShare[]): boolean {
  return scores.length > 1 && (scores[0]?.step ?? 0) === 0;
}

const none: NamedShare = { panel: '', policy: '', n: 0, success: NaN, low: NaN, high: NaN };

/** A run that ended with something to know about it is not plainly green. */
export function Status({ status, warnings = 0 }: { readonly status: string; readonly warnings?: number }) {
  const t = usePhrases();
  const phrase = asPhrase(status);
  const doubtful = warnings > 0 && status === 'finished';
  return (
    <span class={`status ${status}${doubtful ? ' doubtful' : ''}`}>
      {phrase ? t(phrase) : status}
      {warnings > 0 && ' !'}
    </span>
  );
}
