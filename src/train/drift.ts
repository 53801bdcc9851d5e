/**
 * How sure the policy is and how far it has come, measured on a few of a step's rows before they are learned from: the mean entropy
 * of its choices, and the mean KL divergence to the policy that the run started from (k3, Schulman 2020). Nothing learns from these.
 */
import type { Datum, Engine } from '../engine/engine.ts';
import { klPenalty } from '../learn/kl.ts';

export interface DriftOptions {
  /** Rows to measure on, at most. */
  readonly rows: number;
  readonly temperature: number;
  /** The policy of the start. */
  readonly reference?: Engine | undefined;
}

export async function measureDrift(
  engine: Engine,
  data: readonly Datum[],
  { rows, temperature, reference }: DriftOptions,
): Promise<Readonly<Record<string, number>>> {
  const sample = evenly(data, rows);
  if (sample.length === 0) return {};
  const now = await engine.forward(sample, { temperature, entropy: true });
  const start = reference && (await reference.forward(sample, { temperature }));
  let [tokens, entropy, divergence] = [0, 0, 0];
  now.forEach((row, r) => {
    row.scores.forEach((score, t) => {
      tokens++;
      entropy += row.entropy?.[t] ?? 0;
      divergence += klPenalty('k3', score, start?.[r]?.scores[t] ?? score).value;
    });
  });
  if (tokens === 0) return {};
  const measured = now.some((row) => row.entropy !== undefined);
  return {
    ...(measured ? { 'actor/entropy': entropy / tokens } : {}),
    ...(start ? { 'actor/kl_to_start': divergence / tokens } : {}),
  };
}

/** At most `most` of them, from the whole length of the list. */
function evenly<T>(list: readonly T[], most: number): T[] {
  const count = Math.min(most, list.length);
  return Array.from({ length: count }, (_, i) => list[Math.floor((i * list.length) / count)]).filter((one) => one !== undefined);
}
