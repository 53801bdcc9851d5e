/** SQLGym's database: its tables with their columns and links, the last statement, and the rows or the error that it gave. */
import type { SqlGymState } from '../../../src/envs/sqlgym/episodes.ts';
import { visible } from '../components/visible.ts';

export function DatabasePicture({ state }: { readonly state: unknown }) {
  const {
    database,
    tables = [],
    links = [],
    sql,
    columns = [],
    rows = [],
    count = 0,
    error,
    solved,
  } = state as Partial<SqlGymState>;
  if (typeof database !== 'string') return null;
  const target = new Map(links);
  return (
    <div class="picture database">
      <ul class="tables">
        {tables.map(({ name, columns: own }) => (
          <li key={name} class={sql !== undefined && new RegExp(`\\b${name}\\b`, 'i').test(sql) ? 'used' : ''}>
            <strong>{visible(name)}</strong>
            {own.map((column) => (
              <span key={column}>
                {visible(column)}
                {target.has(`${name}.${column}`) && <small> → {visible(target.get(`${name}.${column}`) ?? '')}</small>}
              </span>
            ))}
          </li>
        ))}
      </ul>
      {sql !== undefined && <pre>{visible(sql)}</pre>}
      {error !== undefined && <p class="bad">{visible(error)}</p>}
      {columns.length > 0 && (
        <table>
          <thead>
            <tr>
              {columns.map((column, i) => (
                <th key={i}>{visible(column)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, i) => (
              <tr key={i}>
                {row.map((cell, j) => (
                  <td key={j}>{visible(cell)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {count > rows.length && <p class="muted">… {count}</p>}
      {solved !== undefined && <p class={solved ? 'good' : 'bad'}>{solved ? '✓' : '✗'}</p>}
    </div>
  );
}
