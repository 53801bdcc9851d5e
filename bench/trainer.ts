/**
 * What the trainer itself costs, and what sampling ahead of learning gains. Run: npx tsx bench/trainer.ts [policy]
 * 1. Share of a GRPO step that is neither sampling nor engine (needs a policy with weights, default: base).
 * 2. Steps per hour with a slow environment, staleness 0 and 1, alternating; and what both learned.
 * 3. Memory over 500 steps.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rlRecipe } from '../src/config/recipe.ts';
import { readEvaluations, readMetrics } from '../src/run/metrics-log.ts';
import { RunDirectory } from '../src/run/run-directory.ts';
import { corridor, corridorWords } from '../src/train/corridor.fixture.ts';
import { trainRl } from '../src/train/rl-trainer.ts';
import { startRl } from '../src/train/start-run.ts';
import { TabularEngine } from '../src/train/tabular-engine.fixture.ts';
import type { Datum, ForwardOptions, Loss, LossReport } from '../src/engine/engine.ts';

const folder = await mkdtemp(join(tmpdir(), 'agoge-bench-trainer-'));
const policy = process.argv[2] ?? 'base';
const { signal } = new AbortController();

/** An engine whose updates take as long as its sampling does. */
class Slow extends TabularEngine {
  override async forwardBackward(batch: readonly Datum[], loss: Loss, options?: ForwardOptions): Promise<LossReport> {
    await new Promise((resolve) => setTimeout(resolve, 250));
    return super.forwardBackward(batch, loss, options);
  }
}

let runs = 0;

async function corridorRun(engine: TabularEngine, latency: number | undefined, more: Record<string, unknown>): Promise<string> {
  const recipe = rlRecipe({
    run: `run${runs++}`,
    tasks: [{ env: 'corridor' }],
    agent: { max_turns: 4, tokens_per_turn: 2 },
    optimizer: { lr: 0.3 },
    evaluate: { split: 'test', samples: 16 },
    checkpoint: { every: 0, at_end: false },
    ...more,
  });
  const path = join(folder, recipe.run);
  const directory = await RunDirectory.create(path, '', {
    name: recipe.run,
    kind: 'rl',
    title: 'bench',
    seed: 1,
    steps: recipe.steps,
    versions: {},
    environments: {},
  });
  const environment = corridor(latency === undefined ? {} : { latency });
  await trainRl(recipe, { engine, environment: async () => environment }, directory, { signal });
  return path;
}

try {
  const recipe = rlRecipe({
    run: 'share',
    output: folder,
    policy,
    tasks: [{ env: 'textcraft', split: 'generated-short' }],
    agent: { max_turns: 8, tokens_per_turn: 40 },
    rollout: { groups: 32, samples: 8 },
    algorithm: { entropy: 1e-9 }, // every row is computed, also those without signal
    optimizer: { lr: 1e-5 },
    steps: 6,
    evaluate: { at_end: false },
    checkpoint: { every: 0, at_end: false },
  });
  await startRl(recipe, { signal });
  const steps = (await readMetrics(join(folder, 'share'))).slice(1).map(({ data }) => data);
  const mean = (name: string): number => steps.reduce((sum, data) => sum + (data[name] ?? 0), 0) / steps.length;
  console.log(
    `GRPO step of 256 episodes: ${mean('timing_s/step').toFixed(2)} s, of it sampling ${mean('timing_s/gen').toFixed(2)}, update ${mean('timing_s/update_actor').toFixed(2)}, trainer ${(100 * mean('perf/trainer_share')).toFixed(2)} %`,
  );
} catch (thrown) {
  console.log(`share of a step: not measured (${(thrown as Error).message})`);
}

const seconds: Record<number, number[]> = { 0: [], 1: [] };
for (let round = 0; round < 3; round++) {
  for (const staleness of [0, 1]) {
    const from = performance.now();
    const path = await corridorRun(new Slow({ words: corridorWords, seed: round }), 60, {
      seed: round,
      steps: 40,
      rollout: { groups: 8, samples: 8, staleness },
    });
    seconds[staleness]?.push((performance.now() - from) / 1000);
    const success = (await readEvaluations(path)).at(-1)?.success ?? 0;
    console.log(
      `slow environment, staleness ${staleness}: 40 steps in ${seconds[staleness]?.at(-1)?.toFixed(1) ?? ''} s, success ${success.toFixed(3)}`,
    );
  }
}
const total = (staleness: number): number => (seconds[staleness] ?? []).reduce((a, b) => a + b, 0);
console.log(`staleness 1 against 0: ${(total(0) / total(1)).toFixed(2)}x steps per hour`);

const path = await corridorRun(new TabularEngine({ words: corridorWords }), undefined, { steps: 500, stop: { no_signal: 1000 } });
const memory = (await readMetrics(path)).map(({ data }) => data['perf/cpu_memory_used_gb'] ?? 0);
const part = (from: number, to: number): number => memory.slice(from, to).reduce((a, b) => a + b, 0) / (to - from);
console.log(
  `memory over 500 steps: ${(1024 * part(50, 150)).toFixed(0)} MiB (steps 51-150), ${(1024 * part(400, 500)).toFixed(0)} MiB (steps 401-500)`,
);
await rm(folder, { recursive: true, force: true });
