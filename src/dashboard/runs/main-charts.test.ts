import { expect, it } from 'vitest';
import { mainCharts } from './main-charts.ts';

it('every metric of verl that is shown first has one chart', () => {
  const names = [
    'train/success',
    'critic/score/mean',
    'actor/entropy',
    'actor/kl_loss',
    'actor/ppo_kl',
    'actor/pg_loss',
    'actor/grad_norm',
    'perf/throughput',
    'actor/lr',
    'val-core/textcraft/success/mean@4',
  ];
  for (const name of names)
    expect(
      mainCharts.filter(({ metrics }) => metrics.test(name)),
      name,
    ).toHaveLength(1);
});
