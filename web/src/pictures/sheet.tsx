/** The spreadsheet as it stands: letters above, numbers beside, the cell that was written last marked. */
import { isFields, isList, ToolFrame, wordsOf, type Drawn } from './tool-frame.tsx';

const most = 40;

export function SheetPicture({ state }: Drawn) {
  return (
    <ToolFrame
      state={state}
      draw={({ world, found }) => {
        if (!isFields(world) || !isList(world['rows'])) return null;
        const rows = world['rows'].filter(isList);
        const width = Math.max(1, ...rows.map(({ length }) => length));
        const input = found?.input;
        const written = isFields(input) ? wordsOf(input['result_position'] ?? input['position']) : '';
        return (
          <>
            <p>
              <strong>{wordsOf(world['name'])}</strong>
            </p>
            <table class="sheet">
              <thead>
                <tr>
                  <td />
                  {Array.from({ length: width }, (_, column) => (
                    <th key={column} scope="col">
                      {letter(column)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.slice(0, most).map((row, i) => (
                  <tr key={i}>
                    <th scope="row">{i + 1}</th>
                    {Array.from({ length: width }, (_, column) => (
                      <td key={column} class={`${letter(column)}${String(i + 1)}` === written ? 'written' : ''}>
                        {row[column] === undefined ? '' : wordsOf(row[column])}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
            {rows.length > most && <p class="muted">… {rows.length}</p>}
          </>
        );
      }}
    />
  );
}

function letter(column: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + column);
}
