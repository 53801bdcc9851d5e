/** The list of runs below the folder that is shown. */
import { usePhrases } from '../language.ts';
import { Show, useChanges, useLoaded } from '../parts/loaded.tsx';
import { percent, when } from '../parts/numbers.ts';
import { Status } from '../parts/run-frame.tsx';
import { Sparkline } from '../parts/sparkline.tsx';
import { href } from '../route.ts';
import type { Source } from '../source.ts';

export function RunsPage({ source }: { readonly source: Source }) {
  const t = usePhrases();
  const changes = useChanges((changed) => source.follow(undefined, changed), []);
  const runs = useLoaded(() => source.runs(), [changes]);
  return (
    <>
      <h1>{t('Runs')}</h1>
      <Show of={runs}>
        {(list) =>
          list.length === 0 ? (
            <p class="empty">{t('No runs here yet. Start one with `agoge demo`.')}</p>
          ) : (
            <div class="scroll" tabIndex={0} role="region" aria-label={t('Runs')}>
              <table class="list cards">
                <thead>
                  <tr>
                    <th scope="col">{t('Run')}</th>
                    <th scope="col">{t('Status')}</th>
                    <th scope="col">{t('Recipe')}</th>
                    <th scope="col">{t('Step')}</th>
                    <th scope="col">{t('Success')}</th>
                    <th scope="col">{t('Trend')}</th>
                    <th scope="col">{t('Updated')}</th>
                  </tr>
                </thead>
                <tbody>
                  {list.map((run) => (
                    <tr key={run.id}>
                      <td class="first">
                        <a href={href(['run', run.id])}>{run.id}</a>
                      </td>
                      <td>
                        <Status status={run.status} />
                      </td>
                      <td class="muted">{run.recipe}</td>
                      <td class="number" data-label={t('Step')}>
                        {run.step ?? '–'}
                        {run.steps !== undefined && <span class="muted"> / {run.steps}</span>}
                      </td>
                      <td class="number" data-label={t('Success')}>
                        {percent(run.success)}
                      </td>
                      <td>
                        <Sparkline values={run.sparkline} label={`${t('Trend')}: ${run.id}`} />
                      </td>
                      <td class="muted number">{when(run.updatedAt)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Show>
    </>
  );
}
