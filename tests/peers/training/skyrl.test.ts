/**
 * An SFT recipe through a real SkyRL server (JAX on the CPU) with the base model. Beside each update the server's adapter is merged into the
 * base model and given to the embedded engine: its loss on the same batch must be the server's. SkyRL takes gigabytes, so it is not
 * among the requirements: AGOGE_SKYRL names the Python (3.12) of an environment that has it, as docs/cluster.md says.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sftRecipe } from '../../../src/config/recipe/recipe.ts';
import { convertModel } from '../../../src/engine/convert/convert.ts';
import { EmbeddedEngine } from '../../../src/engine/embedded/embedded.ts';
import { readWords } from '../../../src/engine/embedded/models/load.ts';
import type { Datum, Engine, ForwardOptions, Loss, LossReport, OptimReport, Sample } from '../../../src/engine/engine.ts';
import type { AdamParams, SampleRequest, TokenScores } from '../../../src/engine/engine.ts';
import { TinkerEngine } from '../../../src/engine/tinker/client/engine.ts';
import { RunDirectory } from '../../../src/run/run-directory.ts';
import { openEnvironments } from '../../../src/train/run/open-parts.ts';
import { Demonstrations } from '../../../src/train/sft/demonstrations.ts';
import { ExpertSource } from '../../../src/train/sft/expert-source.ts';
import { trainSft } from '../../../src/train/sft/trainer.ts';
import { createRenderer } from '../../../src/policy/renderer.ts';
import { openPrompting } from '../../../src/agent/prompting.ts';

const python = process.env['AGOGE_SKYRL'];
const base = fileURLToPath(new URL('../../../models/base', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'agoge-skyrl-'));
const model = join(folder, 'base');
const weights = join(folder, 'weights');
const signal = new AbortController().signal;
let server: SkyRl | undefined;

beforeAll(async () => {
  if (python === undefined) return;
  await cp(base, model, { recursive: true });
  server = await SkyRl.start(await freePort());
});
afterAll(async () => {
  await server?.kill();
  await rm(folder, { recursive: true, force: true });
});

/** The server as docs/cluster.md starts it. */
class SkyRl {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  static async start(port: number): Promise<SkyRl> {
    const database = `sqlite:///${join(folder, `${Date.now()}.db`)}`;
    const backend = { max_lora_adapters: 4, max_lora_rank: 8, sample_max_num_sequences: 8, train_micro_batch_size: 1 };
    const uv = join(dirname(python ?? ''), 'uv');
    const options = ['--base-model', model, '--backend', 'jax', '--backend-config', JSON.stringify(backend)];
    const place = ['--database-url', database, '--checkpoints-base', weights, '--host', '127.0.0.1', '--port', String(port)];
    const child = spawn(
      uv,
      ['run', '--no-project', '--offline', '--python', python ?? '', '-m', 'skyrl.tinker.api', ...options, ...place],
      {
        cwd: folder,
        detached: true, // its engine is a process of its own: the group is ended as one
        stdio: ['ignore', 'ignore', process.env['AGOGE_SKYRL_LOG'] === undefined ? 'ignore' : 'inherit'],
        env: {
          ...process.env,
          PATH: `${dirname(python ?? '')}:${process.env['PATH'] ?? ''}`, // it starts its engine through uv as well
          JAX_PLATFORMS: 'cpu',
          HF_HUB_OFFLINE: '1',
          JAX_COMPILATION_CACHE_DIR: process.env['AGOGE_SKYRL_CACHE'] ?? join(folder, 'compiled'),
          JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS: '0',
          JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES: '-1',
        },
      },
    );
    for (let tries = 0; tries < 1500; tries++) {
      const up = await fetch(`http://127.0.0.1:${port}/api/v1/healthz`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (up) return new SkyRl(child, port);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    throw new Error('SkyRL did not come up: set AGOGE_SKYRL_LOG=1 to see why');
  }

  async kill(): Promise<void> {
    const gone = once(this.child, 'exit');
    process.kill(-(this.child.pid ?? 0), 'SIGKILL');
    await gone;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

/** What the server sampled from last, as a Hugging Face folder: its PEFT adapter merged into the base model. */
async function merged(name: string): Promise<string> {
  const saved: { path: string; time: number }[] = [];
  for (const run of await readdir(weights)) {
    const place = join(weights, run, 'sampler_weights');
    for (const file of await readdir(place).catch(() => []))
      saved.push({ path: join(place, file), time: (await stat(join(place, file))).mtimeMs });
  }
  const [last] = saved.sort((a, b) => b.time - a.time);
  const adapter = join(folder, `${name}-adapter`);
  await mkdir(adapter);
  const { status, stderr } = spawnSync('tar', ['xf', last?.path ?? '', '-C', adapter], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  await convertModel(adapter, join(folder, name), { base: model });
  return join(folder, name);
}

/** The server's engine; beside each update the embedded engine tells its loss from the same weights on the same batch. */
class Twin implements Engine {
  readonly losses: { readonly there: number; readonly here: number }[] = [];
  steps = 0;
  constructor(
    private readonly remote: TinkerEngine,
    private readonly embedded: EmbeddedEngine,
    private readonly name: string,
  ) {}
  get model(): Engine['model'] {
    return this.remote.model;
  }
  get version(): number {
    return this.remote.version;
  }
  sample(request: SampleRequest): Promise<Sample> {
    return this.remote.sample(request);
  }
  forward(batch: readonly Datum[], options?: ForwardOptions): Promise<TokenScores[]> {
    return this.remote.forward(batch, options);
  }
  async forwardBackward(batch: readonly Datum[], loss: Loss, options?: ForwardOptions): Promise<LossReport> {
    await this.remote.sample({ prompt: [5, 6], maxTokens: 1, seed: 1 }); // has the weights of now written
    await this.embedded.load(await merged(`${this.name}-${this.losses.length}`));
    const here = loss(await this.embedded.forward(batch)).loss;
    const report = await this.remote.forwardBackward(batch, loss, options);
    this.losses.push({ there: report.loss, here });
    return report;
  }
  optimStep(adam: AdamParams): Promise<OptimReport> {
    this.steps++;
    return this.remote.optimStep(adam);
  }
  save(path: string): Promise<void> {
    return this.remote.save(path);
  }
  load(path: string): Promise<void> {
    return this.remote.load(path);
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.remote[Symbol.asyncDispose]();
  }
}

async function connect(): Promise<TinkerEngine> {
  const url = server?.url ?? '';
  return TinkerEngine.open({ url, key: 'tml-none', baseModel: model, rank: 8, seed: 1, words: await readWords(model) });
}

async function directoryOf(name: string): Promise<RunDirectory> {
  const about = { name, kind: 'sft' as const, title: name, seed: 1, steps: 5, versions: {}, environments: {} };
  return RunDirectory.create(join(folder, name), '', about);
}

function expectEqual(losses: Twin['losses']): void {
  for (const { there, here } of losses) expect(Math.abs(there - here)).toBeLessThan(1e-3);
}

describe.skipIf(python === undefined)('a SkyRL server (AGOGE_SKYRL names the Python that has it)', () => {
  it('SFT: five steps, the losses of the embedded engine', async () => {
    const recipe = sftRecipe({
      run: 'sft',
      policy: 'base',
      data: { source: 'experts', experts: [{ env: 'textcraft', generated: true }], max_tokens: 256 },
      batch_tokens: 1024,
      optimizer: { lr: 5e-3, clip_norm: 0 },
      steps: 5,
      evaluate: { at_end: false },
      validate: { every: 0 },
      checkpoint: { every: 0 },
      log: { every: 1 },
    });
    await using embedded = await EmbeddedEngine.open({ model, threads: 1 });
    await using twin = new Twin(await connect(), embedded, 'sft');
    await using environments = await openEnvironments(recipe, signal);
    const parts = { environment: environments.open.bind(environments), limits: environments.limits.bind(environments) };
    const decks = await Promise.all(
      recipe.data.experts.map(async (entry) => ({ entry, environment: await parts.environment(entry) })),
    );
    const { format } = await openPrompting({ ...recipe.agent, format: 'direct' });
    const renderer = createRenderer(twin.model.tokenizer, { template: twin.model.chatTemplate });
    const demonstrations = new Demonstrations({ decks, format, renderer, seed: 1, maxTurns: recipe.data.max_turns });
    const source = new ExpertSource(demonstrations, recipe, 256);
    await trainSft(recipe, { engine: twin, source, ...parts }, await directoryOf('sft'), { signal });
    expectEqual(twin.losses);
    expect(twin.steps).toBe(5);
  });
});
