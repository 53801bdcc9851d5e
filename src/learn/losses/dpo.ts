/**
 * Direct preference optimisation (Rafailov et al. 2023) and its kin, on one pair: h = (chosen − rejected) log-probability of
 * the policy minus that of the reference. sigmoid: −log σ(βh), with label smoothing; hinge: max(0, 1 − βh) (SLiC);
 * ipo: (h − 1/2β)² (Azar et al. 2023). The derivative by the chosen log-probability is minus that by the rejected one.
 */
export const preferenceLosses = ['sigmoid', 'hinge', 'ipo'] as const;
export type PreferenceLossName = (typeof preferenceLosses)[number];

export interface Preference {
  /** Summed log-probabilities of the two replies. */
  readonly chosen: number;
  readonly rejected: number;
  readonly chosenReference: number;
  readonly rejectedReference: number;
}

export interface PreferenceOptions {
  readonly beta?: number;
  readonly loss?: PreferenceLossName;
  readonly labelSmoothing?: number;
}

export interface PreferenceLoss {
  readonly loss: number;
  /** dloss/dchosen; dloss/drejected is its negative. */
  readonly gradient: number;
  /** Implicit rewards β(log π − log π_ref). */
  readonly rewardChosen: number;
  readonly rewardRejected: number;
}

/** The loss of one pair (DPO's sigmoid, hinge, IPO) with its derivatives. */
export function preferenceLoss(
  pair: Preference,
  { beta = 0.1, loss = 'sigmoid', labelSmoothing = 0 }: PreferenceOptions = {},
): PreferenceLoss {
  const rewardChosen = beta * (pair.chosen - pair.chosenReference);
  const rewardRejected = beta * (pair.rejected - pair.rejectedReference);
  const margin = rewardChosen - rewardRejected;
  const rewards = { rewardChosen, rewardRejected };
  switch (loss) {
    case 'sigmoid': {
      const [right, wrong] = [softplus(-margin), softplus(margin)];
      const value = (1 - labelSmoothing) * right + labelSmoothing * wrong;
      const slope = (1 - labelSmoothing) * -sigmoid(-margin) + labelSmoothing * sigmoid(margin);
      return { loss: value, gradient: beta * slope, ...rewards };
    }
    case 'hinge':
      return { loss: Math.max(0, 1 - margin), gradient: margin < 1 ? -beta : 0, ...rewards };
    case 'ipo': {
      const h = margin / beta;
      return { loss: (h - 1 / (2 * beta)) ** 2, gradient: 2 * (h - 1 / (2 * beta)), ...rewards };
    }
  }
}

function sigmoid(x: number): number {
  return x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x));
}

/** log(1 + e^x) without overflow. */
function softplus(x: number): number {
  return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
}
