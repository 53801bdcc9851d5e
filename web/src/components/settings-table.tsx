/** Where recipes differ: the keys that all of them have first; those that only some have (imitation against RL) behind a click. */
import type { RunComparison } from '../../../src/dashboard/together-model.ts';
import { usePhrases } from '../language.ts';
import { csv, download } from '../charts/chart-file.ts';
import { colourOf } from '../charts/lines.ts';
import { Cut } from './cut.tsx';
import { nameOf } from './run-name.tsx';

type Settings = Pick<RunComparison, 'runs' | 'settings' | 'recipes'>;

export function SettingsTable({ runs, settings, recipes }: Settings) {
  const t = usePhrases();
  if (recipes < 2) return null;
  if (settings.length === 0) return <p class="muted">{t('The recipes are equal.')}</p>;
  // A run without a recipe has no column.
  const shown = runs.flatMap((run, i) => (run.kind === 'eval' ? [] : [{ run, i }]));
  const shared = settings.filter(({ values }) => shown.every(({ i }) => values[i] !== null));
  const some = settings.filter((setting) => !shared.includes(setting));
  const save = (): void =>
    download(
      'settings.csv',
      csv([
        ['key', ...shown.map(({ run }) => run.id)],
        ...settings.map(({ key, values }) => [key, ...shown.map(({ i }) => values[i] ?? '')]),
      ]),
      'text/csv',
    );
  return (
    <section>
      <h2>
        {t('Where the recipes differ')}{' '}
        <button type="button" onClick={save}>
          CSV
        </button>
      </h2>
      {shared.length > 0 && <Rows shown={shown} settings={shared} title={t('Where the recipes differ')} />}
      {some.length > 0 && (
        <details open={shared.length === 0 && some.length < 12}>
          <summary>
            {t('Keys that only some of the recipes have')} ({some.length})
          </summary>
          <Rows shown={shown} settings={some} title={t('Keys that only some of the recipes have')} />
        </details>
      )}
    </section>
  );
}

interface RowsProps extends Pick<Settings, 'settings'> {
  readonly shown: readonly { readonly run: Settings['runs'][number]; readonly i: number }[];
  readonly title: string;
}

function Rows({ shown, settings, title }: RowsProps) {
  const t = usePhrases();
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={title}>
      <table class="list settings">
        <thead>
          <tr>
            <th scope="col">{t('Key')}</th>
            {shown.map(({ run, i }) => (
              <th scope="col" key={run.id}>
                <span class="swatch" style={`background: ${colourOf(i)}`} />
                <Cut text={nameOf(run)} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {settings.map(({ key, values }) => (
            <tr key={key}>
              <th scope="row">
                <code>{key}</code>
              </th>
              {shown.map(({ run, i }) => (
                <td key={run.id}>{values[i] == null ? <span class="muted">–</span> : <code>{values[i]}</code>}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
