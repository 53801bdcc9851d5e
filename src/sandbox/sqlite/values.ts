/**
 * SQLite's values as they pass a sandbox's border (JSON) and as they are used on this side: an integer is a bigint, a real is a
 * number, so that 1 and 1.0 stay apart.
 */

export type SqlValue = null | bigint | number | string | Uint8Array;

/** A letter for the kind, then the value; null is null. */
export type WireValue = string | null;

export function toWire(value: SqlValue): WireValue {
  if (value === null) return null;
  if (typeof value === 'bigint') return `i${value}`;
  if (typeof value === 'number') return Object.is(value, -0) ? 'r-0' : `r${value}`;
  if (typeof value === 'string') return `t${value}`;
  return `b${Buffer.from(value).toString('base64')}`;
}

export function fromWire(wire: WireValue): SqlValue {
  if (wire === null) return null;
  const text = wire.slice(1);
  switch (wire.charAt(0)) {
    case 'i':
      return BigInt(text);
    case 'r':
      return Number(text);
    case 't':
      return text;
    default:
      return Uint8Array.from(Buffer.from(text, 'base64'));
  }
}

/** Equal for rows that are equal in Python, and only for those: numbers by value, whatever their kind; texts are never bytes. */
export function rowKey(row: readonly SqlValue[]): string {
  let key = '';
  for (const value of row) {
    if (value === null) key += 'n;';
    else if (typeof value === 'bigint') key += `#${value};`;
    else if (typeof value === 'number') key += `#${Number.isInteger(value) ? BigInt(value) : value};`;
    else if (typeof value === 'string') key += `t${value.length}:${value};`;
    else key += `b${Buffer.from(value).toString('hex')};`;
  }
  return key;
}
