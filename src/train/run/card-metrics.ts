/** What a run holds of a card, as metrics: the most of it by verl's name, and now by what it is for. */
import type { Engine } from '../../engine/engine.ts';

const gibibyte = 2 ** 30;

/** Nothing where the engine is on no card. Engines of one process share what is counted. */
export function cardMetrics({ cardMemory }: Pick<Engine, 'cardMemory'>): Record<string, number> {
  if (!cardMemory) return {};
  const { held, most } = cardMemory;
  return {
    'perf/max_memory_allocated_gb': most / gibibyte,
    ...Object.fromEntries(Object.entries(held).map(([owner, bytes]) => [`perf/card_memory_gb/${owner}`, bytes / gibibyte])),
  };
}
