/** A run that was interrupted and goes on is the run that never was: not only its weights, but its counts, its tasks and its lists. */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { rlRecipe } from '../../config/recipe/recipe.ts';
import { sleep } from '../../core/deadline.ts';
import { parseIndexLine, type IndexedEpisode } from '../../run/episode-index.ts';
import type { EpisodeRecord } from '../../run/episode-record.ts';
import { episodesFile, layout } from '../../run/layout.ts';
import { readMetrics } from '../../run/metrics-log.ts';
import { RunDirectory } from '../../run/run-directory.ts';
import { readRunInfo } from '../../run/run-info.ts';
import { runCorridor, type CorridorRun } from '../fixtures/corridor-run.fixture.ts';
import { corridor, corridorWords } from '../fixtures/corridor.fixture.ts';
import { TabularEngine } from '../fixtures/tabular-engine.fixture.ts';
import { trainRl } from './trainer.ts';

const folder = await mkdtemp(join(tmpdir(), 'agoge-resume-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const given = { steps: 6, evaluate: { every: 2, samples: 2, at_end: true }, checkpoint: { every: 2 }, log: { episodes: 1 } };
let runs = 0;
/** The same recipe in one go, and interrupted after a step. */
async function both(more: Record<string, unknown> = {}, cutAfter = 5): Promise<[CorridorRun, CorridorRun]> {
  const name = `run-${String(runs++)}`;
  const whole = await runCorridor(folder, { ...given, ...more, run: `${name}-whole` });
  const cut = await runCorridor(folder, { ...given, ...more, run: `${name}-cut` }, { cutAfter });
  return [whole, cut];
}

const pair = both();

/** The lines of an index, without the name of the run that each carries. */
async function index({ path }: CorridorRun): Promise<IndexedEpisode[]> {
  const lines = (await readFile(join(path, layout.episodeIndex), 'utf8')).trim().split('\n');
  return lines.flatMap((line) => parseIndexLine(line) ?? []).map((one) => ({ ...one, policy: '' }));
}

it('its list of episodes is equal row by row', async () => {
  const [whole, cut] = await pair;
  const rows = await index(whole);
  expect(rows).toHaveLength(6 * 4 * 8 + 3 * 8 * 2);
  expect(await index(cut)).toEqual(rows);
});

it('its episodes and tokens are counted from its beginning', async () => {
  const [whole, cut] = await pair;
  const counts = async ({ path }: CorridorRun): Promise<unknown> => {
    const { episodes, tokens, step, best } = await readRunInfo(path);
    return { episodes, tokens, step, best };
  };
  expect(await counts(whole)).toMatchObject({ episodes: 6 * 4 * 8 });
  expect(await counts(cut)).toEqual(await counts(whole));
});

it('what its gradients agreed on before is remembered', async () => {
  const [whole, cut] = await pair;
  const means = async ({ path }: CorridorRun): Promise<unknown[]> =>
    // The table's cells are summed in another order after a resume: the last digits differ.
    (await readMetrics(path)).map(({ data }) => data['train/gradient_agreement_mean']?.toFixed(9));
  const before = await means(whole);
  expect([before[3], before[5] === before[3]]).toEqual([expect.any(String), false]);
  expect(await means(cut)).toEqual(await means(whole));
});

it.each([1, 2])('with sampling %d steps ahead, no task is skipped and none is played twice', async (staleness) => {
  const [whole, cut] = await both({ rollout: { groups: 3, samples: 2, staleness } });
  const tasks = async (run: CorridorRun): Promise<string[]> => {
    const trained = (await index(run)).filter(({ purpose }) => purpose === 'train');
    return trained.map(({ step, task, sample }) => `${String(step)} ${task} ${String(sample)}`);
  };
  expect(await tasks(cut)).toEqual(await tasks(whole));
});

it('a checkpoint comes after the episodes of its step, however slowly they are written', async () => {
  const path = join(folder, 'slow');
  const recipe = rlRecipe({
    run: 'slow',
    tasks: [{ env: 'corridor' }],
    agent: { max_turns: 4, tokens_per_turn: 2 },
    rollout: { groups: 2, samples: 2 },
    steps: 2,
    evaluate: { at_end: false },
    checkpoint: { every: 1 },
  });
  const directory = await RunDirectory.create(path, '', {
    name: 'slow',
    kind: 'rl',
    title: '',
    seed: 1,
    steps: 2,
    versions: {},
    environments: {},
  });
  const write = directory.episodes.write.bind(directory.episodes);
  directory.episodes.write = async (step: number, records: readonly EpisodeRecord[]) => {
    await sleep(200);
    await write(step, records);
  };
  const saved: boolean[] = [];
  class Watching extends TabularEngine {
    override async save(at: string): Promise<void> {
      saved.push(await stat(episodesFile(path, saved.length + 1)).then(() => true, () => false)); // prettier-ignore
      await super.save(at);
    }
  }
  const engine = new Watching({ words: corridorWords, seed: 1 });
  await trainRl(recipe, { engine, environment: async () => corridor() }, directory, { signal: new AbortController().signal });
  expect(saved).toEqual([true, true]);
});
