import { describe, expect, it } from 'vitest';
import { rlRecipe, sftRecipe } from './recipe.ts';

describe('ways of sampling that an algorithm cannot learn from', () => {
  const sampler = { url: 'http://127.0.0.1:8000/v1', model: 'base' };
  const recipe = (settings: object) => () => rlRecipe({ run: 'a', tasks: [{ env: 'textcraft' }], ...settings });
  it.each<[object, RegExp]>([
    [{ algorithm: { name: 'ppo' }, rollout: { branch: 2 } }, /rollout\.branch compares the actions of one turn/],
    [{ algorithm: { name: 'remax' }, rollout: { branch: 2 } }, /needs whole episodes/],
    [{ algorithm: { name: 'gigpo' }, rollout: { branch: 2 } }, /needs whole episodes/],
    [{ rollout: { branch: 2, samples: 1 } }, /set rollout\.samples to 2 or more/],
    [{ algorithm: { advice: 1 }, rollout: { branch: 2 } }, /choose one of them/],
    [{ algorithm: { name: 'evol' }, rollout: { staleness: 1 } }, /set rollout\.staleness=0/],
    [{ algorithm: { name: 'dpo' }, rollout: { samples: 1 } }, /pairs need two samples/],
    [{ algorithm: { name: 'dpo', advice: 1 } }, /learns from pairs alone/],
    [{ rollout: { probe: 2, samples: 2 } }, /nothing is left to add/],
    [{ algorithm: { name: 'ppo' }, rollout: { probe: 2 } }, /says nothing to the estimator gae/],
    [{ rollout: { probe: 2, filter: false } }, /set rollout\.filter=true/],
    [{ engine: { sampler }, rollout: { temperature: 0.7 } }, /set rollout\.temperature=1/],
    [{ engine: { sampler }, rollout: { top_p: 0.9 } }, /without top_p and top_k/],
    [{ engine: { sampler, tinker: 'http://a:1' } }, /leave engine\.sampler out/],
  ])('%j is refused', (settings, message) => expect(recipe(settings)).toThrow(message));
  it.each([
    { rollout: { branch: 2 } },
    { rollout: { probe: 2, samples: 8 } },
    { algorithm: { name: 'evol' } },
    { algorithm: { name: 'dpo' } },
    { algorithm: { name: 'rloo' }, rollout: { branch: 1 } },
    { engine: { sampler } },
  ])('%j is fine', (settings) => expect(recipe(settings)).not.toThrow());
  it('demonstrations are not sampled', () => {
    const given = { run: 'a', data: { source: 'experts', experts: [{ env: 'textcraft' }] }, engine: { sampler } };
    expect(() => sftRecipe(given)).toThrow(/engine\.sampler samples for reinforcement learning/);
  });
  it('a probe filters by itself', () => expect(recipe({ rollout: { probe: 2 } })().rollout.filter).toBe(true));
});
