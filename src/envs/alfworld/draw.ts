/** Draws a state for the terminal: the furniture that was visited with what lies in it; looked up by `agoge play`. */
import { isAlfWorldState } from './state.ts';

/** Lines of text, the last without a line break; a state of another environment gives an empty string. */
export function drawState(state: unknown, { colour = false }: { colour?: boolean } = {}): string {
  if (!isAlfWorldState(state)) return '';
  const { task, holding, here, furniture, known } = state;
  const paint = (text: string, code: number): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const visited = furniture.filter((name) => Object.hasOwn(known, name));
  const width = Math.max(0, ...visited.map((name) => name.length));
  const lines = visited.map((name) => {
    const { open, contents } = known[name] ?? {};
    const inside =
      contents === undefined ? paint('closed', 90) : contents.length === 0 ? paint('empty', 90) : contents.join(', ');
    const sign = here.includes(name) ? paint('▶', 91) : ' ';
    return `${sign} ${paint(name.padEnd(width), 1)}  ${open === true && contents ? '(open) ' : ''}${inside}`;
  });
  const rest = furniture.length - visited.length;
  if (rest > 0) lines.push(paint(`  ${rest} more ${rest === 1 ? 'piece' : 'pieces'} of furniture not visited`, 90));
  const hand = holding === null ? '' : `; in hand: ${paint(holding, 93)}`;
  return [...lines, `${task}${hand}`].join('\n');
}
