/** Draws a state for the terminal: rooms and doors around the agent, what is there, and how far the task is. */
import type { SciWorldState } from './state.ts';
import { isSciWorldState } from './state.ts';
import { label } from './words-of-state.ts';

/** Lines of text, the last without a line break; a state of another environment gives an empty string. */
export function drawState(state: unknown, { colour = false }: { colour?: boolean } = {}): string {
  if (!isSciWorldState(state)) return '';
  const bold = (text: string): string => (colour ? `\u001b[1m${text}\u001b[0m` : text);
  const { place, places, inventory, focus, score, moves, goals } = state;
  const things = places.find(({ name }) => name === place)?.things ?? [];
  const elsewhere = places.filter(({ name, things: there }) => name !== place && there.length > 0);
  const met = goals.filter((goal) => goal.met).length;
  return [
    `${bold(place)}  →  ${doorsOf(state).join(', ')}`,
    ...things.map((thing) => `  ${label(thing)}`),
    ...elsewhere.map(({ name, things: there }) => `${name}: ${there.map(label).join('; ')}`),
    `carried: ${inventory.map(label).join('; ') || 'nothing'}${focus === undefined ? '' : `; focus: ${focus}`}`,
    `score ${score}, ${moves} moves, ${met} of ${goals.length} goals`,
  ].join('\n');
}

function doorsOf({ place, doors }: SciWorldState): readonly string[] {
  return doors
    .filter(({ from, to }) => from === place || to === place)
    .map(({ from, to, open }) => `${from === place ? to : from}${open ? '' : ' (closed)'}`);
}
