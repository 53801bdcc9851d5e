/** Tasks against policies or steps: green where solved, red where not, between for several samples; a click opens the episode. */
import type { TaskCell, TaskMatrix } from '../../../src/dashboard/model.ts';
import { usePhrases } from '../language.ts';
import { href } from '../route.ts';
import type { Source } from '../source.ts';
import { Show, useLoaded } from '../components/loaded.tsx';
import { saysMore } from '../pages/episodes.tsx';
import { percent } from '../components/numbers.ts';

export interface HeatMapProps {
  readonly source: Source;
  readonly id: string;
  readonly panel: string;
  readonly changes: number;
}

export function HeatMap({ source, id, panel, changes }: HeatMapProps) {
  const t = usePhrases();
  const tasks = useLoaded(() => source.tasks(id, panel), [id, panel, changes]);
  return (
    <Show of={tasks}>
      {(matrix) =>
        matrix.rows.length === 0 ? (
          <p class="muted">{t('No episode of this evaluation is kept.')}</p>
        ) : (
          <Map id={id} panel={panel} matrix={matrix} />
        )
      }
    </Show>
  );
}

function Map({ id, panel, matrix }: { readonly id: string; readonly panel: string; readonly matrix: TaskMatrix }) {
  const t = usePhrases();
  const { columns, rows, left } = matrix;
  const categories = rows.some(saysMore);
  const names = columns.map(({ policy, step }) => policy ?? `${t('step')} ${String(step)}`);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={`${t('Tasks')}: ${panel}`}>
      <table class="heat">
        <thead>
          <tr>
            <th scope="col">{t('Task')}</th>
            {names.map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
            {categories && <th scope="col">{t('Category')}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ task, category, cells }) => (
            <tr key={task}>
              <th scope="row">{task.slice(task.indexOf('#'))}</th>
              {cells.map((cell, i) => (
                <td key={names[i]}>
                  {cell && (
                    <a
                      href={href(['run', id, 'episode', cell.place])}
                      style={`--share: ${(100 * cell.success).toFixed(0)}%`}
                      aria-label={`${signOf(cell)} ${task} ${names[i] ?? ''}: ${percent(cell.success)} (n = ${String(cell.n)})`}
                      title={`${percent(cell.success)} (n = ${String(cell.n)})`}
                    >
                      {signOf(cell)}
                    </a>
                  )}
                </td>
              ))}
              {categories && <td class="muted">{category}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && <p class="muted">+{left}</p>}
    </div>
  );
}

function signOf({ n, success }: TaskCell): string {
  if (n > 1) return `${String(Math.round(success * n))}/${String(n)}`;
  return success === 1 ? '✓' : '·';
}
