/** A run that an evaluation has ended, and that is resumed: as it was it ends again, with a higher limit it goes on. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Environment } from '../../envs/environment.ts';
import { corridor } from '../fixtures/corridor.fixture.ts';
import { resumeCorridor, runCorridor } from '../fixtures/corridor-run.fixture.ts';

const folder = await mkdtemp(join(tmpdir(), 'agoge-stop-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The first evaluation solves all of its 32 episodes, later ones solve none. */
function falling(): Environment {
  const usual = corridor();
  let evaluated = 0;
  return {
    ...usual,
    open(task, options) {
      if (task.split === 'train') return usual.open(task, options);
      const reward = evaluated++ < 32 ? 1 : 0;
      return {
        observation: 'room red',
        step: () => ({ observation: 'lamp', reward, done: true, success: reward === 1 }),
        [Symbol.asyncDispose]: async () => undefined,
      };
    },
  };
}

it.each([
  ['success', { success: 0.9 }, { success: null, fall: null }, /^evaluation reached 1\.000/],
  ['fall', { fall: 1, success: null }, { fall: 9, success: null }, /^success fell from 1\.000 to 0\.000/],
])('stop.%s', async (run, stop, raised, words) => {
  const evaluate = { every: 2, samples: 4, at_start: run === 'fall', at_end: true };
  const given = { run, steps: 5, optimizer: { lr: 1e-6 }, evaluate, stop };
  const { result } = await runCorridor(folder, given, { environments: { corridor: falling() } });
  expect(result).toMatchObject({ status: 'stopped', step: 2, reason: expect.stringMatching(words) as string });
  const again = await resumeCorridor(folder, given);
  expect(again.result).toMatchObject({ status: 'stopped', step: 2, reason: result.reason });
  const longer = await resumeCorridor(folder, { ...given, stop: raised });
  expect(longer.result).toMatchObject({ status: 'finished', step: 5 });
});
