/** What every page of a run has above its content: the run's name and status, its sections, and what could not be read. */
import type { ComponentChildren } from 'preact';
import type { RunDetail } from '../../../src/report/model.ts';
import { asPhrase, usePhrases, type Phrase } from '../language.ts';
import { href } from '../route.ts';
import type { Source } from '../source.ts';
import { Show, useChanges, useLoaded } from './loaded.tsx';

const sections: readonly (readonly [string | undefined, Phrase])[] = [
  [undefined, 'Overview'],
  ['episodes', 'Episodes'],
  ['evaluations', 'Evaluations'],
  ['recipe', 'Recipe'],
  ['log', 'Log'],
];

/** An evaluation of its own has one page of scores and no recipe. */
const trainingOnly: ReadonlySet<string | undefined> = new Set(['evaluations', 'recipe']);

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
          <div class="run-head">
            <h1>{detail.id}</h1>
            <Status status={detail.status} />
            <span class="muted">{detail.recipe}</span>
          </div>
          <nav class="tabs" aria-label={id}>
            {sections
              .filter(([name]) => detail.kind !== 'eval' || !trainingOnly.has(name))
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

export function Status({ status }: { readonly status: string }) {
  const t = usePhrases();
  const phrase = asPhrase(status);
  return <span class={`status ${status}`}>{phrase ? t(phrase) : status}</span>;
}
