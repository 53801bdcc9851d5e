/**
 * Bradley and Terry's likelihood of preferences: P(chosen over rejected) = σ(r_chosen − r_rejected), so a pair costs −log σ(margin). Scores of
 * a reward model are free up to a constant; `center` · (r_chosen + r_rejected)² keeps them near zero (Eisenstein et al. 2023).
 */
export interface PairLoss {
  readonly loss: number;
  /** By the chosen one's score and by the rejected one's. */
  readonly chosen: number;
  readonly rejected: number;
}

export interface PairLossOptions {
  /** How much better the chosen one is, where raters said so (Llama 2): −log σ(r_chosen − r_rejected − margin). */
  readonly margin?: number | undefined;
  readonly center?: number;
}

export function bradleyTerry(chosen: number, rejected: number, { margin = 0, center = 0 }: PairLossOptions = {}): PairLoss {
  const difference = chosen - rejected - margin;
  // log(1 + e^−d) without overflow.
  const loss = Math.max(-difference, 0) + Math.log1p(Math.exp(-Math.abs(difference)));
  const slope = difference >= 0 ? -Math.exp(-difference) / (1 + Math.exp(-difference)) : -1 / (1 + Math.exp(difference));
  const sum = chosen + rejected;
  return {
    loss: loss + center * sum * sum,
    chosen: slope + 2 * center * sum,
    rejected: -slope + 2 * center * sum,
  };
}
