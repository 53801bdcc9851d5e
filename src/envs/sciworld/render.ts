/** Draws a state as an SVG picture: the house as a plan, open and closed doors, the agent, and what is hot, on or growing. */
import type { SciWorldState, ThingState } from './state.ts';
import { isCold, isHot, label } from './words-of-state.ts';

/** Columns and rows of the plan. */
const PLAN: Readonly<Record<string, readonly [number, number]>> = {
  'art studio': [0, 0],
  greenhouse: [1, 0],
  outside: [2, 0],
  foundry: [3, 0],
  'living room': [0, 1],
  hallway: [1, 1],
  kitchen: [2, 1],
  bathroom: [3, 1],
  bedroom: [0, 2],
  workshop: [1, 2],
};

const room = { width: 190, height: 118, gap: 26, lines: 7, letters: 32 };
const font = 'font-family="sans-serif"';
const width = 4 * (room.width + room.gap) + room.gap;

const left = (name: string): number => room.gap + (PLAN[name]?.[0] ?? 2) * (room.width + room.gap);
const top = (name: string): number => room.gap + (PLAN[name]?.[1] ?? 2) * (room.height + room.gap);

export function renderSvg(state: SciWorldState): string {
  const { doors, places, place, inventory, focus, score, moves } = state;
  const foot = 3 * (room.height + room.gap) + room.gap;
  const height = foot + 52;
  const carried = `carried: ${inventory.map(label).join('; ') || 'nothing'}`;
  const status = `score ${score}, ${moves} moves${focus === undefined ? '' : `, focus: ${focus}`}`;
  const shapes = [
    ...doors.map(doorLine),
    ...places.map((shown) => roomBox(shown, shown.name === place)),
    text(room.gap, foot + 14, short(carried, 130), '#edeef0', 13),
    text(room.gap, foot + 34, short(status, 130), '#f5d90a', 13),
  ];
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const alt = escaped(`in the ${place}; ${status}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${alt}"><rect width="100%" height="100%" fill="#111113"/>${shapes.join('')}</svg>`;
}

function doorLine({ from, to, open }: SciWorldState['doors'][number]): string {
  const [x1, y1] = [left(from) + room.width / 2, top(from) + room.height / 2];
  const [x2, y2] = [left(to) + room.width / 2, top(to) + room.height / 2];
  const look = open ? 'stroke="#30a46c" stroke-width="6"' : 'stroke="#5a6169" stroke-width="3" stroke-dasharray="4 5"';
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" ${look}/>`;
}

function roomBox({ name, things }: SciWorldState['places'][number], isHere: boolean): string {
  const [x, y] = [left(name), top(name)];
  const border = isHere ? '#f5d90a' : '#5a6169';
  const shown = things.slice(0, room.lines);
  const more = things.length - shown.length;
  return [
    `<rect x="${x}" y="${y}" width="${room.width}" height="${room.height}" rx="6" fill="#1c1d20" stroke="${border}" stroke-width="2"/>`,
    text(x + 8, y + 16, `${isHere ? '● ' : ''}${name}`, isHere ? '#f5d90a' : '#edeef0', 12),
    ...shown.map((thing, i) => text(x + 8, y + 31 + i * 12, short(label(thing), room.letters), colorOf(thing), 10)),
    ...(more > 0 ? [text(x + room.width - 50, y + 16, `+${more} more`, '#8b8d98', 10)] : []),
  ].join('');
}

function colorOf(thing: ThingState): string {
  if (isHot(thing)) return '#ff9592';
  if (isCold(thing)) return '#70b8ff';
  if (thing.on === true) return '#f5d90a';
  return thing.stage === undefined ? '#b0b4ba' : '#3dd68c';
}

function text(x: number, y: number, words: string, fill: string, size: number): string {
  return `<text x="${x}" y="${y}" ${font} font-size="${size}" fill="${fill}">${escaped(words)}</text>`;
}

function short(words: string, letters: number): string {
  return words.length <= letters ? words : `${words.slice(0, letters - 1)}…`;
}

function escaped(words: string): string {
  return words.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? c);
}
