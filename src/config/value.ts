/**
 * The value of an override, written as Hydra's users write it: numbers, true and false, null, quoted texts, `[a,b]`, `{a:1,b:2}`
 * (YAML asks for a blank after the colon, Hydra does not). Everything else is a text as it stands: nothing in it is a comment, an
 * anchor or a tag.
 */
import { parse } from 'yaml';

/** Throws what the YAML reader throws for brackets or quotes that do not close. */
export function readValue(text: string): unknown {
  const value = text.trim();
  if (value === '') return '';
  if (value.includes('\n') || /^[\w.-]+:\s/.test(value)) return parse(text);
  if (/^[[{]/.test(value)) return parse(spaced(value));
  if (/^['"]/.test(value)) return parse(value);
  if (/^(null|~)$/i.test(value)) return null;
  if (/^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  return numberIn(value) ?? value;
}

/** As YAML has them, and with underscores between digits as Python and Hydra do. */
function numberIn(text: string): number | undefined {
  if (!/^[-+]?\.?(\d|inf$|nan$)/i.test(text)) return undefined;
  const read: unknown = parse(text.replace(/(?<=\d)_(?=\d)/g, ''));
  return typeof read === 'number' ? read : undefined;
}

/** A blank after each colon that ends a key of a mapping; texts in quotes and the entries of lists stay as they are. */
function spaced(flow: string): string {
  const open: string[] = [];
  let key = false;
  let said = '';
  for (const [token] of flow.matchAll(/'(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|[^]/g)) {
    if (token === '{' || token === '[') open.push(token);
    else if (token === '}' || token === ']') open.pop();
    said += token === ':' && key ? ': ' : token;
    if (token === '{' || token === ',') key = open.at(-1) === '{';
    else if (token === ':' || token === '[' || token === ']' || token === '}') key = false;
  }
  return said;
}
