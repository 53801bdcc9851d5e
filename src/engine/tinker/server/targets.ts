/**
 * Between wire data and engine data. A wire datum names a target for every position, mostly the token that follows; an engine's datum
 * scores its own tokens. Where a target is another token (or there are several per position) it becomes a sequence of its own, which
 * shares all its rows with the main one, so that any target is scored exactly.
 */
import { AgogeError } from '../../../core/error.ts';
import type { Datum, TokenScores } from '../../engine.ts';
import type { WireDatum } from '../wire/messages.ts';

/** Engine data for one wire datum, and where each of its targets is found in their scores. */
export interface Spread {
  readonly data: readonly Datum[];
  /** Positions × targets per position. */
  readonly shape: readonly number[];
  /** Per target: which of `data`, and which of its scores. */
  readonly owner: Int32Array;
  readonly place: Int32Array;
}

function tokensOf({ chunks }: Pick<WireDatum, 'chunks'>): number[] {
  return chunks.flatMap((chunk) => Array.from(chunk));
}

export function spread(datum: WireDatum, index: number): Spread {
  const tokens = tokensOf(datum);
  const targets = datum.inputs['target_tokens'];
  if (!targets) throw bad(index, 'it has no target_tokens');
  const each = targets.shape.length === 2 ? (targets.shape[1] ?? 1) : 1;
  if (tokens.length === 0) throw bad(index, 'it has no tokens');
  if (targets.data.length !== tokens.length * each || each < 1)
    throw bad(index, `target_tokens has ${targets.data.length} entries for ${tokens.length} tokens`);
  const last = targets.data[targets.data.length - each] as number;
  const main = { tokens: [...tokens, last], mask: new Uint8Array(tokens.length + 1) };
  const data: Datum[] = [main];
  const owner = new Int32Array(targets.data.length);
  const place = new Int32Array(targets.data.length);
  let scored = 0;
  for (let i = 0; i < targets.data.length; i++) {
    const at = Math.floor(i / each);
    const target = targets.data[i] as number;
    if (target === main.tokens[at + 1] && main.mask[at + 1] === 0) {
      main.mask[at + 1] = 1;
      place[i] = scored++;
    } else {
      const mask = new Uint8Array(at + 2);
      mask[at + 1] = 1;
      owner[i] = data.length;
      data.push({ tokens: [...tokens.slice(0, at + 1), target], mask });
    }
  }
  if (scored > 0) return { data, shape: targets.shape, owner, place };
  return { data: data.slice(1), shape: targets.shape, owner: owner.map((one) => one - 1), place };
}

/** The log-probability of each target. */
export function gather({ owner, place }: Spread, scores: readonly TokenScores[]): Float32Array {
  return Float32Array.from(owner, (datum, i) => scores[datum]?.scores[place[i] as number] ?? NaN);
}

/** A derivative by each target's log-probability, as derivatives by the scores of the engine's data. */
export function scatter({ data, owner, place }: Spread, gradient: ArrayLike<number>): Float32Array[] {
  const parts = data.map(({ mask }) => new Float32Array(mask.reduce((sum, one) => sum + one, 0)));
  for (let i = 0; i < owner.length; i++) {
    const part = parts[owner[i] as number];
    if (part) part[place[i] as number] = gradient[i] as number;
  }
  return parts;
}

export function bad(index: number, what: string): AgogeError {
  return new AgogeError('ENGINE_TINKER_DATUM', `datum ${index}: ${what}; every tensor has one entry per token of model_input`);
}
