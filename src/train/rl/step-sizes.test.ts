/** How large a step is, and what its metrics say about it: read off runs in which nothing moves, so that all of them see the same batch. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readEpisodes } from '../../run/episode-files.ts';
import { parseEpisodeRecord } from '../../run/episode-record.ts';
import { episodesFile } from '../../run/layout.ts';
import { readMetrics } from '../../run/metrics-log.ts';
import { corridor } from '../fixtures/corridor.fixture.ts';
import { runCorridor } from '../fixtures/corridor-run.fixture.ts';

const folder = await mkdtemp(join(tmpdir(), 'agoge-sizes-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const environments = { corridor: corridor({ length: 1 }) };
let runs = 0;

/** The metrics of the first step. */
async function first(given: Record<string, unknown>): Promise<Readonly<Record<string, number>>> {
  const still = { steps: 1, optimizer: { lr: 0 }, rollout: { groups: 8, samples: 4 } };
  const { path } = await runCorridor(folder, { run: `still${runs++}`, ...still, ...given }, { environments });
  return (await readMetrics(path))[0]?.data ?? {};
}

describe('a step', () => {
  it('over several epochs has the mean of their losses, not the sum', async () => {
    const algorithm = { kl: { coefficient: 0.1 } };
    const [once, thrice] = [await first({ algorithm }), await first({ algorithm, update: { epochs: 3 } })];
    expect(thrice['actor/optimizer_steps']).toBe(3);
    expect(thrice['actor/pg_loss']).toBeCloseTo(once['actor/pg_loss'] ?? NaN, 9);
    expect(thrice['actor/kl_loss']).toBeCloseTo(once['actor/kl_loss'] ?? NaN, 9);
  });

  it.each(['seq-mean-token-sum', 'seq-mean-token-sum-norm'])(
    'on what a filter left is as long as that of the whole batch: %s',
    async (aggregation) => {
      const algorithm = { aggregation };
      const all = await first({ algorithm });
      const some = await first({ algorithm, rollout: { groups: 8, samples: 4, filter: true } });
      expect(some['train/filtered_groups']).toBeGreaterThan(0);
      expect(some['train/filtered_groups']).toBeLessThan(8);
      expect(some['actor/grad_norm']).toBeCloseTo(all['actor/grad_norm'] ?? NaN, 9);
    },
  );

  it('of Dr. GRPO is divided by what an episode may say, a constant', async () => {
    const sums = await first({ algorithm: { scale: 'none', aggregation: 'seq-mean-token-sum' } });
    const divided = await first({ algorithm: { name: 'dr-grpo' } });
    // 32 rows in the one mean; 4 turns of 2 tokens in the other.
    expect(divided['actor/grad_norm']).toBeCloseTo(((sums['actor/grad_norm'] ?? NaN) * 32) / (4 * 2), 9);
  });

  it('says how far trainer and sampler differ, not how far it has moved itself', async () => {
    const moving = await first({ optimizer: { lr: 0.3 }, update: { minibatches: 4, epochs: 2 } });
    expect(moving['actor/optimizer_steps']).toBeGreaterThan(1);
    expect(moving['training/rollout_probs_diff_max']).toBeLessThan(1e-6);
  });

  it('of the critic follows the schedule', async () => {
    const given = {
      steps: 4,
      optimizer: { lr: 0.1, schedule: 'linear', warmup: 1 },
      algorithm: { name: 'ppo' },
      critic: { lr: 0.2 },
    };
    const { path } = await runCorridor(folder, { run: 'critic', ...given }, { environments });
    const data = (await readMetrics(path)).map((line) => line.data);
    expect(new Set(data.map((one) => one['critic/lr'])).size).toBeGreaterThan(2);
    for (const one of data) if (one['actor/lr'] !== undefined) expect(one['critic/lr']).toBeCloseTo(2 * one['actor/lr'], 12);
  });
});

it('a part of a panel is spread over it', async () => {
  const evaluate = { at_end: true, tasks: 4 };
  const { path } = await runCorridor(folder, { run: 'spread', steps: 1, evaluate }, { environments });
  const played = (await readEpisodes(episodesFile(path, 1, 'eval'))).map((line) =>
    parseEpisodeRecord(line).record.task.replace(/.*#/, ''),
  );
  expect(played.sort()).toEqual(['0', '2', '4', '6']);
});
