import { expect, it } from 'vitest';
import { cardMetrics } from './card-metrics.ts';

const none = { weights: 0, training: 0, activations: 0, cache: 0, other: 0, runtime: 0 };

it('an engine on a card tells the most it held, and what it holds by what it is for', () => {
  const held = { ...none, weights: 2 ** 30, cache: 2 ** 29 };
  expect(cardMetrics({ cardMemory: { held, most: 2 ** 31 } })).toMatchObject({
    'perf/max_memory_allocated_gb': 2,
    'perf/card_memory_gb/weights': 1,
    'perf/card_memory_gb/cache': 0.5,
    'perf/card_memory_gb/runtime': 0,
  });
});

it('an engine without one tells nothing', () => {
  expect(cardMetrics({})).toEqual({});
});
