/**
 * The best of many scored documents in a bounded heap of plain numbers: a key holds the bits of the float32 score above the
 * document's rank, so that one comparison decides by score and, where scores are equal, by document id.
 */

/** Ranks take 21 bits of a key, scores 32: together a double holds them exactly. */
export const MOST_DOCUMENTS = 2 ** 21;

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** Below this part of a float32, a double is rounded to a smaller float32. */
const SURELY_LESS = 1 - 2 ** -22;

export class Best {
  /** A sum below this cannot enter any more. */
  needed = 0;
  private readonly keys: Float64Array;
  private count = 0;

  constructor(
    limit: number,
    private readonly rank: Int32Array,
  ) {
    this.keys = new Float64Array(limit);
  }

  /** Takes a positive score if it is among the best so far; says whether it was taken. */
  offer(score: number, document: number): boolean {
    if (score < this.needed) return false;
    const { keys } = this;
    float[0] = score;
    const key = (bits[0] as number) * MOST_DOCUMENTS + (MOST_DOCUMENTS - 1 - (this.rank[document] as number));
    if (this.count < keys.length) {
      this.rise(key);
      if (this.count < keys.length) return true;
    } else if (key > (keys[0] as number)) sink(keys, key, keys.length);
    else return false;
    this.needed = scoreOf(keys[0] as number) * SURELY_LESS;
    return true;
  }

  /** Empties the heap: ranks and scores, best first. */
  drain(): { readonly rank: number; readonly score: number }[] {
    const { keys } = this;
    const drained: { rank: number; score: number }[] = [];
    while (this.count > 0) {
      const key = keys[0] as number;
      const behind = key - Math.floor(key / MOST_DOCUMENTS) * MOST_DOCUMENTS;
      drained.push({ rank: MOST_DOCUMENTS - 1 - behind, score: scoreOf(key) });
      this.count--;
      sink(keys, keys[this.count] as number, this.count);
    }
    return drained.reverse();
  }

  /** Lets a new key rise from the end towards the root, which holds the smallest. */
  private rise(key: number): void {
    const { keys } = this;
    let i = this.count++;
    for (let parent = (i - 1) >> 1; i > 0 && (keys[parent] as number) > key; parent = (i - 1) >> 1) {
      keys[i] = keys[parent] as number;
      i = parent;
    }
    keys[i] = key;
  }
}

function scoreOf(key: number): number {
  bits[0] = Math.floor(key / MOST_DOCUMENTS);
  return float[0] as number;
}

/** Puts a key in the root's place and lets it sink. */
function sink(keys: Float64Array, key: number, size: number): void {
  let i = 0;
  for (let child = 1; child < size; child = 2 * i + 1) {
    if (child + 1 < size && (keys[child + 1] as number) < (keys[child] as number)) child++;
    if ((keys[child] as number) >= key) break;
    keys[i] = keys[child] as number;
    i = child;
  }
  keys[i] = key;
}
