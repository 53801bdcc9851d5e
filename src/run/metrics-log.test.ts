import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { MetricsLog, readEvaluations, readMetrics } from './metrics-log.ts';

const folder = await mkdtemp(join(tmpdir(), 'agoge-metrics-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const line = { time: '', panel: 'x', n: 1, success: 1, low: 0, high: 1, reward: 1, turns: 1, failures: {}, categories: {} };

it('an evaluation that is played again leaves those before and after it', async () => {
  const log = new MetricsLog(folder);
  for (const step of [0, 2, 4]) await log.evaluation({ ...line, step });
  await log.dropEvaluation(2);
  expect((await readEvaluations(folder)).map(({ step }) => step)).toEqual([0, 4]);
});

it('an evaluation that was made up for is added to the metrics of its step, and to no other', async () => {
  const log = new MetricsLog(folder);
  for (const step of [1, 2]) await log.append(step, { loss: step });
  await log.amend(2, { 'val/success': 0.5 });
  await log.amend(3, { 'val/success': 0.9 });
  expect((await readMetrics(folder)).map(({ step, data }) => ({ step, data }))).toEqual([
    { step: 1, data: { loss: 1 } },
    { step: 2, data: { loss: 2, 'val/success': 0.5 } },
  ]);
});
