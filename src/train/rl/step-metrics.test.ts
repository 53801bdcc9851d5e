import { expect, it } from 'vitest';
import type { Environment } from '../../envs/environment.ts';
import { rlRecipe } from '../../config/recipe/recipe.ts';
import { emptyDatum } from '../../agent/datum.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import type { Batch, PlayedEpisode, PlayedGroup } from './batch.ts';
import { emptyTimes, stepMetrics } from './step-metrics.ts';

function group(number: number, wins: string): PlayedGroup {
  const episodes = Array.from(wins, (win): PlayedEpisode => {
    const reward = Number(win);
    const outcome = { kind: 'finished', reward, success: reward === 1 } as const;
    return { trajectory: { outcome, turns: [], time: {} } as unknown as Trajectory, datum: emptyDatum, reward };
  });
  return { number, key: '', environment: { name: 'x' } as Environment, episodes, unselected: 2, signal: /01|10/.test(wins) };
}

it('success is that of tasks, however many episodes probing gave each', () => {
  // Half of the tasks are always solved and get two episodes; the others are solved half of the time and get eight.
  const groups = [group(0, '11'), group(1, '10010110'), group(2, '11'), group(3, '01101001')];
  const batch: Batch = { step: 1, groups, filtered: [], lost: 0, failures: {}, seconds: 0, maxTurns: 1 };
  const learned = { rows: [], learningRate: 0, criticLearningRate: 0, klCoefficient: 0, kl: 0, staleness: 0, correction: {} };
  const metrics = stepMetrics({ batch, times: emptyTimes(), ...learned }, rlRecipe({ run: 'x', tasks: [{ env: 'x' }] }));
  expect(metrics['train/success']).toBe(0.75);
  expect(metrics['critic/score/mean']).toBe(0.75);
  expect(metrics['train/episodes']).toBe(20);
});

it('time per sampled token is that of all tokens that were sampled, left-out groups included', () => {
  const said = (tokens: number): PlayedGroup => {
    const [episode] = group(0, '1').episodes as [PlayedEpisode];
    return { ...group(0, '1'), episodes: [{ ...episode, datum: { ...emptyDatum, logprobs: new Float32Array(tokens) } }] };
  };
  const batch: Batch = { step: 1, groups: [said(30)], filtered: [said(70)], lost: 0, failures: {}, seconds: 0, maxTurns: 1 };
  const learned = { rows: [], learningRate: 0, criticLearningRate: 0, klCoefficient: 0, kl: 0, staleness: 0, correction: {} };
  const recipe = rlRecipe({ run: 'x', tasks: [{ env: 'x' }] });
  const metrics = stepMetrics({ batch, times: { ...emptyTimes(), gen: 2 }, ...learned }, recipe);
  expect(metrics['timing_per_token_ms/gen']).toBe(20);
});
