/** How far an SFT run has come, however its length is measured, and how a batch is cut into calls of the engine. */
import type { TrajectoryDatum } from '../../agent/datum.ts';
import type { SftRecipe } from '../../config/recipe/sft-recipe.ts';
import type { SftBatch } from './source.ts';

/** Shares of the run that are done before and after a batch. */
export interface Share {
  readonly from: number;
  readonly to: number;
}

/** What counts towards a limit. */
export interface Done {
  readonly step: number;
  readonly tokens: number;
  /** Seconds. */
  readonly elapsed: number;
  /** Sequences. */
  readonly drawn: number;
}

/** The share of a run that is done, by whichever limit is nearest; `size` is all sequences of all epochs, where they end. */
export function shareOf(
  { steps, tokens, minutes }: Pick<SftRecipe, 'steps' | 'tokens' | 'minutes'>,
  size: number | undefined,
  done: Done,
): number {
  return Math.max(
    steps === null ? 0 : done.step / steps,
    tokens === null ? 0 : done.tokens / tokens,
    minutes === null ? 0 : done.elapsed / (60 * minutes),
    size === undefined ? 0 : done.drawn / size,
  );
}

export function tokensOf({ data }: SftBatch): number {
  return data.reduce((sum, datum) => sum + datum.tokens.length, 0);
}

/** Ranges of the batch of at most so many tokens. */
export function* cuts(data: readonly TrajectoryDatum[], limit: number): Generator<[number, number]> {
  let from = 0;
  let used = 0;
  for (const [i, datum] of data.entries()) {
    if (i > from && used + datum.tokens.length > limit) {
      yield [from, i];
      from = i;
      used = 0;
    }
    used += datum.tokens.length;
  }
  if (from < data.length) yield [from, data.length];
}
