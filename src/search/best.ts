/**
 * The best of many scored documents in a heap of plain numbers: a key holds the bits of the float32 score above the
 * document's rank, so that one comparison decides by score and, where scores are equal, by document id.
 */

/** Ranks take 21 bits of a key, scores 32: together a double holds them exactly. */
export const MOST_DOCUMENTS = 2 ** 21;

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** The key of a positive score; a lower rank makes a higher key. */
export function keyOf(score: number, rank: number): number {
  float[0] = score;
  return (bits[0] as number) * MOST_DOCUMENTS + (MOST_DOCUMENTS - 1 - rank);
}

export function rankOfKey(key: number): number {
  return MOST_DOCUMENTS - 1 - (key % MOST_DOCUMENTS);
}

export function scoreOfKey(key: number): number {
  bits[0] = Math.floor(key / MOST_DOCUMENTS);
  return float[0] as number;
}

/** Reorders the keys so that the `limit` largest come first, in falling order; returns how many those are. */
export function takeBest(keys: Float64Array, count: number, limit: number): number {
  const kept = Math.min(count, limit);
  for (let i = (kept >> 1) - 1; i >= 0; i--) sink(keys, i, kept);
  for (let i = kept; i < count; i++) {
    if ((keys[i] as number) > (keys[0] as number)) {
      keys[0] = keys[i] as number;
      sink(keys, 0, kept);
    }
  }
  for (let end = kept - 1; end > 0; end--) {
    const worst = keys[0] as number;
    keys[0] = keys[end] as number;
    keys[end] = worst;
    sink(keys, 0, end);
  }
  return kept;
}

/** Lets the key at `from` sink in a heap whose root is its smallest. */
function sink(keys: Float64Array, from: number, size: number): void {
  const key = keys[from] as number;
  let i = from;
  for (let child = 2 * i + 1; child < size; child = 2 * i + 1) {
    if (child + 1 < size && (keys[child + 1] as number) < (keys[child] as number)) child++;
    if ((keys[child] as number) >= key) break;
    keys[i] = keys[child] as number;
    i = child;
  }
  keys[i] = key;
}
