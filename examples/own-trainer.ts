/**
 * A trainer of your own on the one lifecycle of runs: plain text, every token learned. All it writes is its step and what a checkpoint
 * holds; logs, checkpoints, Ctrl-C, exact resume and `agoge view` come with `runTrainer`. Run as it is, stop it, start it again:
 *   npx tsx examples/own-trainer.ts README.md 40
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { runTrainer, RunDirectory, type RunState, type Trainer, type TrainResult } from 'agoge';
import { baseModelFolder, EmbeddedEngine, type Datum, type Engine, type Loss } from 'agoge/engine';

/** Mean negative log-probability of all tokens. */
const likelihood: Loss = (scores) => {
  const tokens = scores.reduce((sum, row) => sum + row.scores.length, 0);
  const total = scores.reduce((sum, row) => sum - row.scores.reduce((a, b) => a + b, 0), 0);
  return { loss: total / tokens, gradient: scores.map((row) => new Float32Array(row.scores.length).fill(-1 / tokens)) };
};

class TextTrainer implements Trainer {
  state: RunState = { step: 0, tokens: 0, elapsed: 0 };
  readonly engines: readonly Engine[];
  private loss = NaN;

  constructor(
    private readonly engine: Engine,
    private readonly text: readonly number[],
    private readonly steps: number,
  ) {
    this.engines = [engine];
  }
  async open() {
    return { steps: this.steps, about: `${this.text.length} tokens of text` };
  }
  async restore(state: unknown, folder: string): Promise<undefined> {
    this.state = state as RunState;
    await this.engine.load(folder, { optimizer: true });
  }
  share(): number {
    return this.state.step / this.steps;
  }
  async step(): Promise<void> {
    const from = performance.now();
    const length = Math.min(256, this.text.length);
    const start = (this.state.step * length) % Math.max(1, this.text.length - length);
    const tokens = Int32Array.from(this.text.slice(start, start + length));
    const datum: Datum = { tokens, mask: Uint8Array.from(tokens, (_, i) => (i === 0 ? 0 : 1)) };
    ({ loss: this.loss } = await this.engine.forwardBackward([datum], likelihood));
    await this.engine.optimStep({ learningRate: 1e-4, clipNorm: 1 });
    const seconds = (performance.now() - from) / 1000;
    this.state = { step: this.state.step + 1, tokens: this.state.tokens + length, elapsed: this.state.elapsed + seconds };
  }
  metrics(): Record<string, number> {
    return { 'train/loss': this.loss };
  }
  line(): string {
    return `step ${this.state.step} · loss ${this.loss.toFixed(4)}`;
  }
  async save(folder: string): Promise<void> {
    await this.engine.save(folder, { optimizer: true });
  }
}

/** Starts a run in `path`, or goes on with the one that is there. */
export async function trainText(path: string, file: string, steps: number, signal: AbortSignal): Promise<TrainResult> {
  await using engine = await EmbeddedEngine.open({ model: baseModelFolder });
  const text = [...engine.model.tokenizer.encode(await readFile(file, 'utf8'))];
  const about = { name: 'text', kind: 'own', title: `text · ${file}`, seed: 1, steps, versions: {}, environments: {} } as const;
  const create = async () => ({ directory: await RunDirectory.create(path, '', about), step: 0 });
  const { directory, step: from } = await (existsSync(path) ? RunDirectory.resume(path) : create());
  const config = { run: 'text', seed: 1, checkpoint: { every: 10, keep: 2, at_end: true }, log: { to: [], tensorboard: false } };
  const options = { signal, from, events: { onNote: console.log } };
  return await runTrainer(new TextTrainer(engine, text, steps), config, directory, options);
}

const [, program = '', file = 'README.md', steps = '40'] = process.argv;
if (program.endsWith('own-trainer.ts')) {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort(new Error('Ctrl-C')));
  await trainText('outputs/text', file, Number(steps), stop.signal);
}
