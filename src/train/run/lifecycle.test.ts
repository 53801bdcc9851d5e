/** The lifecycle's own rules, on real trainers and on one of the test's own: what counts as an interruption, and what is saved then. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { rlRecipe } from '../../config/recipe/recipe.ts';
import { AgogeError } from '../../core/error.ts';
import type { AdamParams, OptimReport } from '../../engine/engine.ts';
import { Checkpoints } from '../../run/checkpoints.ts';
import { readMetrics } from '../../run/metrics-log.ts';
import { RunDirectory } from '../../run/run-directory.ts';
import { readRunInfo } from '../../run/run-info.ts';
import { corridor, corridorWords } from '../fixtures/corridor.fixture.ts';
import { TabularEngine } from '../fixtures/tabular-engine.fixture.ts';
import { trainRl } from '../rl/trainer.ts';
import type { TrainResult } from './events.ts';
import { runTrainer } from './lifecycle.ts';
import { whileOpening } from './opening.ts';
import { processorSeconds } from './processor-time.ts';
import type { RunConfig, RunState, Trainer } from './trainer.ts';

const folder = await mkdtemp(join(tmpdir(), 'agoge-lifecycle-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const facts = (name: string) =>
  ({ name, kind: 'own', title: 'counting', seed: 1, steps: null, versions: {}, environments: {} }) as const;

const saved = (run: string): Promise<number[]> => new Checkpoints(join(folder, run)).steps();

describe('an RL step of four optimizer steps', () => {
  /** Ctrl-C after the second optimizer step of step 5; then the engine breaks with `error`, or with the abort's own reason. */
  class Stopped extends TabularEngine {
    private readonly controller = new AbortController();
    readonly signal = this.controller.signal;
    private calls = 0;

    constructor(private readonly error?: Error) {
      super({ words: corridorWords, seed: 1 });
    }

    override async optimStep(adam: AdamParams): Promise<OptimReport> {
      if (++this.calls < 4 * 4 + 3) return super.optimStep(adam);
      this.controller.abort(new Error('Ctrl-C'));
      throw this.error ?? this.signal.reason;
    }
  }

  const recipe = (run: string) =>
    rlRecipe({
      run,
      tasks: [{ env: 'corridor' }],
      agent: { max_turns: 4, tokens_per_turn: 2 },
      rollout: { groups: 8, samples: 8 },
      algorithm: { entropy: 1e-9 },
      update: { epochs: 2, minibatches: 2 },
      optimizer: { lr: 0.3 },
      steps: 6,
      evaluate: { at_end: false },
      checkpoint: { every: 3 },
      log: { episodes: 0, to: ['wandb'] },
    });

  async function train(run: string, engine: TabularEngine, signal: AbortSignal): Promise<TrainResult> {
    const path = join(folder, run);
    const exists = await readRunInfo(path).catch(() => undefined);
    const { directory, step } = exists
      ? await RunDirectory.resume(path)
      : { directory: await RunDirectory.create(path, '', { ...facts(run), kind: 'rl' }), step: 0 };
    const environment = corridor();
    const reference = new TabularEngine({ words: corridorWords, seed: 1 });
    const parts = { engine, reference, environment: async () => environment };
    return trainRl(recipe(run), parts, directory, { signal, from: step });
  }

  it('fails with the error that came after Ctrl-C, and saves nothing of the half step', async () => {
    const engine = new Stopped(new Error('the device was lost'));
    await expect(train('lost', engine, engine.signal)).rejects.toThrow('the device was lost');
    expect(await saved('lost')).toEqual([3]);
    expect(await readRunInfo(join(folder, 'lost'))).toMatchObject({ status: 'failed', step: 4 });
    expect(await ended('lost')).toBe(true);
  });

  it('that is interrupted half-way is not saved as the step before it; a resume ends with the bits of a whole run', async () => {
    const { signal } = new AbortController();
    const whole = new TabularEngine({ words: corridorWords, seed: 1 });
    await train('whole', whole, signal);
    const engine = new Stopped();
    const cut = await train('cut', engine, engine.signal);
    expect(cut).toMatchObject({ status: 'interrupted', step: 4, saved: 3 });
    expect(await saved('cut')).toEqual([3]);
    expect(await ended('cut')).toBe(true);
    const resumed = new TabularEngine({ words: corridorWords, seed: 1 });
    expect(await train('cut', resumed, signal)).toMatchObject({ status: 'finished', step: 6 });
    expect(resumed.text()).toBe(whole.text());
  });

  /** Has W&B's offline run its last records? */
  async function ended(run: string): Promise<boolean> {
    const [name = ''] = await readdir(join(folder, run, 'wandb'));
    const [file = ''] = await readdir(join(folder, run, 'wandb', name));
    const bytes = await readFile(join(folder, run, 'wandb', name, file));
    const steps = (await readMetrics(join(folder, run))).length;
    return records(bytes) === 2 + steps + 3;
  }
});

/** How many records a small log has: one block, each with a head of seven bytes. */
function records(bytes: Buffer): number {
  let count = 0;
  for (let at = 7; at + 7 <= bytes.length; count++) {
    const room = 32_768 - (at % 32_768);
    if (room < 7) at += room;
    const [length, kind] = [bytes.readUInt16LE(at + 4), bytes[at + 6]];
    at += 7 + length;
    if (kind === 2 || kind === 3) count--; // goes on in the next block
  }
  return count;
}

/** Counts up; its only weights are the engine's. */
class Counting implements Trainer {
  state: RunState = { step: 0, tokens: 0, elapsed: 0 };
  readonly engine = new TabularEngine({ words: corridorWords, seed: 1 });
  readonly engines = [this.engine];
  closed = false;

  constructor(
    private readonly steps: number,
    private readonly within: (step: number, move: () => Promise<unknown>) => void | Promise<void> = () => undefined,
  ) {}

  async open() {
    return { steps: this.steps };
  }
  async restore(state: unknown, path: string): Promise<undefined> {
    this.state = state as RunState;
    await this.engine.load(path);
  }
  share(): number {
    return this.state.step / this.steps;
  }
  async step(): Promise<void> {
    const step = this.state.step + 1;
    const move = () => this.engine.optimStep({ learningRate: 0.1 });
    await move();
    await this.within(step, move);
    await move();
    this.state = { ...this.state, step };
  }
  metrics() {
    return { count: this.state.step };
  }
  line(): string {
    return `step ${this.state.step}`;
  }
  async save(path: string): Promise<void> {
    await this.engine.save(path);
  }
  async close(): Promise<void> {
    this.closed = true;
  }
}

const config: RunConfig = {
  run: 'x',
  seed: 1,
  checkpoint: { every: 3, keep: 5, at_end: true },
  log: { to: [], tensorboard: false, every: 2 },
};

/** Keeps a core busy. */
function burn(seconds: number): void {
  for (const until = processorSeconds() + seconds; processorSeconds() < until;) Math.hypot(1, 2);
}

describe('processor time', () => {
  const minutes = async (path: string): Promise<(number | undefined)[]> =>
    (await readMetrics(path)).map(({ data }) => data['perf/processor_minutes']);
  const every = { ...config, checkpoint: { every: 1, keep: 9, at_end: true }, log: { ...config.log, every: 1 } };

  it('is that of the steps alone, and goes on over a resume', async () => {
    const path = join(folder, 'processor');
    const controller = new AbortController();
    const trainer = new Counting(4, (step) => {
      burn(0.05);
      if (step < 3) return;
      controller.abort(new Error('Ctrl-C'));
      controller.signal.throwIfAborted();
    });
    // What is done between steps, such as an evaluation, is not training.
    const events = { onNote: () => burn(0.3) };
    const directory = await RunDirectory.create(path, '', facts('processor'));
    await runTrainer(trainer, every, directory, { signal: controller.signal, events });
    const { directory: again, step } = await RunDirectory.resume(path);
    await runTrainer(new Counting(4, () => burn(0.05)), every, again, { from: step });
    const told = await minutes(path);
    expect(told).toHaveLength(4);
    told.forEach((value, at) => {
      expect(value).toBeGreaterThanOrEqual(((at + 1) * 0.05) / 60);
      expect(value).toBeLessThan(((at + 1) * 0.05 + 0.25) / 60);
    });
  });

  it('is not told of a run that was begun without it', async () => {
    const path = join(folder, 'older');
    const directory = await RunDirectory.create(path, '', facts('older'));
    await runTrainer(new Counting(2), every, directory, {});
    const { directory: again, step } = await RunDirectory.resume(path);
    const older = new Counting(4);
    older.restore = async () => void (older.state = { step, tokens: 0, elapsed: 0 });
    await runTrainer(older, every, again, { from: step });
    expect((await minutes(path)).map((value) => value !== undefined)).toEqual([true, true, false, false]);
  });
});

describe('a trainer of one’s own', () => {
  it('that is interrupted while its weights move goes on from its last checkpoint, which is said', async () => {
    const controller = new AbortController();
    const path = join(folder, 'own');
    const trainer = new Counting(8, (step) => {
      if (step !== 6) return;
      controller.abort(new Error('Ctrl-C'));
      controller.signal.throwIfAborted();
    });
    const notes: string[] = [];
    const directory = await RunDirectory.create(path, '', facts('own'));
    const events = { onNote: (text: string) => void notes.push(text) };
    const result = await runTrainer(trainer, config, directory, { signal: controller.signal, events });
    expect(result).toMatchObject({ status: 'interrupted', step: 5, saved: 3 });
    expect(await saved('own')).toEqual([3]);
    expect(notes.at(-1)).toBe(
      'interrupted within step 6, which had begun to change the weights; the last step that is saved is 3',
    );
    expect(trainer.closed).toBe(true);
    const { directory: again, step } = await RunDirectory.resume(path);
    const resumed = new Counting(8);
    const { signal } = new AbortController();
    expect(await runTrainer(resumed, config, again, { signal, from: step })).toMatchObject({
      status: 'finished',
      step: 8,
      saved: 8,
    });
    // Every second step, those of checkpoints and the last one have a line.
    expect((await readMetrics(path)).map((line) => line.step)).toEqual([2, 3, 4, 6, 8]);
    expect(resumed.engine.text()).toContain('"steps":16');
  });

  it('says which environments are not those that it began with', async () => {
    // Of an environment in a file its hash stands behind the version; runs of earlier versions have none.
    const own = { boxes: '1+bbb', dice: '1+ccc' };
    class Played extends Counting {
      override open() {
        return Promise.resolve({ steps: 1, environments: { maze: '2', todo: '1', wordle: '1', ...own } });
      }
    }
    const begun = { ...facts('moved'), environments: { maze: '1', todo: '1', boxes: '1+aaa', dice: '1' } };
    const directory = await RunDirectory.create(join(folder, 'moved'), '', begun);
    const notes: string[] = [];
    const events = { onNote: (text: string) => void notes.push(text) };
    await runTrainer(new Played(1), config, directory, { signal: new AbortController().signal, events });
    expect(notes.filter((note) => note.includes('has changed'))).toEqual([
      'maze has changed since this run began (version 1, now 2): figures before and after do not compare',
      'boxes has changed since this run began (version 1+aaa, now 1+bbb): figures before and after do not compare',
    ]);
  });

  it('that breaks after it was stopped has failed, however it was stopped', async () => {
    const controller = new AbortController();
    const trainer = new Counting(4, (step) => {
      if (step < 2) return;
      controller.abort(new Error('Ctrl-C'));
      throw new AgogeError('ENGINE_BROKEN', 'the weights are gone: start again');
    });
    const directory = await RunDirectory.create(join(folder, 'broken'), '', facts('broken'));
    const failed = runTrainer(trainer, config, directory, { signal: controller.signal });
    await expect(failed).rejects.toMatchObject({ code: 'ENGINE_BROKEN' });
    const info = await readRunInfo(join(folder, 'broken'));
    expect(info).toMatchObject({ status: 'failed', cause: { code: 'ENGINE_BROKEN' } });
  });
});

describe('a run whose parts are being opened', () => {
  it.each([
    [
      'is interrupted when it is stopped',
      (reason: unknown) => new AgogeError('GYM_TIMEOUT', 'stopped', { cause: reason }),
      'interrupted',
    ],
    ['fails with what went wrong', () => new AgogeError('MODEL_NOT_FOUND', 'there is no such model'), 'failed'],
  ])('%s', async (_, error, status) => {
    const controller = new AbortController();
    const directory = await RunDirectory.create(join(folder, `opening-${status}`), '', facts('opening'));
    const opening = whileOpening(directory, controller, 0, async () => {
      controller.abort(new Error('Ctrl-C'));
      throw error(controller.signal.reason);
    });
    if (status === 'failed') await expect(opening).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
    else expect(await opening).toMatchObject({ status: 'interrupted', step: 0, saved: 0 });
    expect((await readRunInfo(directory.path)).status).toBe(status);
  });
});
