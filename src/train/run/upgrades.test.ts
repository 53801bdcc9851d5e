/**
 * Run folders and evaluations of earlier versions (tests/fixtures/upgrades, by the day of the code that wrote them, without weights) are
 * read by today's code; what a newer version wrote is refused with the remedy.
 */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { rlRecipe, sftRecipe } from '../../config/recipe/recipe.ts';
import { upgradeRecipe } from '../../config/recipe/upgrade.ts';
import { readEvaluation } from '../../eval/read.ts';
import { EvaluationStore } from '../../eval/store.ts';
import { readRunFiles } from '../../dashboard/runs/run-files.ts';
import { Checkpoints } from '../../run/checkpoints.ts';
import { readEpisodes } from '../../run/episode-files.ts';
import { parseEpisodeRecord } from '../../run/episode-record.ts';
import { episodesFile } from '../../run/layout.ts';
import { readMetrics } from '../../run/metrics-log.ts';
import { RunDirectory } from '../../run/run-directory.ts';
import { holdsRun } from '../../run/run-info.ts';
import { parseRlState } from '../rl/state.ts';
import { parseSftState } from '../sft/state.ts';

const fixtures = fileURLToPath(new URL('../../../tests/fixtures/upgrades', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'agoge-upgrades-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
await cp(fixtures, folder, { recursive: true });

describe.each(['2026-11-15', '2026-11-16'])('what the code of %s wrote', (day) => {
  it('is a run that goes on after its last step', async () => {
    const path = join(folder, day, 'run');
    const { directory, step } = await RunDirectory.resume(path);
    expect(step).toBe(2);
    expect(parseRlState(await directory.checkpoints.state(step), step)).toMatchObject({
      step: 2,
      episodes: 8,
      agreement: expect.any(Array) as unknown,
    });
    const { config } = upgradeRecipe(parse(await directory.config()));
    expect(rlRecipe(config, path)).toMatchObject({ steps: 2, rollout: { groups: 2, samples: 2 } });
    const episodes = await readEpisodes(episodesFile(path, 2));
    expect(episodes.map((json) => parseEpisodeRecord(json).record.turns.length)).toEqual([3, 3, 3, 3]);
    expect((await readMetrics(path)).map((line) => line.step)).toEqual([1, 2]);
    expect(await readRunFiles(path)).toMatchObject({ kind: 'rl', status: 'finished', steps: 2, problems: [] });
    await directory.begin({});
    expect(JSON.parse(await readFile(join(path, 'run.json'), 'utf8'))).toMatchObject({ v: 1, status: 'running', step: 2 });
    await directory.update({ status: 'stopped' });
  });

  it('is an evaluation that is not played again', async () => {
    const path = join(folder, day, 'evaluation');
    const { scores } = await readEvaluation(path);
    expect(scores.map(({ scored, success }) => [scored, success.mean])).toEqual([[4, 1]]);
    const { store, episodes, problems } = await EvaluationStore.open(path, '20261116_000000');
    expect([episodes.length, problems]).toEqual([4, []]);
    await store.close();
  });
});

it('the recipe of the first SFT runs is brought to today’s words', async () => {
  const path = join(folder, '2026-11-15', 'sft');
  const { directory, step } = await RunDirectory.resume(path);
  expect(parseSftState(await directory.checkpoints.state(step), step).sequences).toBe(39);
  const { config, changes } = upgradeRecipe(parse(await directory.config()));
  expect(changes.map(({ note }) => note)).toHaveLength(3);
  expect(sftRecipe(config, path)).toMatchObject({ agent: { format: 'direct' }, evaluate: { choose: false, split: 'test' } });
  await directory.update({ status: 'stopped' });
});

describe('what a newer version wrote is refused', () => {
  const newer = async (name: string, file: string): Promise<string> => {
    const path = join(folder, name);
    await cp(join(fixtures, '2026-11-16', file.startsWith('run') ? 'run' : 'evaluation'), path, { recursive: true });
    const at = join(path, file.replace(/^(run|evaluation)\//, ''));
    await writeFile(at, JSON.stringify({ ...(JSON.parse(await readFile(at, 'utf8')) as object), v: 2 }));
    return path;
  };
  const remedy = /newer agoge \(version 2; this one reads up to 1\): update with npm install agoge@latest/;

  it('a run, which is not overwritten either', async () => {
    const path = await newer('newer-run', 'run/run.json');
    await expect(RunDirectory.resume(path)).rejects.toThrow(remedy);
    await expect(holdsRun(path)).rejects.toThrow(remedy);
  });

  it('a checkpoint', async () => {
    const path = await newer('newer-checkpoint', 'run/checkpoints/step_000002/trainer.json');
    await expect(new Checkpoints(path).state(2)).rejects.toThrow(remedy);
  });

  it('an evaluation, finished or not', async () => {
    await expect(readEvaluation(await newer('newer-eval', 'evaluation/eval.json'))).rejects.toThrow(remedy);
    const path = await newer('newer-status', 'evaluation/status.json');
    await expect(EvaluationStore.open(path, '20261116_000000')).rejects.toThrow(remedy);
  });
});
