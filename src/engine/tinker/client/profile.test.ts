import { describe, expect, it } from 'vitest';
import { checkBetas } from './profile.ts';

describe('Adam in bfloat16', () => {
  // What SkyRL 0.3.0 told after a step at 1e-5 of a model in bfloat16, and what a float32 model tells.
  const half = { 'skyrl.ai/learning_rate': 1.0013580322265625e-5, 'skyrl.ai/grad_norm': 0.98828125 };
  const single = { 'skyrl.ai/learning_rate': Math.fround(1e-5) };

  it('a second beta that is 1 there is an error', () => {
    expect(() => checkBetas(half, 1e-5, [0.9, 0.999])).toThrow(/bfloat16, where 0.999 is 1.*optimizer.betas/);
  });

  it('one that stays below 1, float32 and servers that tell no rate are not', () => {
    checkBetas(half, 1e-5, [0.9, 0.95]);
    checkBetas(single, 1e-5, [0.9, 0.999]);
    checkBetas({}, 1e-5, [0.9, 0.999]);
  });
});
