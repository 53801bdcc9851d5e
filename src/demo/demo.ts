/**
 * The demo: a shipped policy is evaluated on tasks it never trains on, trained by GRPO for a minute on others, and evaluated
 * again. Real environment, engine, trainer and evaluation; the result is the evaluation's, paired and exact, not the training reward.
 */
import { join } from 'node:path';
import { createFormat } from '../agent/formats/index.ts';
import type { Engine } from '../engine/engine.ts';
import type { Environment } from '../envs/environment.ts';
import type { Comparison } from '../eval/compare.ts';
import { evaluate, type Evaluation } from '../eval/evaluate.ts';
import { readPacked } from '../eval/store.ts';
import { EnginePolicy } from '../policy/engine-policy.ts';
import type { EpisodeRecord } from '../run/episode-record.ts';
import { evaluationLayout } from '../run/layout.ts';
import type { RunDirectory } from '../run/run-directory.ts';
import type { TrainerEvents, TrainResult } from '../train/run/events.ts';
import { trainRl } from '../train/rl/trainer.ts';
import { demoPanel, demoTasks, type DemoChoice } from './plan.ts';
import type { RlRecipe } from '../config/recipe/rl-recipe.ts';

export interface DemoParts {
  readonly engine: Engine;
  readonly environment: Environment;
  readonly directory: RunDirectory;
  readonly recipe: RlRecipe;
  /** Step of the checkpoint to go on from; 0 where training has not begun. */
  readonly from: number;
}

export interface DemoEvents extends TrainerEvents {
  onPhase?(phase: 'before' | 'training' | 'after'): void;
  onEpisode?(done: number, of: number): void;
  /** The success of the policy as it ships, on the tasks of the test. */
  onBefore?(success: number): void;
}

export interface DemoResult {
  readonly before: number;
  readonly after: number;
  readonly n: number;
  readonly p: number;
  readonly comparison: Comparison;
  readonly training: TrainResult;
  /** One task as it was played before and after, where the two differ. */
  readonly example?: { readonly before: EpisodeRecord; readonly after: EpisodeRecord };
}

/** Does what is missing: nothing is played or trained twice when an interrupted demo goes on. */
export async function runDemo(
  choice: DemoChoice,
  parts: DemoParts,
  signal: AbortSignal,
  events: DemoEvents = {},
): Promise<DemoResult> {
  try {
    return await allOfIt(choice, parts, signal, events);
  } catch (thrown) {
    const { directory } = parts;
    if (signal.aborted && directory.info.status === 'running')
      await directory.update({ status: 'interrupted', reason: 'interrupted' });
    throw thrown;
  }
}

async function allOfIt(choice: DemoChoice, parts: DemoParts, signal: AbortSignal, events: DemoEvents): Promise<DemoResult> {
  const { engine, environment, directory, recipe, from } = parts;
  const folder = join(directory.path, 'evaluation');
  const test = (policies: readonly string[]): Promise<Evaluation> =>
    evaluatePanel(choice, parts, folder, policies, signal, events);
  events.onPhase?.('before');
  const { scores } = await test(['before']); // with the engine's weights as they ship
  if (scores[0]) events.onBefore?.(scores[0].success.mean);
  events.onPhase?.('training');
  const training = await trainRl(recipe, { engine, environment: async () => environment }, directory, { signal, events, from });
  signal.throwIfAborted();
  events.onPhase?.('after');
  // The engine holds the trained weights now; what was played before is not played again.
  const { comparisons } = await test(['before', 'after']);
  const [comparison] = comparisons;
  if (!comparison) throw new Error('an evaluation with a baseline has a comparison');
  const example = await tellingTask(join(folder, evaluationLayout.episodes));
  return {
    before: comparison.success.a,
    after: comparison.success.b,
    n: comparison.n,
    p: comparison.success.p,
    comparison,
    training,
    ...(example && { example }),
  };
}

async function evaluatePanel(
  choice: DemoChoice,
  { engine, environment, recipe }: DemoParts,
  folder: string,
  policies: readonly string[],
  signal: AbortSignal,
  events: DemoEvents,
): Promise<Evaluation> {
  const { test } = demoTasks(choice);
  const turns = typeof recipe.agent.max_turns === 'number' ? recipe.agent.max_turns : 8;
  let done = 0;
  return evaluate(
    {
      panels: [
        {
          environment,
          split: test,
          tasks: Array.from({ length: demoPanel.tasks }, (_, index) => index),
          limits: { turns, tokensPerTurn: recipe.agent.tokens_per_turn },
        },
      ],
      policies: policies.map((id) => ({ id, identity: { run: recipe.run }, open: async () => new EnginePolicy(engine, { id }) })),
      format: createFormat('direct'),
      sampling: { temperature: 1 },
      repeats: { samples: 1, seeds: 1, seed: choice.seed },
      ...(policies.length > 1 && { baseline: 'before' }),
      folder,
      stamp: '00000000_000000',
      signal,
    },
    {
      onPanel: (_panel, _policy, _total, ready) => (done = ready.length),
      onEpisode: () => events.onEpisode?.(++done, demoPanel.tasks),
    },
  );
}

/** A task that failed before and succeeded after, the shortest of them; it is what the numbers mean. */
async function tellingTask(file: string): Promise<DemoResult['example']> {
  const records = (await readPacked(file)).map(({ record }) => record);
  const solved = ({ outcome }: EpisodeRecord): boolean => outcome.kind === 'finished' && outcome.success;
  const before = new Map(records.filter(({ policy }) => policy === 'before').map((record) => [record.task, record]));
  const turned = records
    .filter((record) => record.policy === 'after' && solved(record))
    .flatMap((after) => {
      const earlier = before.get(after.task);
      return earlier && !solved(earlier) ? [{ before: earlier, after }] : [];
    });
  return turned.sort((a, b) => b.after.turns.length - a.after.turns.length)[0];
}
