import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { rlRecipe } from '../../config/recipe/recipe.ts';
import type { Environment } from '../../envs/environment.ts';
import type { Datum, ForwardOptions, Loss, LossReport, Sample, SampleRequest } from '../../engine/engine.ts';
import { readEvaluations, readMetrics } from '../../run/metrics-log.ts';
import { readEpisodes } from '../../run/episode-files.ts';
import { episodesFile } from '../../run/layout.ts';
import { RunDirectory } from '../../run/run-directory.ts';
import { readRunInfo } from '../../run/run-info.ts';
import { corridor, corridorWords } from '../fixtures/corridor.fixture.ts';
import { trainRl } from './trainer.ts';
import { TabularEngine } from '../fixtures/tabular-engine.fixture.ts';
import type { TrainResult } from '../run/events.ts';

const folder = await mkdtemp(join(tmpdir(), 'agoge-train-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Setting {
  readonly resume?: { readonly directory: RunDirectory; readonly step: number };
  readonly recipe?: Record<string, unknown>;
  readonly environment?: Environment;
  /** Others by their name in the recipe. */
  readonly others?: Readonly<Record<string, Environment>>;
  readonly engine?: TabularEngine;
  readonly signal?: AbortSignal;
  readonly seed?: number;
  readonly onStep?: (step: number) => void;
}

const endless: Environment = { ...corridor(), tasks: () => ({ size: Infinity, info: () => ({ category: '', itemId: 'x' }) }) };
let runs = 0;

/** Trains on the corridor from random weights; returns the result, its directory and the engine. */
async function train(setting: Setting = {}): Promise<{ result: TrainResult; path: string; engine: TabularEngine }> {
  const recipe = rlRecipe({
    run: `run${runs++}`,
    seed: setting.seed ?? 1,
    tasks: [{ env: 'corridor' }],
    agent: { max_turns: 4, tokens_per_turn: 2 },
    rollout: { groups: 8, samples: 8 },
    optimizer: { lr: 0.3 },
    steps: 40,
    evaluate: { samples: 8 },
    checkpoint: { every: 0 },
    log: { episodes: 0 },
    ...setting.recipe,
  });
  const path = join(folder, recipe.run);
  const engine = setting.engine ?? new TabularEngine({ words: corridorWords, seed: setting.seed ?? 1 });
  const created = (): Promise<RunDirectory> =>
    RunDirectory.create(path, '', {
      name: recipe.run,
      kind: 'rl',
      title: 'corridor',
      seed: recipe.seed,
      steps: recipe.steps,
      versions: {},
      environments: {},
    });
  const directory = setting.resume?.directory ?? (await created());
  const environment = setting.environment ?? corridor();
  const result = await trainRl(
    recipe,
    {
      engine,
      reference: new TabularEngine({ words: corridorWords, seed: setting.seed ?? 1 }),
      ...(recipe.algorithm.estimator === 'gae' ? { critic: new TabularEngine({ words: corridorWords, head: 'value' }) } : {}),
      environment: async ({ env }) => setting.others?.[env] ?? environment,
    },
    directory,
    {
      signal: setting.signal ?? new AbortController().signal,
      from: setting.resume?.step ?? 0,
      events: { onStep: ({ step }) => setting.onStep?.(step) },
    },
  );
  return { result, path, engine };
}

async function successOf(setting: Setting): Promise<number> {
  const { path } = await train(setting);
  return (await readEvaluations(path)).at(-1)?.success ?? 0;
}

class Reversed extends TabularEngine {
  override forwardBackward(batch: readonly Datum[], loss: Loss, options?: ForwardOptions): Promise<LossReport> {
    const reversed: Loss = (scores) => {
      const { loss: value, gradient } = loss(scores);
      return { loss: value, gradient: gradient.map((row) => row.map((x) => -x)) };
    };
    return super.forwardBackward(batch, reversed, options);
  }
}

class Flaky extends TabularEngine {
  private calls = 0;
  override async sample(request: SampleRequest): Promise<Sample> {
    if (++this.calls % 131 === 0) throw new Error('out of memory for a moment');
    return super.sample(request);
  }
}

class Broken extends TabularEngine {
  override async forwardBackward(batch: readonly Datum[], loss: Loss): Promise<LossReport> {
    return { ...(await super.forwardBackward(batch, loss)), loss: NaN };
  }
}

describe('replies that nobody can read', () => {
  it('stop the run after its first step, with what was asked and said side by side', async () => {
    const unread = train({ recipe: { agent: { max_turns: 4, tokens_per_turn: 2, format: 'react' }, steps: 2 } });
    await expect(unread).rejects.toThrow(
      /none of the \d+ replies of the first step could be read as react[\s\S]*was told: [\s\S]*Action:[\s\S]*replied: [\s\S]*answered: "There is no/,
    );
  });
  it('go on where that was asked for', async () => {
    const agent = { max_turns: 4, tokens_per_turn: 2, format: 'react' };
    const { result } = await train({ recipe: { agent, steps: 2, stop: { unreadable: false } } });
    expect(result).toMatchObject({ status: 'finished' });
  });
});

describe('learning', () => {
  /** Steps after which an algorithm has learned the corridor; most need about sixteen. */
  const enough = (name: string): number => ({ ppo: 24, remax: 32, gpg: 40 })[name] ?? 18;
  it.each(['grpo', 'ppo', 'rloo', 'reinforce++', 'remax'])(
    '%s reaches 95 percent of the optimum from random weights, three seeds',
    async (name) => {
      for (const seed of [1, 2, 3]) {
        expect(
          await successOf({ seed, recipe: { algorithm: { name }, steps: enough(name) } }),
          `seed ${seed}`,
        ).toBeGreaterThanOrEqual(0.95);
      }
    },
  );
  it.each(['reinforce++-baseline', 'opo', 'gpg', 'gigpo', 'dapo', 'gspo', 'cispo', 'dr-grpo'])('%s learns too', async (name) => {
    const algorithm = { name, ...(name === 'gspo' ? { clip: 0.2 } : {}) };
    expect(await successOf({ recipe: { algorithm, steps: enough(name) } })).toBeGreaterThanOrEqual(0.95);
  });
  it.each(['grpo', 'ppo', 'rloo', 'reinforce++', 'remax'])('%s with the sign of the advantage flipped does not', async (name) => {
    const engine = new Reversed({ words: corridorWords, seed: 1 });
    expect(await successOf({ engine, recipe: { algorithm: { name }, steps: enough(name) } })).toBeLessThan(0.2);
  });
  it('logs entropy, KL to the start, KL of the update and how far the halves of a step agree', async () => {
    const { path } = await train({ recipe: { steps: 12 } });
    const metrics = await readMetrics(path);
    const of = (name: string): number[] => metrics.map(({ data }) => data[name] ?? NaN);
    expect(of('actor/entropy').every((value) => value > 0)).toBe(true);
    // The first step is measured before anything was learned.
    expect(of('actor/kl_to_start')[0]).toBeCloseTo(0, 6);
    expect(of('actor/kl_to_start').at(-1)).toBeGreaterThan(0.01);
    expect(of('actor/entropy').at(-1)).toBeLessThan(of('actor/entropy')[0] ?? 0);
    expect(of('actor/kl_of_update')[0]).toBeGreaterThan(0);
    // Steps in which one group alone had signal have no halves.
    const agreement = of('train/gradient_agreement').filter(Number.isFinite);
    expect(Math.max(...agreement)).toBeGreaterThan(0.1);
    expect(Math.max(...agreement)).toBeLessThanOrEqual(1);
    const without = await train({ recipe: { steps: 1, log: { episodes: 0, drift: 0, agreement: false } } });
    expect((await readMetrics(without.path))[0]?.data['train/gradient_agreement']).toBeUndefined();
    expect(Object.keys((await readMetrics(without.path))[0]?.data ?? {})).not.toContain('actor/entropy');
  });

  it('learns from branches: continuations from the turn where a group parts, that turn alone credited', async () => {
    const { path } = await train({ recipe: { steps: 30, rollout: { groups: 8, samples: 8, branch: 8 } } });
    expect((await readEvaluations(path)).at(-1)?.success).toBeGreaterThanOrEqual(0.95);
    const [first] = await readMetrics(path);
    const branched = first?.data['train/branched_groups'] ?? 0;
    expect(branched).toBeGreaterThan(0);
    // Eight samples of each task, eight continuations where it parts; what is learned is one turn of each.
    expect(first?.data['train/episodes']).toBe(8 * 8 + branched * 8);
    expect(first?.data['response_tokens/max']).toBeLessThanOrEqual(2);
  });

  it('probes: two samples of a task, eight only where they differ', async () => {
    const { path } = await train({ recipe: { steps: 30, rollout: { groups: 4, samples: 8, probe: 2, refill: 4 } } });
    expect((await readEvaluations(path)).at(-1)?.success).toBeGreaterThanOrEqual(0.95);
    const metrics = await readMetrics(path);
    for (const { data } of metrics) {
      const groups = 4 * (data['train/num_gen_batches'] ?? 0);
      const extended = groups - (data['train/filtered_groups'] ?? 0);
      expect(data['train/episodes']).toBe(2 * groups + 6 * extended);
    }
  });

  it('prefers tasks that teach, and goes on in the same way after a resume', async () => {
    const recipe = { steps: 12, rollout: { groups: 4, samples: 8, prefer: { floor: 0.2 } }, checkpoint: { every: 6 } };
    const whole = await train({ recipe });
    const metrics = await readMetrics(whole.path);
    expect(metrics.at(-1)?.data['train/tasks_known']).toBeGreaterThan(4);
    const controller = new AbortController();
    const cut = await train({ recipe, signal: controller.signal, onStep: (step) => step === 6 && controller.abort() });
    const { directory, step } = await RunDirectory.resume(cut.path);
    const resumed = await train({ recipe: { ...recipe, run: cut.path.split('/').at(-1) }, resume: { directory, step } });
    expect(resumed.engine.text()).toBe(whole.engine.text());
  });

  it('keeps to an anchor of demonstrations, and stops updating at the target KL', async () => {
    const anchor = { weight: 1, tokens: 64, experts: [{ env: 'corridor' }], max_turns: 4 };
    const { path } = await train({ recipe: { steps: 30, anchor } });
    const metrics = await readMetrics(path);
    const losses = metrics.flatMap(({ data }) => data['actor/anchor_loss'] ?? []).filter((loss) => loss > 0);
    expect(losses.at(-1)).toBeLessThan((losses[0] ?? 0) / 2);
    expect((await readEvaluations(path)).at(-1)?.success).toBeGreaterThanOrEqual(0.95);
    const stopped = await train({ recipe: { steps: 12, update: { epochs: 8 }, algorithm: { target_kl: 1e-4 } } });
    const steps = (await readMetrics(stopped.path)).flatMap(({ data }) => data['actor/optimizer_steps'] ?? []);
    expect(Math.max(...steps)).toBeGreaterThan(1);
    expect(Math.max(...steps)).toBeLessThan(8);
  });

  it.each([
    ['dpo', {}],
    ['rejection', {}],
    ['evol', { update: { epochs: 6 } }],
  ])('%s learns too: pairs, or what was solved', async (name, more) => {
    const { path } = await train({ recipe: { steps: 24, rollout: { groups: 4, samples: 16 }, algorithm: { name }, ...more } });
    expect((await readEvaluations(path)).at(-1)?.success).toBeGreaterThanOrEqual(0.4); // random play: 0.02
  });

  it('learns with several epochs and mini-batches, KL in the loss or the reward, and an entropy bonus', async () => {
    const kl = { coefficient: 0.001 };
    for (const algorithm of [
      { kl: { in: 'loss', ...kl } },
      { kl: { in: 'reward', estimator: 'k1', control: 'adaptive', ...kl } },
      { entropy: 0.001 },
    ]) {
      const recipe = { steps: 24, algorithm, update: { epochs: 2, minibatches: 2, micro_tokens: 300 } };
      expect(await successOf({ recipe }), JSON.stringify(algorithm)).toBeGreaterThanOrEqual(0.95);
    }
  });
});

describe('a run', () => {
  it('writes everything design promises', async () => {
    const { path, result } = await train({
      recipe: { steps: 6, log: {}, checkpoint: { every: 2, keep: 2 }, evaluate: { every: 3, samples: 2 } },
    });
    expect(result.status).toBe('finished');
    const metrics = await readMetrics(path);
    expect(metrics.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6]);
    for (const name of [
      'critic/score/mean',
      'actor/pg_loss',
      'actor/grad_norm',
      'timing_s/step',
      'num_turns/mean',
      'perf/throughput',
    ])
      expect(Number.isFinite(metrics[0]!.data[name]), name).toBe(true);
    expect((await readEvaluations(path)).map(({ step }) => step)).toEqual([3, 6]);
    expect(await readdir(join(path, 'checkpoints'))).toContain('step_000006');
    expect(await readdir(join(path, 'checkpoints'))).not.toContain('step_000002');
    const episodes = await readEpisodes(episodesFile(path, 4));
    expect(episodes).toHaveLength(64);
    expect((await readFile(join(path, 'episodes/index.jsonl'), 'utf8')).trim().split('\n')).toHaveLength(6 * 64 + 2 * 16);
    expect(JSON.parse(await readFile(join(path, 'metrics/training_metrics.json'), 'utf8'))).toHaveLength(6);
    expect((await readFile(join(path, 'run.json'), 'utf8')).includes('"finished"')).toBe(true);
  });

  it('is a function of its seed', async () => {
    const [a, b, c] = [
      await train({ recipe: { steps: 8 } }),
      await train({ recipe: { steps: 8 } }),
      await train({ recipe: { steps: 8 }, seed: 2 }),
    ];
    expect(a.engine.text()).toBe(b.engine.text());
    expect(c.engine.text()).not.toBe(a.engine.text());
  });

  it('does not depend on how mini-batches are cut', async () => {
    const whole = await train({ recipe: { steps: 3 } });
    const small = await train({ recipe: { steps: 3, update: { micro_tokens: 50 } } });
    const [a, b] = [whole, small].map(({ engine }) => JSON.parse(engine.text()) as { cells: [string, number[]][] });
    a!.cells.forEach(([, weights], i) => weights.forEach((w, j) => expect(b!.cells[i]![1][j]).toBeCloseTo(w, 5)));
  });

  it('takes every epoch and mini-batch it was asked for, and every step', async () => {
    const { path, result } = await train({
      recipe: { steps: 3, algorithm: { entropy: 1e-9 }, update: { epochs: 2, minibatches: 3 } },
    });
    expect(result.step).toBe(3);
    expect((await readMetrics(path)).map(({ data }) => data['actor/optimizer_steps'])).toEqual([6, 6, 6]);
  });

  it('survives trouble with the same weights as a clean run', async () => {
    let calls = 0;
    const trouble = async (): Promise<void> => {
      calls++;
      if (calls % 97 === 0) throw new Error('server restarted');
      if (calls === 211 || calls === 640) await new Promise((resolve) => setTimeout(resolve, 10_000).unref());
    };
    // A step that does not hang is answered before any timer can fire, however busy the machine: the deadline may be short.
    const recipe = {
      steps: 5,
      rollout: { groups: 8, samples: 8, retries: 10 },
      agent: { max_turns: 4, tokens_per_turn: 2, step_deadline: 200 },
    };
    const clean = await train({ recipe });
    const troubled = await train({
      recipe,
      environment: corridor({ trouble }),
      engine: new Flaky({ words: corridorWords, seed: 1 }),
    });
    expect(troubled.engine.text()).toBe(clean.engine.text());
    const steps = await readMetrics(troubled.path);
    for (const by of ['environment', 'deadline', 'policy']) {
      expect(Math.max(...steps.map(({ data }) => data[`train/failures/${by}`] ?? 0)), by).toBeGreaterThan(0);
    }
  });

  it('goes on exactly after an interruption', async () => {
    const recipe = { steps: 9, checkpoint: { every: 4 } };
    const whole = await train({ recipe });
    const controller = new AbortController();
    const cut = await train({
      recipe,
      signal: controller.signal,
      onStep: (step) => step === 5 && controller.abort(new Error('Ctrl-C')),
    });
    expect(cut.result).toMatchObject({ status: 'interrupted', step: 5 });
    const { directory, step } = await RunDirectory.resume(cut.path);
    const engine = new TabularEngine({ words: corridorWords, seed: 1 });
    const environment = corridor();
    const resumed = rlRecipe({
      run: 'again',
      tasks: [{ env: 'corridor' }],
      agent: { max_turns: 4, tokens_per_turn: 2 },
      rollout: { groups: 8, samples: 8 },
      optimizer: { lr: 0.3 },
      evaluate: { samples: 8 },
      ...recipe,
    });
    await trainRl(resumed, { engine, environment: async () => environment }, directory, {
      signal: new AbortController().signal,
      from: step,
    });
    expect(engine.text()).toBe(whole.engine.text());
    expect((await readMetrics(cut.path)).map((line) => line.step)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('lasts as many epochs as was said: whole batches, and the rest of a pass waits for the next', async () => {
    const recipe = { steps: null, epochs: 2, rollout: { groups: 3, samples: 2 } };
    const { result, path } = await train({ recipe });
    expect(result).toMatchObject({ status: 'finished', step: 4 });
    expect((await readRunInfo(path)).steps).toBe(4);
    await expect(
      train({ recipe: { ...recipe, tasks: [{ env: 'corridor', split: 'endless' }] }, environment: endless }),
    ).rejects.toThrow(/a generated split has no end: set steps/);
  });

  it('evaluates with the turns that a schedule ends with, however few steps there are', async () => {
    const agent = { max_turns: [1, 4], every: 10, tokens_per_turn: 2 };
    const { path } = await train({ recipe: { agent, steps: 1, evaluate: { samples: 8 } } });
    expect((await readMetrics(path))[0]!.data['max_rounds']).toBe(1);
    expect((await readEvaluations(path))[0]!.turns).toBeGreaterThan(1);
  });

  it("keeps the recipe's deadlines in its evaluations", async () => {
    const environment = corridor({
      trouble: ({ split }) => (split === 'validation' ? new Promise((resolve) => setTimeout(resolve, 20_000)) : undefined),
    });
    const agent = { max_turns: 4, tokens_per_turn: 2, step_deadline: 50 };
    const rollout = { groups: 2, samples: 2, retries: 0 };
    const { path } = await train({ environment, recipe: { agent, rollout, steps: 1, evaluate: { tasks: 2 } } });
    const [line] = await readEvaluations(path);
    expect(line).toMatchObject({ n: 0, failures: { deadline: 2 } });
  });

  it('watches without choosing where it was told to', async () => {
    const { result, path } = await train({ recipe: { steps: 2, evaluate: { split: 'test', choose: false, every: 1 } } });
    expect(result.best).toBeUndefined();
    expect((await readEvaluations(path)).map(({ panel }) => panel)).toEqual(['corridor/test', 'corridor/test']);
  });

  it('loses neither step nor evaluation when it is interrupted while evaluating', async () => {
    const controller = new AbortController();
    const environment = corridor();
    const tests = {
      ...environment,
      open: (...args: Parameters<Environment['open']>) => {
        if (args[0].split === 'validation') controller.abort(new Error('Ctrl-C'));
        return environment.open(...args);
      },
    };
    const recipe = { steps: 4, evaluate: { every: 2, samples: 2 } };
    const cut = await train({ recipe, environment: tests, signal: controller.signal });
    expect(cut.result).toMatchObject({ status: 'interrupted', step: 2 });
    const { directory, step } = await RunDirectory.resume(cut.path);
    const resumed = rlRecipe({
      run: 'x',
      tasks: [{ env: 'corridor' }],
      agent: { max_turns: 4, tokens_per_turn: 2 },
      rollout: { groups: 8, samples: 8 },
      ...recipe,
    });
    const engine = new TabularEngine({ words: corridorWords, seed: 1 });
    await trainRl(resumed, { engine, environment: async () => environment }, directory, {
      signal: new AbortController().signal,
      from: step,
    });
    expect((await readMetrics(cut.path)).map((line) => line.step)).toEqual([1, 2, 3, 4]);
    expect((await readEvaluations(cut.path)).map((line) => line.step)).toEqual([2, 4]);
    const columns = (await readMetrics(cut.path)).map(({ data }) => Object.keys(data).some((key) => key.startsWith('val-core/')));
    expect(columns).toEqual([false, true, false, true]);
  });

  it('does not go on from a checkpoint whose state is of another step, and leaves the run as it was', async () => {
    const { path } = await train({ recipe: { steps: 2 } });
    const state = join(path, 'checkpoints/step_000002/trainer.json');
    await writeFile(state, (await readFile(state, 'utf8')).replace('"step": 2', '"step": 1'));
    const { directory, step } = await RunDirectory.resume(path);
    const resumed = train({ recipe: { steps: 2 }, resume: { directory, step } });
    await expect(resumed).rejects.toMatchObject({ code: 'TRAIN_BAD_STATE' });
    expect(JSON.parse(await readFile(join(path, 'run.json'), 'utf8'))).toMatchObject({ status: 'finished', step: 2 });
  });

  it('learns with sampling ahead of learning', async () => {
    for (const staleness of [1, 2]) {
      const { path } = await train({ recipe: { steps: 24, rollout: { groups: 8, samples: 8, staleness } } });
      expect((await readEvaluations(path)).at(-1)!.success).toBeGreaterThanOrEqual(0.95);
      const seen = (await readMetrics(path)).map(({ data }) => data['train/staleness'] ?? 0);
      expect(Math.max(...seen)).toBe(staleness);
    }
  });

  it('stops with a reason when nothing can be learned', async () => {
    const never = {
      ...corridor(),
      open: () => ({
        observation: 'room red',
        step: () => ({ observation: 'room red', reward: 0, done: false }),
        [Symbol.asyncDispose]: async () => undefined,
      }),
    };
    const { result } = await train({ environment: never, recipe: { stop: { no_signal: 3 } } });
    expect(result).toMatchObject({ status: 'stopped', step: 3 });
    expect(result.reason).toMatch(/rewards that differ/);
  });

  it('refuses numbers that are not finite', async () => {
    const engine = new Broken({ words: corridorWords });
    await expect(train({ engine })).rejects.toThrow(
      /loss of step 1 is NaN: start another run .*policy=run:.*lower optimizer\.lr/,
    );
    expect(engine.version).toBe(0);
  });

  it('refills a batch with groups that carry signal', async () => {
    const { path } = await train({
      recipe: { steps: 12, algorithm: { name: 'dapo' }, rollout: { groups: 8, samples: 4, refill: 3 } },
    });
    const data = (await readMetrics(path)).map((line) => line.data);
    expect(data.some((line) => line['train/num_gen_batches']! > 1)).toBe(true);
    expect(Math.max(...data.map((line) => line['train/num_gen_batches']!))).toBeLessThanOrEqual(3);
  });
});

describe('distillation', () => {
  it('learns the expert’s replies on the policy’s own states, without any reward', async () => {
    const recipe = { algorithm: { name: 'distill' }, rollout: { groups: 8, samples: 1 }, steps: 30 };
    const { path } = await train({ recipe });
    const agreement = (await readMetrics(path)).map(({ data }) => data['train/advice_agreement']!);
    expect(agreement[0]).toBeLessThan(0.8);
    expect(agreement.at(-1)).toBeGreaterThan(0.9);
    expect((await readEvaluations(path)).at(-1)?.success).toBeGreaterThan(0.9);
  });
  it('stands beside a loss by rewards as an anchor', async () => {
    const recipe = { algorithm: { name: 'grpo', advice: 0.5 }, rollout: { groups: 8, samples: 4 }, steps: 8 };
    const { path } = await train({ recipe });
    const last = (await readMetrics(path)).at(-1)!.data;
    expect(last['actor/advice_loss']).toBeLessThan(0.5);
    expect(last['actor/pg_loss']).toBeDefined();
  });
});

describe('a first observation that leaves no room for a reply', () => {
  it.each([{}, { kl: {} }, { kl: { in: 'reward' } }, { entropy: 0.01 }, { old: 'recompute' }, { name: 'ppo' }])(
    'is a truncated episode like any other, not the end of the run: %j',
    async (algorithm) => {
      const roomy = corridor();
      const environment: Environment = {
        ...roomy,
        open: async (task, options) => {
          const episode = await roomy.open(task, options);
          if (task.index !== 3) return episode;
          return {
            observation: 'room '.repeat(5000),
            step: (action) => episode.step(action),
            [Symbol.asyncDispose]: async () => undefined,
          };
        },
      };
      const { result, path } = await train({ environment, recipe: { steps: 2, algorithm } });
      expect(result.status).toBe('finished');
      expect((await readMetrics(path))[0]!.data['train/truncated']).toBeGreaterThan(0);
    },
  );
});

describe('several environments at once', () => {
  const others = { long: { ...corridor({ length: 3 }), name: 'long' } };
  const joint = async (long: object) => {
    const recipe = {
      tasks: [{ env: 'corridor', max_turns: [1, 4] }, long],
      agent: { max_turns: 2, every: 2, tokens_per_turn: 2 },
    };
    const { path } = await train({ others, recipe });
    return { metrics: (await readMetrics(path)).map(({ data }) => data), panels: await readEvaluations(path) };
  };
  it('have a horizon and curves of their own: one horizon for all starves what needs more', async () => {
    const { metrics, panels } = await joint({ env: 'long', max_turns: 8 });
    expect(metrics[1]).toMatchObject({ 'train/success/corridor': 0, 'train/truncated/corridor': 1 });
    expect(metrics.at(-1)!['train/success/corridor']).toBeGreaterThan(0.9);
    expect(metrics.at(-1)!['train/success/long']).toBeGreaterThan(0.9);
    expect(Object.fromEntries(panels.map(({ panel, success }) => [panel, success > 0.9]))).toEqual({
      'corridor/validation': true,
      'long/validation': true,
    });
    const starved = await joint({ env: 'long' });
    expect(starved.metrics.every((data) => data['train/success/long'] === 0)).toBe(true);
  });
});
