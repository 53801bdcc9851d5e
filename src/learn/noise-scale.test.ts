import { expect, it } from 'vitest';
import { Random } from '../core/random/random.ts';
import { noiseScale } from './noise-scale.ts';

/** Gradients of one episode: a direction of length 1 in 400 dimensions, and noise of deviation 1 in each of them: tr(Σ) / |G|² = 400. */
function half(random: Random, episodes: number): number[] {
  return Array.from({ length: 400 }, (_, d) => (d === 0 ? 1 : 0) + random.normal() / Math.sqrt(episodes));
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]): number => x.reduce((sum, value, i) => sum + value * (y[i] ?? NaN), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

it.each([32, 128, 512])('is found from halves of %i episodes, whatever their size', (episodes) => {
  const random = Random.of(episodes, 'noise');
  const cosines = Array.from({ length: 200 }, () => cosine(half(random, episodes), half(random, episodes)));
  const { low, episodes: found, high } = noiseScale(cosines, episodes);
  expect(low).toBeLessThan(found);
  expect(high).toBeGreaterThan(found);
  expect(found).toBeGreaterThan(300);
  expect(found).toBeLessThan(530);
});

it('knows no upper bound where the halves do not agree', () => {
  const { low, episodes, high } = noiseScale([0.02, -0.03, 0.01, -0.02], 100);
  expect([episodes, high]).toEqual([Infinity, Infinity]);
  expect(low).toBeGreaterThan(1000);
});
