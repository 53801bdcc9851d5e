/**
 * Are the weights what they should be? Servers have been seen to sample from older weights, and to roll the training weights back when
 * a saved sampler is used. One short sequence of the last batch is scored after each step: by the trainer, by the new sampler, and by
 * the trainer again. Whoever agrees better with the weights before the step than with those after it is wrong.
 */
import { AgogeError } from '../../../core/error.ts';
import type { Datum, TokenScores } from '../../engine.ts';
import { promptLogprobs } from './sampling.ts';
import type { Transport } from './transport.ts';

/** Mean differences below this are rounding. */
const noise = 1e-3;
const longest = 128;

interface Probe {
  readonly datum: Datum;
  readonly before: ArrayLike<number>;
  readonly version: number;
}

export class Verification {
  private probe: Probe | undefined;

  constructor(
    private readonly transport: Transport,
    private readonly score: (batch: readonly Datum[]) => Promise<TokenScores[]>,
  ) {}

  /** Keeps the shortest sequence of a batch and its scores under the version that is about to change. */
  remember(batch: readonly Datum[], scores: readonly TokenScores[], version: number): void {
    let best: { length: number; index: number } | undefined;
    batch.forEach(({ mask }, index) => {
      const length = mask.lastIndexOf(1) + 1;
      if (length > 1 && (!best || length < best.length)) best = { length, index };
    });
    const [datum, own] = [batch[best?.index ?? -1], scores[best?.index ?? -1]];
    if (!best || !datum || !own) return;
    const length = Math.min(best.length, longest);
    const mask = datum.mask.slice(0, length);
    const scored = mask.reduce((sum, one) => sum + one, 0);
    if (scored === 0) return;
    this.probe = {
      datum: { tokens: Array.from(datum.tokens).slice(0, length), mask },
      before: own.scores.slice(0, scored),
      version,
    };
  }

  /** Two passes over one batch, without a step between them, must agree. */
  sameWeights(first: readonly TokenScores[], second: readonly TokenScores[]): void {
    let [sum, tokens] = [0, 0];
    first.forEach(({ scores }, i) => {
      scores.forEach((value, t) => {
        sum += Math.abs(value - (second[i]?.scores[t] ?? NaN));
        tokens++;
      });
    });
    // Half-precision kernels differ a little from call to call.
    if (!(sum / Math.max(1, tokens) < 0.05))
      throw moved(`the log-probabilities of one batch changed by ${(sum / tokens).toFixed(3)} between two passes without a step`);
  }

  /** Checks a new sampler of `version`, and that using it left the training weights alone. */
  async sampler(session: string, number: () => number, version: number): Promise<void> {
    const { probe } = this;
    if (!probe || probe.version >= version) return;
    const now = await this.trained(probe);
    const change = distance(now, probe.before);
    if (change < noise) return; // a step too small to tell its sides apart
    const all = await promptLogprobs(this.transport, session, number(), Array.from(probe.datum.tokens));
    const sampled = all.filter((_, i) => probe.datum.mask[i + 1] === 1);
    if (distance(sampled, probe.before) < distance(sampled, now) / 2)
      throw moved('the new sampler answers with the weights of before the step');
    const after = await this.trained(probe);
    if (distance(after, probe.before) < distance(after, now) / 2)
      throw moved('using the new sampler rolled the training weights back to those of before the step');
  }

  private async trained({ datum }: Probe): Promise<ArrayLike<number>> {
    const [scores] = await this.score([datum]);
    return scores?.scores ?? [];
  }
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs((a[i] as number) - (b[i] as number));
  return sum / Math.max(1, a.length);
}

function moved(what: string): AgogeError {
  return new AgogeError(
    'ENGINE_TINKER_MOVED',
    `${what}: the server does not keep its weights apart; resume from the last checkpoint, with rollout.staleness=0 or another backend`,
  );
}
