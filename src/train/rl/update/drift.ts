/**
 * How sure the policy is, how far it has come and how far one step moves it, measured on a few of a step's rows: before they are
 * learned from, the mean entropy of its choices and the mean KL divergence to the policy that the run started from; after the update,
 * the mean KL divergence of the new policy from the one before (all k3, Schulman 2020). Nothing learns from these.
 */
import type { Datum, Engine } from '../../../engine/engine.ts';
import { klPenalty } from '../../../learn/kl.ts';
import { at } from '../../../learn/numbers.ts';

export interface DriftOptions {
  /** Rows to measure on, at most. */
  readonly rows: number;
  readonly temperature: number;
  /** The policy of the start, or the reference that is renewed. */
  readonly reference?: Engine | undefined;
  readonly renewed?: boolean;
}

export interface Drift {
  readonly metrics: Readonly<Record<string, number>>;
  /** What the update did to the same rows; to be asked after it. */
  after(): Promise<Readonly<Record<string, number>>>;
}

export async function measureDrift(
  engine: Engine,
  data: readonly Datum[],
  { rows, temperature, reference, renewed = false }: DriftOptions,
): Promise<Drift> {
  const sample = evenly(
    data.filter(({ mask }) => mask.includes(1)),
    rows,
  );
  if (sample.length === 0) return { metrics: {}, after: async () => ({}) };
  const now = await engine.forward(sample, { temperature, entropy: true });
  const start = reference && (await reference.forward(sample, { temperature }));
  const scores = now.map((row) => row.scores);
  const entropies = now.flatMap(({ entropy }) => (entropy ? [...entropy] : []));
  const metrics = {
    ...(entropies.length > 0 ? { 'actor/entropy': entropies.reduce((a, b) => a + b, 0) / entropies.length } : {}),
    ...(start
      ? {
          [renewed ? 'actor/kl_to_reference' : 'actor/kl_to_start']: divergence(
            scores,
            start.map((row) => row.scores),
          ),
        }
      : {}),
  };
  const after = async (): Promise<Readonly<Record<string, number>>> => {
    const then = await engine.forward(sample, { temperature });
    return {
      'actor/kl_of_update': divergence(
        scores,
        then.map((row) => row.scores),
      ),
    };
  };
  return { metrics, after };
}

/** Mean over all tokens of k3 of what sampled them, against another policy. */
function divergence(scores: readonly Float32Array[], other: readonly Float32Array[]): number {
  let [tokens, total] = [0, 0];
  scores.forEach((row, r) => {
    row.forEach((score, t) => {
      tokens++;
      total += klPenalty('k3', score, at(at(other, r), t)).value;
    });
  });
  return total / tokens;
}

/** At most `most` of them, from the whole length of the list. */
function evenly<T>(list: readonly T[], most: number): T[] {
  const count = Math.min(most, list.length);
  return Array.from({ length: count }, (_, i) => list[Math.floor((i * list.length) / count)]).filter((one) => one !== undefined);
}
