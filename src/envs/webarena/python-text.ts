/** `str(value)` and `repr(value)` of what arrived in Python as JSON or from a page's script: True, None, 1e-05, [1, 'a']. */
import { pythonRepr } from '../textcraft/python.ts';
import { pythonFloat } from '../webshop/python.ts';

export function pythonText(value: unknown): string {
  return typeof value === 'string' ? value : representation(value);
}

function representation(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return pythonRepr(value);
    case 'boolean':
      return value ? 'True' : 'False';
    case 'number':
      return numberText(value);
    case 'bigint':
      return String(value);
    case 'object':
      if (value === null) return 'None';
      if (Array.isArray(value)) return `[${value.map(representation).join(', ')}]`;
      return `{${Object.entries(value)
        .map(([key, item]) => `${pythonRepr(key)}: ${representation(item)}`)
        .join(', ')}}`;
    default:
      return 'None';
  }
}

/** A whole number was sent without a point, so Python read an int. */
function numberText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? String(value) : pythonFloat(value);
}

// eslint-disable-next-line no-control-regex -- Python counts the separators of ASCII among the blanks
const BLANKS = /[\t-\r\x1c- \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/u;

/** `text.split()`. */
export function pythonWords(text: string): readonly string[] {
  return text.split(BLANKS).filter((word) => word !== '');
}
