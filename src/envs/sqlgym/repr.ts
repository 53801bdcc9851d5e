/** How Python prints the rows of a query: `str([(1, 'a', None, 2.5)])`, as SQLGym's server shows them. */
import type { SqlValue } from '../../sandbox/sqlite/values.ts';
import { pythonRepr } from '../../core/python/repr.ts';
import { pythonFloat } from '../../core/python/repr.ts';

/** `str(rows)`. */
export function rowsText(rows: readonly (readonly SqlValue[])[]): string {
  return `[${rows.map(tuple).join(', ')}]`;
}

function tuple(row: readonly SqlValue[]): string {
  const values = row.map(valueText).join(', ');
  return row.length === 1 ? `(${values},)` : `(${values})`;
}

export function valueText(value: SqlValue): string {
  if (value === null) return 'None';
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return pythonRepr(value);
  if (typeof value === 'number') return pythonFloat(value);
  return bytesText(value);
}

function bytesText(bytes: Uint8Array): string {
  const quote = bytes.includes(0x27) && !bytes.includes(0x22) ? '"' : "'";
  let out = `b${quote}`;
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    if (character === quote || character === '\\') out += `\\${character}`;
    else if (character === '\n') out += '\\n';
    else if (character === '\r') out += '\\r';
    else if (character === '\t') out += '\\t';
    else if (byte < 0x20 || byte >= 0x7f) out += `\\x${byte.toString(16).padStart(2, '0')}`;
    else out += character;
  }
  return out + quote;
}
