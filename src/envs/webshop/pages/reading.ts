/** A page of the shop set for a person at a terminal: its parts in lines, products as a list, what can be clicked in brackets. */
import type { ReadOptions } from '../../facts.ts';

const separator = ' [SEP] ';
const article = /^B[0-9A-Z]{9}$/;
/** What the original writes above the instruction and beside what it does not say. */
const bare = new Set(['Instruction:', 'WebShop']);

export function readPage(observation: string, { colour, actions }: ReadOptions): string {
  if (!observation.includes(separator)) return observation;
  const paint = (code: number, text: string): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const clickable = new Set(actions);
  const isButton = (part: string): boolean => clickable.has(`click[${part.toLowerCase()}]`);
  const parts = observation.split(separator);
  const lines: string[] = [];
  let buttons: string[] = [];
  const flush = (): void => {
    if (buttons.length > 0) lines.push(buttons.join(' '));
    buttons = [];
  };
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? '';
    if (isButton(part) && article.test(part)) {
      flush();
      const [title = '', price = ''] = parts.slice(at + 1, at + 3);
      lines.push(`  ${paint(36, `[${part}]`)} ${title}  ${paint(32, price)}`);
      at += 2;
    } else if (isButton(part)) buttons.push(paint(36, `[${part}]`));
    else {
      flush();
      if (part === 'Search' && at === parts.length - 1) lines.push(`${paint(36, '[Search]')} search[words]`);
      else lines.push(parts[at - 1] === 'Instruction:' ? paint(1, part) : bare.has(part) ? paint(2, part) : part);
    }
  }
  flush();
  return lines.join('\n');
}
