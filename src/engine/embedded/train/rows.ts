/**
 * Sums over rows that a graph cannot do safely: ONNX Runtime's scatter with addition races between threads when two sources
 * have the same target. These loops add in a fixed order, so the same inputs give the same bits.
 */

/** target[index[i]] += scale · source[i], rows of `width`. */
export function addRows(target: Float32Array, index: Int32Array, source: Float32Array, width: number, scale = 1): void {
  for (let i = 0; i < index.length; i++) {
    const to = (index[i] as number) * width;
    const from = i * width;
    for (let j = 0; j < width; j++) target[to + j] = (target[to + j] as number) + scale * (source[from + j] as number);
  }
}

/** Keys of tiles [tiles, heads, keys, headSize] to the rows they came from [rows, heads · headSize]; row -1 is padding. */
export function addHeadRows(
  target: Float32Array,
  source: Float32Array,
  keyRows: Int32Array,
  {
    tiles,
    keys,
    heads,
    headSize,
  }: { readonly tiles: number; readonly keys: number; readonly heads: number; readonly headSize: number },
): void {
  const width = heads * headSize;
  for (let tile = 0; tile < tiles; tile++) {
    for (let head = 0; head < heads; head++) {
      for (let key = 0; key < keys; key++) {
        const row = keyRows[tile * keys + key] as number;
        if (row < 0) continue;
        const to = row * width + head * headSize;
        const from = ((tile * heads + head) * keys + key) * headSize;
        for (let j = 0; j < headSize; j++) target[to + j] = (target[to + j] as number) + (source[from + j] as number);
      }
    }
  }
}

/** p[i, targets[i]] −= 1, or −= sign · weights[i]. */
export function subtractOnes(p: Float32Array, targets: Int32Array, width: number, weights?: Float32Array, sign = 1): void {
  for (let i = 0; i < targets.length; i++) {
    const at = i * width + (targets[i] as number);
    p[at] = (p[at] as number) - (weights ? sign * (weights[i] as number) : 1);
  }
}
