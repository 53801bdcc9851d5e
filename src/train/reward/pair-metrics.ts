/** What ranked pairs say as metrics: the names of DPO and TRL (`rewards/…`), and accuracies by category where the pairs have one. */
export interface Ranked {
  readonly chosen: number;
  readonly rejected: number;
  readonly loss: number;
  readonly category?: string | undefined;
}

export function pairMetrics(ranked: readonly Ranked[], where: 'train' | 'val'): Record<string, number> {
  if (ranked.length === 0) return {};
  const mean = (of: (one: Ranked) => number, among = ranked): number =>
    among.reduce((sum, one) => sum + of(one), 0) / among.length;
  // A tie is half right, so that a model that says nothing ranks half of them right.
  const right = ({ chosen, rejected }: Ranked): number => (chosen > rejected ? 1 : chosen === rejected ? 0.5 : 0);
  const metrics: Record<string, number> = { [`${where}/loss`]: mean(({ loss }) => loss), [`${where}/accuracy`]: mean(right) };
  if (where === 'train') {
    return {
      ...metrics,
      'rewards/chosen': mean(({ chosen }) => chosen),
      'rewards/rejected': mean(({ rejected }) => rejected),
      'rewards/margins': mean(({ chosen, rejected }) => chosen - rejected),
      'rewards/accuracies': mean(right),
    };
  }
  for (const category of new Set(ranked.flatMap(({ category: name }) => name ?? []))) {
    const own = ranked.filter((one) => one.category === category);
    metrics[`val/accuracy/${category.replaceAll(/\W+/g, '_')}`] = mean(right, own);
  }
  return metrics;
}
