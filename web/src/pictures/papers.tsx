/** Papers and authors: who stands beside whom as a small graph, one paper or author as a card. */
import { visible } from '../components/visible.ts';
import { Facts, isFields, isList, ToolFrame, wordsOf, type Drawn } from './tool-frame.tsx';

/** Neighbours that are drawn; the rest is counted. */
const most = 12;
const width = 340;
const line = 22;

export function PapersPicture({ state }: Drawn) {
  return (
    <ToolFrame
      state={state}
      draw={({ found }) => {
        if (!found) return null;
        const node = isFields(found.input) ? found.input['node'] : undefined;
        if (isList(found.result) && node !== undefined) return <Star centre={wordsOf(node)} around={found.result.map(wordsOf)} />;
        return <Facts value={found.result} />;
      }}
    />
  );
}

function Star({ centre, around }: { readonly centre: string; readonly around: readonly string[] }) {
  const shown = around.slice(0, most);
  const height = Math.max(2, shown.length + (around.length > most ? 1 : 0)) * line;
  const middle = height / 2;
  return (
    <svg
      class="star"
      viewBox={`-30 0 ${String(width + 30)} ${String(height)}`}
      role="img"
      aria-label={`${centre}: ${shown.join(', ')}`}
    >
      {shown.map((name, i) => {
        const y = i * line + line / 2;
        return (
          <g key={i}>
            <path d={`M 118 ${String(middle)} C 145 ${String(middle)}, 145 ${String(y)}, 168 ${String(y)}`} />
            <circle cx="172" cy={y} r="4" />
            <text x="182" y={y + 4}>
              {cut(name, 26)}
            </text>
          </g>
        );
      })}
      {around.length > most && (
        <text x="182" y={height - 7}>
          … {around.length}
        </text>
      )}
      <circle class="centre" cx="114" cy={middle} r="6" />
      <text class="centre" x="102" y={middle + 4} text-anchor="end">
        {cut(centre, 16)}
      </text>
    </svg>
  );
}

function cut(text: string, most: number): string {
  const characters = [...visible(text)];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('');
}
