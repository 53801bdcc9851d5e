/**
 * Views of more than 4 GiB in messages between threads. A message keeps 32 bits of a view's place and length, so a billion weights would
 * arrive as a few; shared memory itself crosses whole. So a large view crosses as its memory with numbers beside it. The walk goes into
 * plain objects and into lists of views, not into lists of anything else: data of a batch is never that large.
 */
const limit = 2 ** 32 - 1;

interface LargeView {
  readonly largeView: 'Float32Array' | 'Uint16Array';
  readonly memory: SharedArrayBuffer;
  readonly from: number;
  readonly length: number;
}

/** A message as it may be posted. */
export function packViews(message: unknown, atLeast = limit): unknown {
  return walk(message, (value) => {
    if (!(value instanceof Float32Array || value instanceof Uint16Array)) return value;
    if (value.byteOffset + value.byteLength <= atLeast || !(value.buffer instanceof SharedArrayBuffer)) return value;
    const kind = value instanceof Float32Array ? 'Float32Array' : 'Uint16Array';
    return { largeView: kind, memory: value.buffer, from: value.byteOffset, length: value.length } satisfies LargeView;
  });
}

/** The message that was posted. */
export function unpackViews(message: unknown): unknown {
  return walk(message, (value) => {
    if (!isLargeView(value)) return value;
    const { memory, from, length } = value;
    return value.largeView === 'Float32Array' ? new Float32Array(memory, from, length) : new Uint16Array(memory, from, length);
  });
}

function walk(value: unknown, change: (value: unknown) => unknown): unknown {
  const changed = change(value);
  if (changed !== value) return changed;
  if (Array.isArray(value)) {
    const [first] = value as unknown[];
    return ArrayBuffer.isView(first) || isLargeView(first) ? value.map(change) : value;
  }
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  let copy: Record<string, unknown> | undefined;
  for (const [key, inner] of Object.entries(value)) {
    const walked = walk(inner, change);
    if (walked !== inner) (copy ??= { ...value })[key] = walked;
  }
  return copy ?? value;
}

function isLargeView(value: unknown): value is LargeView {
  return typeof value === 'object' && value !== null && 'largeView' in value;
}
