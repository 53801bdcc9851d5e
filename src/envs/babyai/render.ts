/** Draws a state as an SVG picture: the grid, the agent, a lighter ground where it looks, and the mission below. */
import { restore, type BabyAIState } from './state.ts';
import type { Colour, Thing } from './world/things.ts';

const tile = 32;
const footer = 40;
const paints: Readonly<Record<Colour, string>> = {
  red: '#e5484d',
  green: '#30a46c',
  blue: '#3e63dd',
  purple: '#8e4ec6',
  yellow: '#f5d90a',
  grey: '#8b8d98',
};

export function renderSvg(state: BabyAIState): string {
  const { width, height, mission, carrying } = state;
  const { grid, visible } = restore(state);
  const shapes: string[] = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const thing = grid.at(x, y);
      const ground = thing?.kind === 'wall' ? '#60646c' : '#1c2024';
      shapes.push(`<rect x="${x * tile}" y="${y * tile}" width="${tile}" height="${tile}" fill="${ground}" stroke="#363a3f"/>`);
      if (thing && thing.kind !== 'wall') shapes.push(`<g transform="translate(${x * tile} ${y * tile})">${shapeOf(thing)}</g>`);
      if (visible[y * width + x] === 1) {
        shapes.push(`<rect x="${x * tile}" y="${y * tile}" width="${tile}" height="${tile}" fill="#fff" fill-opacity=".16"/>`);
      }
    }
  }
  shapes.push(agent(state.agent));
  const caption = `${mission}${carrying === null ? '' : ` (carrying a ${carrying})`}`;
  const total = Math.max(width * tile, 240);
  shapes.push(
    `<text x="8" y="${height * tile + 25}" font-family="sans-serif" font-size="13" fill="#edeef0">${escaped(caption)}</text>`,
  );
  const size = `width="${total}" height="${height * tile + footer}" viewBox="0 0 ${total} ${height * tile + footer}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${escaped(caption)}"><rect width="100%" height="100%" fill="#111113"/>${shapes.join('')}</svg>`;
}

function shapeOf(thing: Thing): string {
  const paint = paints[thing.colour];
  switch (thing.kind) {
    case 'wall':
      return '';
    case 'ball':
      return `<circle cx="16" cy="16" r="10" fill="${paint}"/>`;
    case 'box':
      return `<path d="M6 6h20v20H6zM6 16h20" fill="none" stroke="${paint}" stroke-width="3"/>`;
    case 'key':
      return `<path d="M16 14v13M16 26h6M16 21h5" fill="none" stroke="${paint}" stroke-width="3"/><circle cx="16" cy="9" r="5" fill="none" stroke="${paint}" stroke-width="3"/>`;
    case 'door':
      if (thing.state === 'open') return `<path d="M28 1v30" stroke="${paint}" stroke-width="4"/>`;
      return (
        `<rect x="2" y="2" width="28" height="28" fill="${thing.state === 'locked' ? paint : 'none'}" fill-opacity=".45" stroke="${paint}" stroke-width="3"/>` +
        (thing.state === 'locked'
          ? `<path d="M17 16h7" stroke="${paint}" stroke-width="4"/>`
          : `<circle cx="23" cy="16" r="3" fill="${paint}"/>`)
      );
  }
}

function agent([x, y, direction]: BabyAIState['agent']): string {
  const turn = `rotate(${direction * 90} ${tile / 2} ${tile / 2})`;
  return `<path transform="translate(${x * tile} ${y * tile}) ${turn}" d="M6 7L27 16L6 25Z" fill="#ff4d4f" stroke="#fff"/>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
