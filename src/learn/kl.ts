/**
 * Estimators of the divergence from a reference policy, per sampled token (Schulman 2020), with d = log π − log π_ref:
 * k1 = d, abs = |d|, k2 = d²/2, k3 = e^−d + d − 1 (held within ±20 and ±10). A name ending in `+` has that value and the
 * gradient of k2, which is the unbiased one. Controllers of its coefficient: fixed and adaptive (Ziegler et al. 2019).
 */
export const klEstimators = ['k1', 'abs', 'k2', 'k3', 'k1+', 'abs+', 'k3+'] as const;
/** Names of the estimators. */
export type KlEstimator = (typeof klEstimators)[number];

/**
 * An estimate of the KL divergence at one token, with its derivative by the log-probability.
 *
 * @example
 * console.log(klPenalty('k1', -1, -1.5).value); // 0.5
 */
export function klPenalty(estimator: KlEstimator, logprob: number, reference: number): { value: number; gradient: number } {
  const d = logprob - reference;
  switch (estimator) {
    case 'k1':
      return { value: d, gradient: 1 };
    case 'abs':
      return { value: Math.abs(d), gradient: Math.sign(d) };
    case 'k2':
      return { value: (d * d) / 2, gradient: d };
    case 'k3': {
      const x = Math.max(-20, Math.min(20, -d));
      const value = Math.exp(x) - x - 1;
      return { value: Math.min(10, value), gradient: value > 10 || Math.abs(d) > 20 ? 0 : 1 - Math.exp(x) };
    }
    case 'k1+':
    case 'abs+':
    case 'k3+':
      return { value: klPenalty(estimator.slice(0, -1) as KlEstimator, logprob, reference).value, gradient: d };
  }
}

export interface KlControl {
  readonly type: 'fixed' | 'adaptive';
  readonly target?: number;
  readonly horizon?: number;
}

/** The coefficient after a batch of `episodes` with this mean divergence. */
export function nextKlCoefficient(coefficient: number, kl: number, episodes: number, control: KlControl): number {
  if (control.type === 'fixed') return coefficient;
  const { target = 0.1, horizon = 10_000 } = control;
  const error = Math.max(-0.2, Math.min(0.2, kl / target - 1));
  return coefficient * (1 + (error * episodes) / horizon);
}
