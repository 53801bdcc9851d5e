/** Examples of the reference: a training loop of one's own. The body of each function is the example of what it is named after. */
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadEnvironment, rlRecipe, RunDirectory, runTrainer, trainRl, type RunState, type Trainer } from 'agoge';
import { baseModelFolder, EmbeddedEngine } from 'agoge/engine';

export const examples = {
  async runTrainer() {
    // The smallest trainer: it counts. examples/own-trainer.ts has one that learns.
    class Counter implements Trainer {
      state: RunState = { step: 0, tokens: 0, elapsed: 0 };
      readonly engines = [];
      async open() {
        return { steps: 3 };
      }
      async restore(): Promise<undefined> {}
      share(): number {
        return this.state.step / 3;
      }
      async step(): Promise<void> {
        this.state = { ...this.state, step: this.state.step + 1 };
      }
      metrics(): Record<string, number> {
        return { 'train/count': this.state.step };
      }
      line(): string {
        return `counted to ${this.state.step}`;
      }
      async save(): Promise<void> {}
    }
    const path = join(await mkdtemp(join(tmpdir(), 'agoge-')), 'count');
    const about = { name: 'count', kind: 'own', title: 'count', seed: 1, steps: 3, versions: {}, environments: {} } as const;
    const directory = await RunDirectory.create(path, '', about);
    const config = {
      run: 'count',
      seed: 1,
      checkpoint: { every: 0, keep: 1, at_end: true },
      log: { to: [], tensorboard: false },
    };
    console.log((await runTrainer(new Counter(), config, directory, {})).step); // 3
  },
  async trainRl() {
    const path = join(await mkdtemp(join(tmpdir(), 'agoge-')), 'mine');
    await using engine = await EmbeddedEngine.open({ model: baseModelFolder });
    const recipe = rlRecipe({
      run: 'mine',
      tasks: [{ env: 'textcraft', split: 'fit' }],
      rollout: { groups: 1, samples: 2 },
      agent: { format: 'direct', max_turns: 2, tokens_per_turn: 8 },
      steps: 1,
      evaluate: { every: 0, at_start: false, at_end: false },
    });
    const about = { name: 'mine', kind: 'rl', title: 'mine', seed: 1, steps: 1, versions: {}, environments: {} } as const;
    const directory = await RunDirectory.create(path, '', about);
    const parts = { engine, environment: ({ env }: { env: string }) => loadEnvironment(env) };
    console.log((await trainRl(recipe, parts, directory)).status); // finished
  },
  async RunDirectory() {
    const path = join(await mkdtemp(join(tmpdir(), 'agoge-')), 'mine');
    const about = { name: 'mine', kind: 'own', title: 'mine', seed: 1, steps: 1, versions: {}, environments: {} } as const;
    const directory = await RunDirectory.create(path, 'seed: 1\n', about);
    await directory.note('begun');
    console.log(await directory.config(), JSON.parse(await readFile(join(path, 'run.json'), 'utf8')));
  },
};
