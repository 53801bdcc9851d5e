import { describe, expect, it } from 'vitest';
import { idleSettings } from './idle-settings.ts';
import { rlRecipe } from './recipe.ts';

function notes(written: Record<string, unknown>): string {
  const recipe = { run: 'x', tasks: [{ env: 'textcraft' }], ...written };
  return idleSettings(recipe, rlRecipe(recipe)).join('\n');
}

describe('settings without effect', () => {
  it.each([
    [{ algorithm: { name: 'grpo', gamma: 0.9 } }, 'algorithm.gamma'],
    [{ algorithm: { name: 'grpo', lambda: 0.9 } }, 'algorithm.lambda'],
    [{ algorithm: { name: 'rloo', scale: 'none' } }, 'algorithm.scale'],
    [{ rollout: { refill: 2 } }, 'rollout.refill'],
    [{ rollout: { samples: 1 } }, 'rollout.samples is 1'],
    [{ steps: 10, optimizer: { warmup: 20 } }, 'optimizer.warmup'],
    [{ critic: { lr: 1e-3 } }, 'critic has no effect'],
    [{ optimizer: { min_ratio: 0.1 } }, 'optimizer.min_ratio'],
    [{ algorithm: { name: 'dpo', clip: 0.1 } }, 'algorithm.clip'],
    [{ algorithm: { name: 'rejection', clip: 0.1 } }, 'algorithm.clip'],
    [{ algorithm: { name: 'gspo', dual_clip: 3 } }, 'algorithm.dual_clip'],
    [{ algorithm: { target_kl: 0.01 } }, 'algorithm.target_kl'],
    [{ algorithm: { renew: { every: 5 } } }, 'algorithm.renew'],
    [{ curriculum: { success: 0.5 } }, 'curriculum has no effect'],
    [{ engine: { card_memory: 20 } }, 'engine.card_memory has no effect'],
    [{ tasks: [{ env: 'textcraft' }, { env: 'textcraft', level: 1 }] }, 'tasks.level'],
  ])('are named: %j', (written, key) => {
    expect(notes(written)).toContain(key);
  });
  it('are not named where they act, nor where they are defaults', () => {
    expect(notes({})).toBe('');
    expect(notes({ algorithm: { target_kl: 0.01, clip: 0.1, dual_clip: 3 }, update: { epochs: 2 } })).toBe('');
    expect(notes({ algorithm: { name: 'ppo', gamma: 0.9, lambda: 0.9 }, critic: { lr: 1e-3 } })).toBe('');
    expect(notes({ algorithm: { name: 'dapo' }, rollout: { refill: 2 } })).toBe('');
    expect(notes({ algorithm: { kl: {}, renew: { every: 5 } } })).toBe('');
    expect(notes({ curriculum: {}, tasks: [{ env: 'textcraft' }, { env: 'textcraft', level: 1 }] })).toBe('');
    expect(notes({ engine: { device: 'cuda', card_memory: 20 } })).toBe('');
    expect(notes({ algorithm: { name: 'distill' }, rollout: { samples: 1 } })).toBe('');
  });
});
