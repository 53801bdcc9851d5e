/**
 * Loss and accuracy of an SFT run: since the last log line, and of the last batch by ladder of a curriculum. A token counts as
 * right above one half.
 */
import type { TrajectoryDatum } from '../../agent/datum.ts';
import type { TokenScores } from '../../engine/engine.ts';
import { at } from '../../learn/numbers.ts';

export interface Accuracy {
  readonly token: number;
  readonly reply: number;
}

export class SftSums {
  private loss = 0;
  private tokens = 0;
  private since = performance.now();
  private all = new Counts();
  private graded = new Map<number, Counts>();

  /** `judged`: the ladder that a sequence says something about. */
  add(data: readonly TrajectoryDatum[], scores: readonly TokenScores[], judged?: ReadonlyMap<TrajectoryDatum, number>): void {
    data.forEach((datum, d) => {
      const row = at(scores, d).scores;
      this.tokens += datum.tokens.length;
      const own = new Counts();
      let from = 0;
      for (const end of datum.turnEnds) {
        let right = 0;
        for (let t = from; t < end; t++) {
          const logprob = at(row, t);
          this.loss -= logprob;
          if (logprob > -Math.LN2) right++;
        }
        own.reply(end - from, right);
        from = end;
      }
      this.all.add(own);
      const ladder = judged?.get(datum);
      if (ladder !== undefined) this.countsOf(ladder).add(own);
    });
  }

  /** Accuracy of what was added since the last call, by ladder; none of ladders of which nothing was. */
  batch(): ReadonlyMap<number, Accuracy> {
    const counted = [...this.graded].filter(([, { replies }]) => replies > 0);
    this.graded = new Map();
    return new Map(counted.map(([ladder, { accuracy }]) => [ladder, accuracy]));
  }

  /** Metrics since the last call. */
  take(): Record<string, number> {
    const seconds = (performance.now() - this.since) / 1000;
    const { token, reply } = this.all.accuracy;
    const result = {
      'train/loss': this.loss / Math.max(1, this.all.scored),
      'train/token_accuracy': token,
      'train/reply_accuracy': reply,
      'perf/throughput': this.tokens / Math.max(1e-9, seconds),
    };
    this.all = new Counts();
    [this.loss, this.tokens, this.since] = [0, 0, performance.now()];
    return result;
  }

  private countsOf(ladder: number): Counts {
    const counts = this.graded.get(ladder) ?? new Counts();
    this.graded.set(ladder, counts);
    return counts;
  }
}

class Counts {
  scored = 0;
  replies = 0;
  private right = 0;
  private rightReplies = 0;

  reply(tokens: number, right: number): void {
    this.scored += tokens;
    this.right += right;
    this.replies++;
    if (right === tokens) this.rightReplies++;
  }

  add(other: Counts): void {
    this.scored += other.scored;
    this.right += other.right;
    this.replies += other.replies;
    this.rightReplies += other.rightReplies;
  }

  get accuracy(): Accuracy {
    return { token: this.right / Math.max(1, this.scored), reply: this.rightReplies / Math.max(1, this.replies) };
  }
}
