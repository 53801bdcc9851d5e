/** A row of probabilities under a constraint and under biases: what may not come gets none, and the rest is scaled back to one. */
import type { Random } from '../../../core/random/random.ts';
import type { Drawn } from './draw.ts';

export interface Restriction {
  /** Tokens that may come, in order (the end of a turn last); absent: every one. */
  readonly allowed?: Int32Array | undefined;
  /** Added to the logits of some tokens. */
  readonly bias: readonly (readonly [token: number, bias: number])[];
  /** That the row was made with; 0 (greedy): the row is the model's own. */
  readonly temperature: number;
}

/** Less than this of a row is left: its logits decide, since probabilities that small are rounded. */
const tooLittle = 1e-30;

/** Draws from the allowed part of a row, without a copy of it; false where too little is left. */
export function drawAllowed(row: Float32Array, allowed: Int32Array, random: Random, into: Drawn): boolean {
  let sum = 0;
  for (const token of allowed) sum += row[token] as number;
  if (!(sum > tooLittle && sum < Infinity)) return false;
  let left = random.float() * sum;
  let chosen = -1;
  for (const token of allowed) {
    const probability = row[token] as number;
    if (probability > 0) chosen = token;
    left -= probability;
    if (left < 0) break;
  }
  into.token = chosen;
  into.logprob = Math.log((row[chosen] as number) / sum);
  return true;
}

/** Writes the restricted row into `out`; false where nothing of it is left. */
export function restrict(row: Float32Array, logits: Float32Array, restriction: Restriction, out: Float32Array): boolean {
  const { bias, temperature } = restriction;
  const inverse = temperature > 0 ? 1 / temperature : 1;
  const factors = new Map(bias.map(([token, by]) => [token, Math.exp(by * inverse)]));
  let sum = fill(out, restriction, (token) => (row[token] as number) * (factors.get(token) ?? 1));
  if (!(sum > tooLittle && sum < Infinity)) {
    const added = new Map(bias);
    const biased = (token: number): number => (logits[token] as number) + (added.get(token) ?? 0);
    let highest = -Infinity;
    fill(out, restriction, (token) => {
      highest = Math.max(highest, biased(token));
      return 0;
    });
    sum = fill(out, restriction, (token) => Math.exp((biased(token) - highest) * inverse));
  }
  if (!(sum > 0 && sum < Infinity)) return false;
  for (let token = 0; token < out.length; token++) out[token] = (out[token] as number) / sum;
  return true;
}

/** Gives every allowed token a weight and all others none; their sum. */
function fill(out: Float32Array, { allowed }: Restriction, weight: (token: number) => number): number {
  let sum = 0;
  const set = (token: number): void => {
    out[token] = weight(token);
    sum += out[token];
  };
  out.fill(0);
  if (allowed) for (const token of allowed) set(token);
  else for (let token = 0; token < out.length; token++) set(token);
  return sum;
}
