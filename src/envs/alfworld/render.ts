/** Draws a state as an SVG picture: the furniture that was visited with what lies in it, the rest as names, and what is held. */
import type { AlfWorldState } from './state.ts';

const columns = 3;
const gap = 8;
const card = { width: 116, line: 14, letters: 18, lines: 6 };
const tile = { width: 89, height: 20 };
const total = columns * (card.width + gap) + gap;
const font = 'font-family="sans-serif"';

export function renderSvg(state: AlfWorldState): string {
  const { task, holding, furniture, known, here } = state;
  const visited = furniture.filter((name) => Object.hasOwn(known, name));
  const rest = furniture.filter((name) => !Object.hasOwn(known, name));
  const shapes: string[] = [];
  let y = gap;
  for (let start = 0; start < visited.length; start += columns) {
    const row = visited.slice(start, start + columns).map((name) => cardOf(name, state));
    const height = Math.max(...row.map((one) => one.height));
    row.forEach(({ draw }, column) => shapes.push(draw(gap + column * (card.width + gap), y, height)));
    y += height + gap;
  }
  const across = Math.floor((total - gap) / (tile.width + 4));
  rest.forEach((name, number) => {
    const [left, top] = [gap + (number % across) * (tile.width + 4), y + Math.floor(number / across) * (tile.height + 4)];
    shapes.push(
      `<rect x="${left}" y="${top}" width="${tile.width}" height="${tile.height}" rx="4" fill="none" stroke="#363a3f"/>`,
      `<text x="${left + 5}" y="${top + 14}" ${font} font-size="10" fill="#8b8d98">${escaped(short(name, 16))}</text>`,
    );
  });
  y += Math.ceil(rest.length / across) * (tile.height + 4) + 10;
  const hand = holding === null ? 'hands empty' : `holding ${holding}`;
  shapes.push(
    `<text x="${gap}" y="${y + 10}" ${font} font-size="13" fill="#edeef0">${escaped(task)}</text>`,
    `<text x="${gap}" y="${y + 30}" ${font} font-size="13" fill="${holding === null ? '#8b8d98' : '#f5d90a'}">${escaped(hand)}</text>`,
  );
  const height = y + 42;
  const label = `${task} ${hand}${here.length > 0 ? `, at ${here.join(' and ')}` : ''}`;
  const size = `width="${total}" height="${height}" viewBox="0 0 ${total} ${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${escaped(label)}"><rect width="100%" height="100%" fill="#111113"/>${shapes.join('')}</svg>`;
}

interface Card {
  readonly height: number;
  readonly draw: (left: number, top: number, height: number) => string;
}

function cardOf(name: string, { known, here }: AlfWorldState): Card {
  const { open, contents } = known[name] ?? {};
  const lines = contents === undefined ? ['closed'] : contents.length === 0 ? ['empty'] : wrapped(contents);
  const paint = contents === undefined || contents.length === 0 ? '#8b8d98' : '#edeef0';
  const isHere = here.includes(name);
  const draw = (left: number, top: number, height: number): string => {
    const border = isHere ? '#ff4d4f' : open === false ? '#60646c' : '#3e63dd';
    const dashes = open === false ? ' stroke-dasharray="4 3"' : '';
    const texts = lines.map(
      (line, number) =>
        `<text x="${left + 8}" y="${top + 36 + number * card.line}" ${font} font-size="11" fill="${paint}">${escaped(line)}</text>`,
    );
    const marker = isHere ? `<path d="M${left + 8} ${top + 8}l10 5l-10 5z" fill="#ff4d4f" stroke="#fff"/>` : '';
    const state = open === undefined ? '' : open ? ' (open)' : '';
    return (
      `<rect x="${left}" y="${top}" width="${card.width}" height="${height}" rx="6" fill="#1c2024" stroke="${border}" stroke-width="${isHere ? 2 : 1}"${dashes}/>${marker}` +
      `<text x="${left + (isHere ? 24 : 8)}" y="${top + 18}" ${font} font-size="11" font-weight="bold" fill="#edeef0">${escaped(short(name + state, 17))}</text>${texts.join('')}`
    );
  };
  return { height: 34 + lines.length * card.line, draw };
}

/** Names in lines that fit a card; what does not fit is counted. */
function wrapped(names: readonly string[]): string[] {
  const lines: string[] = [];
  names.forEach((name, number) => {
    const last = lines.at(-1);
    const text = number < names.length - 1 ? `${name},` : name;
    if (last !== undefined && last.length + text.length < card.letters) lines[lines.length - 1] = `${last} ${text}`;
    else lines.push(text);
  });
  if (lines.length <= card.lines) return lines;
  const shown = lines.slice(0, card.lines - 1);
  const left = names.length - shown.join(' ').split(',').length + 1;
  return [...shown, `and ${left} more`];
}

function short(text: string, letters: number): string {
  return text.length > letters ? `${text.slice(0, letters - 1)}…` : text;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
