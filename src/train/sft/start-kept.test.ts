/** Imitation that makes a policy worse hands on its start: `@best` is the start where a step is below it by more than noise, and only there. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createFormat } from '../../agent/formats/index.ts';
import { sftRecipe } from '../../config/recipe/recipe.ts';
import type { Environment } from '../../envs/environment.ts';
import { createRenderer } from '../../policy/renderer.ts';
import { readAgentRecord } from '../../run/agent-record.ts';
import { checkpointNamed, whichCheckpoint } from '../../run/checkpoint-folders.ts';
import { readEvaluations } from '../../run/metrics-log.ts';
import { RunDirectory } from '../../run/run-directory.ts';
import { TabularEngine } from '../fixtures/tabular-engine.fixture.ts';
import { chooseBest } from '../run/evaluation.ts';
import type { TrainResult } from '../run/events.ts';
import { Demonstrations } from './demonstrations.ts';
import { ExpertSource } from './expert-source.ts';
import { trainSft } from './trainer.ts';

const folder = await mkdtemp(join(tmpdir(), 'agoge-start-kept-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const words = ['left', 'right'];

/** The expert says `left`; what solves a task is said beside it. */
function choice(solves: (action: string) => boolean): Environment {
  return {
    name: 'choice',
    version: '1',
    splits: ['train'],
    instructions: { task: 'Choose.', actions: [] },
    tasks: () => ({ size: Infinity, info: (index) => ({ category: '', itemId: `choice_${index}` }) }),
    open: () => ({
      observation: '?',
      step: (action) => ({ observation: '?', reward: 0, done: true, success: solves(action.trim()) }),
      [Symbol.asyncDispose]: async () => undefined,
    }),
    expert: () => ({ follows: true, next: () => 'left' }),
  };
}

/** Saves a config as models have one, so that its folders are found. */
class Saved extends TabularEngine {
  override async save(path: string): Promise<void> {
    await super.save(path);
    await writeFile(join(path, 'config.json'), '{}');
  }
}

async function imitate(run: string, environment: Environment, given: Record<string, unknown> = {}): Promise<TrainResult> {
  const recipe = sftRecipe({
    run,
    data: { source: 'experts', experts: [{ env: 'choice' }], max_turns: 1, curriculum: { levels: 1 } },
    agent: { max_turns: 1, tokens_per_turn: 1 },
    batch_tokens: 100,
    optimizer: { lr: 0.3 },
    steps: 20,
    evaluate: { at_start: true, tasks: 60 },
    checkpoint: { every: 0 },
    ...given,
  });
  const engine = new Saved({ words, seed: 1 });
  const decks = recipe.data.experts.map((entry) => ({ entry, environment }));
  const renderer = createRenderer(engine.model.tokenizer);
  const drawing = new Demonstrations({ decks, format: createFormat('direct'), renderer, seed: 1, maxTurns: 1 });
  const parts = { engine, source: new ExpertSource(drawing, recipe, 500), environment: async () => environment };
  const facts = { name: run, kind: 'sft' as const, title: run, seed: 1, steps: recipe.steps, versions: {}, environments: {} };
  const directory = await RunDirectory.create(join(folder, run), '', facts);
  return trainSft(recipe, parts, directory, { signal: new AbortController().signal });
}

test('what the expert does wrong is unlearned, and the best is the start, which can be named and knows its format', async () => {
  const result = await imitate(
    'worse',
    choice((action) => action !== 'left'),
  );
  const path = join(folder, 'worse');
  const [before, after] = (await readEvaluations(path)).map(({ success }) => success);
  expect(before).toBeGreaterThan(0.2);
  expect(after).toBeLessThan(0.1);
  expect(result).toMatchObject({ status: 'finished', best: { step: 0, score: before, by: 'success' } });
  const best = await checkpointNamed(path, 'best');
  expect(best.path).toBe(join(path, 'start'));
  expect(await readAgentRecord(best.path)).toMatchObject({ format: 'direct' });
  expect(await whichCheckpoint(path)).toMatch(/latest checkpoint, step_0*20; its best is the start/);
  expect(result.diagnosis).toEqual([{ kind: 'unlearned', success: [before, after] }]);
});

test('replies that solve nothing yet are handed on: a start that solves as little is no better', async () => {
  const result = await imitate(
    'nothing',
    choice(() => false),
  );
  expect(result).toMatchObject({ best: { step: 20, score: 0 }, diagnosis: [] });
});

test('a step that is below the start by noise alone is the best, one that is below it by more is not', async () => {
  const facts = { name: 'near', kind: 'sft' as const, title: 'near', seed: 1, steps: 9, versions: {}, environments: {} };
  const directory = await RunDirectory.create(join(folder, 'near'), '', facts);
  const start = { score: 0.5, n: 60 };
  const choose = (step: number, score: number): Promise<boolean> =>
    chooseBest(directory, { step, score, n: 60, by: 'success' }, { overLoss: false, start });
  expect(await choose(0, 0.5)).toBe(true);
  expect(await choose(1, 0.3)).toBe(false);
  expect(await choose(2, 0.45)).toBe(true);
  expect(await choose(3, 0.44)).toBe(false); // among steps the better one is chosen
  expect(await directory.checkpoints.best()).toEqual({ step: 2, score: 0.45, by: 'success' });
});

test('learned well, the last step is the best, and the start is not asked for where nothing is chosen', async () => {
  const better = choice((action) => action === 'left');
  expect((await imitate('better', better)).best).toMatchObject({ step: 20 });
  await imitate('watched', better, { evaluate: { at_start: true, tasks: 60, choose: false } });
  await expect(checkpointNamed(join(folder, 'watched'), 0)).rejects.toThrow(/no checkpoint @0/);
});
