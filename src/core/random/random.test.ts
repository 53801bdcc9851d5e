import { describe, expect, it } from 'vitest';
import { Random } from './random.ts';

describe('Random', () => {
  it('is a function of seed and path', () => {
    const draw = (random: Random) => Array.from({ length: 5 }, () => random.uint32());
    expect(draw(Random.of(7, 'a'))).toEqual(draw(Random.of(7, 'a')));
    expect(draw(Random.of(7, 'a'))).not.toEqual(draw(Random.of(7, 'b')));
    expect(draw(Random.of(7))).not.toEqual(draw(Random.of(8)));
    expect(draw(Random.of(7, 1))).not.toEqual(draw(Random.of(7, '1')));
  });

  it('splits independently of how much was drawn', () => {
    const early = Random.of(1);
    const late = Random.of(1);
    for (let i = 0; i < 100; i++) late.uint32();
    expect(early.split('x').float()).toBe(late.split('x').float());
  });

  it('is uniform enough to pass a chi-square of 64 cells', () => {
    const random = Random.of(3);
    const counts = new Float64Array(64);
    for (let i = 0; i < 64_000; i++) counts[random.below(64)]! += 1;
    const chi = counts.reduce((sum, n) => sum + (n - 1000) ** 2 / 1000, 0);
    expect(chi).toBeLessThan(110); // 63 degrees of freedom, p ≈ 2e-4
  });

  it('shuffles without losing anything and keeps normal draws standard', () => {
    const random = Random.of(5);
    expect(random.shuffle([1, 2, 3, 4]).sort()).toEqual([1, 2, 3, 4]);
    const draws = Array.from({ length: 20_000 }, () => random.normal());
    const mean = draws.reduce((a, b) => a + b) / draws.length;
    const variance = draws.reduce((a, b) => a + (b - mean) ** 2, 0) / draws.length;
    expect(Math.abs(mean)).toBeLessThan(0.03);
    expect(Math.abs(variance - 1)).toBeLessThan(0.05);
  });
});
