/** `str(value)` and `repr(value)` of what arrived in Python as JSON or from a page's script: True, None, 1e-05, [1, 'a']. */
import { pythonFloat, pythonRepr } from './repr.ts';

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
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? String(value) : pythonFloat(value);
}
