import { expect, it } from 'vitest';
import { rlRecipe } from '../../config/recipe/recipe.ts';
import { refusePartialGroups } from './setup.ts';

it('a reward that compares samples is not asked about a part of them', () => {
  const played = (rollout: object) => (): void =>
    refusePartialGroups(rlRecipe({ run: 'x', tasks: [{ env: 'x' }], rollout }), { grouped: true });
  expect(played({ samples: 8, probe: 2 })).toThrow(/rollout\.probe has some of them scored apart.*leave rollout\.probe out/);
  expect(played({ samples: 8, branch: 4 })).toThrow(/rollout\.branch/);
  expect(played({ samples: 8 })).not.toThrow();
  const alone = rlRecipe({ run: 'x', tasks: [{ env: 'x' }], rollout: { samples: 8, probe: 2 } });
  expect(() => refusePartialGroups(alone, { grouped: false })).not.toThrow();
});
