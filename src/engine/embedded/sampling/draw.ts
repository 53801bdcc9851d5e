/**
 * Drawing a token from a row of probabilities, and what its log-probability was. Truncation works as everywhere: top-k,
 * then top-p among what is left, then min-p; the kept probabilities are scaled back to one.
 */
import type { Random } from '../../../core/random/random.ts';
import type { TokenLogprob } from '../../engine.ts';

export interface DrawSettings {
  readonly temperature: number;
  readonly topK: number;
  readonly topP: number;
  readonly minP: number;
}

export interface Drawn {
  token: number;
  /** Under the distribution it was drawn from. */
  logprob: number;
}

/** Whether nothing is cut off: then the row can be scanned without sorting. */
export function untruncated(settings: DrawSettings, vocabulary: number): boolean {
  return settings.topP >= 1 && settings.minP <= 0 && (settings.topK <= 0 || settings.topK >= vocabulary);
}

/** Scans the row until a uniform number is used up. `into` avoids an allocation per token. */
export function drawFromAll(row: Float32Array, random: Random, into: Drawn): void {
  let left = random.float();
  let token = 0;
  let lastPossible = -1;
  for (const end = row.length; token < end; token++) {
    const probability = row[token] as number;
    if (probability > 0) lastPossible = token;
    left -= probability;
    if (left < 0) break;
  }
  // Probabilities of a row add up to one only nearly: what is left falls to the last possible token.
  if (token === row.length) token = lastPossible;
  into.token = token;
  into.logprob = Math.log(row[token] ?? Number.NaN);
}

/** The most likely token; the first one among equals. */
export function drawGreedily(row: Float32Array, into: Drawn): void {
  let best = 0;
  let highest = -Infinity;
  for (let token = 0; token < row.length; token++) {
    const value = row[token] ?? -Infinity;
    if (value > highest) {
      highest = value;
      best = token;
    }
  }
  into.token = highest === -Infinity ? -1 : best;
  into.logprob = 0;
}

/** From the tokens that top-k, top-p and min-p leave. */
export function drawTruncated(row: Float32Array, settings: DrawSettings, random: Random, into: Drawn): void {
  const kept = truncate(row, settings);
  let total = 0;
  for (const token of kept) total += row[token] as number;
  let left = random.float() * total;
  let chosen = kept.at(-1) ?? -1;
  for (const token of kept) {
    left -= row[token] as number;
    if (left < 0) {
      chosen = token;
      break;
    }
  }
  into.token = chosen;
  into.logprob = Math.log((row[chosen] ?? Number.NaN) / total);
}

/** The kept tokens, likeliest first (by id among equals). */
export function truncate(row: Float32Array, { topK, topP, minP }: DrawSettings): number[] {
  let highest = 0;
  for (const probability of row) if (probability > highest) highest = probability;
  const floor = minP * highest;
  let kept = candidates(row, highest, floor, topK, topP);
  kept.sort((a, b) => (row[b] as number) - (row[a] as number) || a - b);
  if (topK > 0 && kept.length > topK) kept = kept.slice(0, topK);
  if (topP < 1) {
    const all = topK > 0 ? kept.reduce((sum, token) => sum + (row[token] as number), 0) : 1;
    let sum = 0;
    let count = 0;
    while (count < kept.length && sum < topP * all) sum += row[kept[count++] as number] as number;
    kept = kept.slice(0, Math.max(count, 1));
  }
  return kept;
}

/** The `count` likeliest tokens with their log-probabilities, likeliest first (by id among equals). */
export function likeliest(row: Float32Array, count: number): TokenLogprob[] {
  const kept = truncate(row, { temperature: 1, topK: count, topP: 1, minP: 0 });
  return kept.map((token) => ({ token, logprob: Math.log(row[token] as number) }));
}

/** A small set that holds everything top-k and top-p can keep: the bar is lowered until it does, so that few are sorted. */
function candidates(row: Float32Array, highest: number, floor: number, topK: number, topP: number): number[] {
  for (let bar = highest * 0.1; ; bar *= 0.03) {
    const lowest = Math.max(bar, floor);
    const found: number[] = [];
    let sum = 0;
    for (let token = 0; token < row.length; token++) {
      const probability = row[token] as number;
      if (probability < lowest || probability === 0) continue;
      found.push(token);
      sum += probability;
    }
    const enough = topK > 0 ? found.length >= topK : sum >= topP && topP < 1;
    if (enough || bar <= floor || bar < 1e-38) return found;
  }
}
