/** A run does not end below its start: the start can stay the best, a fall stops the run, and a collapse never overwrites the best. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { rlRecipe } from '../../config/recipe/recipe.ts';
import type { Environment } from '../../envs/environment.ts';
import { checkpointNamed, whichCheckpoint } from '../../run/checkpoint-folders.ts';
import { readEvaluations, readMetrics } from '../../run/metrics-log.ts';
import { RunDirectory } from '../../run/run-directory.ts';
import { TabularEngine } from '../fixtures/tabular-engine.fixture.ts';
import type { TrainResult } from '../run/events.ts';
import { trainRl } from './trainer.ts';

const folder = await mkdtemp(join(tmpdir(), 'agoge-safe-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const words = ['left', 'right'];

/** `left` solves it; what is paid for is said beside it. */
function choice(pays: (action: string) => number): Environment {
  return {
    name: 'choice',
    version: '1',
    splits: ['train', 'validation'],
    instructions: { task: 'Choose.', actions: [] },
    tasks: (split) => ({ size: 100, info: (index) => ({ category: '', itemId: `choice-${split}_${index}` }) }),
    open: () => ({
      observation: '?',
      step: (action) => ({ observation: '?', reward: pays(action), done: true, success: action === 'left' }),
      [Symbol.asyncDispose]: async () => undefined,
    }),
  };
}

/** Saves a config as models have one, so that its folders are found. */
class Saved extends TabularEngine {
  override async save(path: string): Promise<void> {
    await super.save(path);
    await (await import('node:fs/promises')).writeFile(join(path, 'config.json'), '{}');
  }
}

async function train(run: string, environment: Environment, given: Record<string, unknown> = {}): Promise<TrainResult> {
  const recipe = rlRecipe({
    run,
    tasks: [{ env: 'choice' }],
    agent: { max_turns: 1, tokens_per_turn: 1 },
    rollout: { groups: 8, samples: 8 },
    steps: 40,
    optimizer: { lr: 0.3 },
    evaluate: { every: 2, at_start: true },
    checkpoint: { every: 0 },
    log: { episodes: 0 },
    ...given,
  });
  const facts = { name: run, kind: 'rl' as const, title: run, seed: 1, steps: recipe.steps, versions: {}, environments: {} };
  const directory = await RunDirectory.create(join(folder, run), '', facts);
  const fresh = (): Saved => new Saved({ words, seed: 1 });
  const parts = { engine: fresh(), reference: fresh(), environment: async () => environment };
  return trainRl(recipe, parts, directory, { signal: new AbortController().signal });
}

test('where the reward pays for failing, the run stops, and its best is the start', async () => {
  const result = await train(
    'falls',
    choice((action) => (action === 'right' ? 1 : 0)),
    {
      optimizer: { lr: 1 },
      evaluate: { every: 4, at_start: true },
    },
  );
  const path = join(folder, 'falls');
  expect(result).toMatchObject({ status: 'stopped', best: { step: 0, by: 'success' } });
  expect(result.reason).toMatch(
    /^success fell from 0\.\d+ to 0\.\d+ and stayed there for 3 evaluations; the best checkpoint is kept/,
  );
  expect(result.step).toBeLessThan(40);
  expect((await checkpointNamed(path, 'best')).path).toBe(join(path, 'start'));
  expect((await checkpointNamed(path, 0)).name).toBe('step_0');
  expect(await whichCheckpoint(path)).toMatch(
    /takes its latest checkpoint, step_\d+; its best is the start \(success 0\.\d+\): run:.*@best$/,
  );
});

test('evaluations that have no result are no zeros: nothing is chosen or stopped by them', async () => {
  const sound = choice((action) => (action === 'left' ? 1 : 0));
  const away: Environment = {
    ...sound,
    open: (task, options) => {
      if (task.split === 'validation') throw new Error('the server is away');
      return sound.open(task, options);
    },
  };
  const result = await train('away', away, { steps: 6, stop: { patience: 2 }, rollout: { groups: 2, samples: 2, retries: 0 } });
  expect(result).toMatchObject({ status: 'finished', step: 6 });
  expect(result.best).toBeUndefined();
  const path = join(folder, 'away');
  expect((await readEvaluations(path)).map(({ n }) => n)).toEqual([0, 0, 0, 0]);
  expect((await readMetrics(path)).flatMap(({ data }) => Object.keys(data).filter((key) => key.startsWith('val-core/')))).toEqual(
    [],
  );
  const [name = ''] = await readdir(join(path, 'logs'));
  expect(await readFile(join(path, 'logs', name), 'utf8')).toContain(
    'evaluation after step 2: choice/validation has no result (failures: environment 100)',
  );
});

test('a run that learns has a better one than its start, and is not stopped', async () => {
  const result = await train(
    'rises',
    choice((action) => (action === 'left' ? 1 : 0)),
    { steps: 12 },
  );
  expect(result.status).toBe('finished');
  expect(result.best?.step).toBeGreaterThan(0);
  const path = join(folder, 'rises');
  const best = await checkpointNamed(path, 'best');
  expect(best.number).toBe(result.best?.step);
  const lines = await readEvaluations(path);
  expect(lines.find(({ step }) => step === best.number)?.success).toBe(Math.max(...lines.map(({ success }) => success)));
});

test('nothing is kept of the start where nothing is chosen by it', async () => {
  await train(
    'watched',
    choice(() => 0),
    { steps: 2, evaluate: { every: 0, at_end: false } },
  );
  expect(await readdir(join(folder, 'watched'))).not.toContain('start');
});
