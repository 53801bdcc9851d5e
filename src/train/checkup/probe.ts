/** A short imitation on the engine itself, to see how fast an environment is learned: the policy is changed, nothing is saved. */
import type { TrajectoryDatum } from '../../agent/datum.ts';
import type { Engine, Loss, LossGradient, TokenScores } from '../../engine/engine.ts';
import { tokenWeights } from '../../learn/losses/aggregate.ts';
import { crossEntropy } from '../../learn/losses/cross-entropy.ts';
import type { Demonstrations } from '../sft/demonstrations.ts';

export interface ProbeOptions {
  readonly demonstrations: Demonstrations;
  /** First demonstration to draw, after those that are held out. */
  readonly from: number;
  readonly longest: number;
  readonly batchTokens: number;
  readonly signal: AbortSignal;
}

export interface ProbeReport {
  readonly seconds: number;
  readonly steps: number;
  readonly tokens: number;
  /** Where the next part of the probe goes on. */
  readonly next: number;
}

const warmup = 10;

/** Learns until the time is over, and at least `least` steps: fewer say nothing. `done` steps have been taken before. */
export async function probe(
  engine: Engine,
  { seconds, least, done }: { readonly seconds: number; readonly least: number; readonly done: number },
  options: ProbeOptions,
): Promise<ProbeReport> {
  const { demonstrations, longest, batchTokens, signal } = options;
  const started = performance.now();
  const elapsed = (): number => (performance.now() - started) / 1000;
  const rate = engine.model.parameters < 2e7 ? 1e-3 : 2e-4;
  let [next, steps, tokens] = [options.from, 0, 0];
  while (elapsed() < seconds || steps < least) {
    signal.throwIfAborted();
    const batch: TrajectoryDatum[] = [];
    let held = 0;
    for (let tries = 0; held < batchTokens && tries < 200; tries++) {
      const { datum } = await demonstrations.draw(next++, 1);
      if (!datum || datum.tokens.length > longest) continue;
      batch.push(datum);
      held += datum.tokens.length;
    }
    if (batch.length === 0) break;
    await engine.forwardBackward(batch, imitation(batch));
    await engine.optimStep({ learningRate: rate * Math.min(1, (done + steps + 1) / warmup), clipNorm: 1 });
    steps++;
    tokens += held;
  }
  return { seconds: elapsed(), steps, tokens, next };
}

function imitation(batch: readonly TrajectoryDatum[]): Loss {
  const weights = tokenWeights(
    batch.map(({ logprobs }) => logprobs.length),
    'token-mean',
  );
  return (scores: readonly TokenScores[]): LossGradient =>
    crossEntropy(
      scores.map((row) => row.scores),
      weights,
    );
}
