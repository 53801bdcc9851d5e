/** Draws a state for the terminal: two characters a cell, with colours where they are wanted; looked up by `agoge play`. */
import { isBabyAIState, restore } from './state.ts';
import type { Colour, Thing } from './world/things.ts';

const letters: Readonly<Record<Colour, string>> = { red: 'r', green: 'g', blue: 'b', purple: 'p', yellow: 'y', grey: 'w' };
const codes: Readonly<Record<Colour, number>> = { red: 91, green: 92, blue: 94, purple: 95, yellow: 93, grey: 37 };
const arrows = ['▶ ', '▼ ', '◀ ', '▲ '];

/** Lines of text, the last without a line break; a state of another environment gives an empty string. */
export function drawState(state: unknown, { colour = false }: { colour?: boolean } = {}): string {
  if (!isBabyAIState(state)) return '';
  const { grid, visible } = restore(state);
  const [agentX, agentY, direction] = state.agent;
  const lines: string[] = [];
  for (let y = 0; y < state.height; y++) {
    let line = '';
    for (let x = 0; x < state.width; x++) {
      const thing = grid.at(x, y);
      if (x === agentX && y === agentY) line += painted(arrows[direction] ?? '? ', colour ? 1 : 0);
      else if (thing) line += painted(sign(thing), colour && thing.kind !== 'wall' ? codes[thing.colour] : 0);
      else line += visible[y * state.width + x] === 1 ? '· ' : '  ';
    }
    lines.push(line.trimEnd());
  }
  const hand = state.carrying === null ? '' : `; in hand: ${state.carrying}`;
  return [...lines, `${state.mission}${hand}`, legend].join('\n');
}

const legend = 'first letter: r g b p y, w for grey; k key, o ball, □ box, + door, # locked door, / open door; · in sight';

function sign(thing: Thing): string {
  if (thing.kind === 'wall') return '██';
  const kind = { key: 'k', ball: 'o', box: '□', door: thing.state === 'open' ? '/' : thing.state === 'locked' ? '#' : '+' };
  return letters[thing.colour] + kind[thing.kind];
}

function painted(text: string, code: number): string {
  return code === 0 ? text : `\u001b[${code}m${text}\u001b[0m`;
}
