/** A row of probabilities under a constraint and under biases: what may not come gets none, and the rest is scaled back to one. */
export interface Restriction {
  /** 1 where a token may come; absent: every one. */
  readonly allowed?: Uint8Array | undefined;
  /** Added to the logits of some tokens. */
  readonly bias: readonly (readonly [token: number, bias: number])[];
  /** That the row was made with; 0 (greedy): the row is the model's own. */
  readonly temperature: number;
}

/** Writes the restricted row into `out`; false where nothing of it is left. `logits` decide where all probabilities left are too small. */
export function restrict(row: Float32Array, logits: Float32Array, restriction: Restriction, out: Float32Array): boolean {
  const { allowed, bias, temperature } = restriction;
  const inverse = temperature > 0 ? 1 / temperature : 1;
  out.set(row);
  for (const [token, by] of bias) out[token] = (out[token] as number) * Math.exp(by * inverse);
  let sum = 0;
  for (let token = 0; token < out.length; token++) {
    if (allowed?.[token] === 0) out[token] = 0;
    else sum += out[token] as number;
  }
  if (!(sum > 1e-30 && sum < Infinity)) sum = fromLogits(logits, restriction, inverse, out);
  if (!(sum > 0 && sum < Infinity)) return false;
  for (let token = 0; token < out.length; token++) out[token] = (out[token] as number) / sum;
  return true;
}

function fromLogits(logits: Float32Array, { allowed, bias }: Restriction, inverse: number, out: Float32Array): number {
  out.set(logits);
  for (const [token, by] of bias) out[token] = (out[token] as number) + by;
  let highest = -Infinity;
  for (let token = 0; token < out.length; token++) {
    if (allowed?.[token] !== 0 && (out[token] as number) > highest) highest = out[token] as number;
  }
  let sum = 0;
  for (let token = 0; token < out.length; token++) {
    const probability = allowed?.[token] === 0 ? 0 : Math.exp(((out[token] as number) - highest) * inverse);
    out[token] = probability;
    sum += probability;
  }
  return sum;
}
