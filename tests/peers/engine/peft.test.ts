/** Adapters in both directions with the official PEFT, for each architecture: the same log-probabilities to 1e-4. */
import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EmbeddedEngine } from '../../../src/engine/embedded/embedded.ts';
import { presetConfig, type ModelConfig } from '../../../src/engine/embedded/network/config.ts';
import { targetsOf, type LoraConfig } from '../../../src/engine/embedded/network/lora.ts';
import type { Loss } from '../../../src/engine/engine.ts';
import { peersMissing, python } from '../python.ts';

interface Answer {
  readonly scores?: readonly number[];
  readonly missing?: string;
}

const packages = ['peft==0.21.2', 'accelerate==1.15.0'];
const architectures: Record<string, Partial<ModelConfig>> = {
  llama: {},
  qwen2: { family: 'qwen2', attentionBias: true, rope: { kind: 'default', theta: 1e6 } },
  qwen3: { family: 'qwen3', queryKeyNorm: true, headSize: 32, tied: false, rope: { kind: 'default', theta: 1e6 } },
  gemma3: { family: 'gemma3_text', headSize: 32, gemma: { queryScalar: 20, window: 16, localTheta: 1000, local: [true, false] } },
};
const kinds: Record<string, LoraConfig> = {
  'all matrices': { rank: 4, alpha: 6, targets: targetsOf('all-linear') },
  'two of them, stabilised': { rank: 3, alpha: 3, targets: targetsOf(['q_proj', 'v_proj']), rankStabilised: true },
};

const likelihood: Loss = (scores) => ({
  loss: -scores.reduce((sum, one) => sum + one.scores.reduce((a, b) => a + b, 0), 0),
  gradient: scores.map((one) => one.scores.map(() => -0.01)),
});

describe.skipIf(peersMissing())('PEFT', () => {
  let child: ChildProcessWithoutNullStreams | undefined;
  let folder = '';
  let next: () => Promise<Answer>;
  /** Why there is no PEFT to compare with. */
  let missing: string | undefined;
  const tokens = Array.from({ length: 90 }, (_, i) => (i * 37 + (i % 7) * 11) % 259);
  const datum = { tokens, mask: Uint8Array.from(tokens, (_, i) => (i > 0 ? 1 : 0)) };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agoge-peft-'));
    const site = join(python, '../../peft');
    if (!existsSync(join(site, 'peft'))) {
      const { status } = spawnSync(python, ['-m', 'pip', 'install', '-q', '--no-deps', '--target', site, ...packages], {
        stdio: 'inherit',
      });
      if (status !== 0) missing = `${packages.join(' and ')} cannot be installed here`;
    }
    if (missing === undefined) {
      child = spawn(python, [new URL('peft_scores.py', import.meta.url).pathname, site], {
        env: { ...process.env, TQDM_DISABLE: '1' },
      });
      child.stderr.pipe(process.stderr);
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      next = async () => JSON.parse(String((await lines.next()).value)) as Answer;
      missing = (await next()).missing;
    }
    if (missing !== undefined) console.log(`skipped: ${missing}`);
    for (const [name, overrides] of Object.entries(architectures)) {
      const config = presetConfig('xxs', { vocabulary: 259, context: 128, ...overrides });
      await using engine = await EmbeddedEngine.open({ config, seed: 2 });
      await engine.save(join(folder, name));
    }
  });

  afterAll(async () => {
    child?.kill();
    await rm(folder, { recursive: true });
  });

  const ask = (request: object): Promise<Answer> => {
    child?.stdin.write(`${JSON.stringify(request)}\n`);
    return next();
  };
  const scoresOf = async (engine: EmbeddedEngine): Promise<Float32Array> =>
    (await engine.forward([datum]))[0]?.scores ?? new Float32Array(0);
  const worst = (ours: Float32Array, theirs: readonly number[]): number => {
    expect(ours.length).toBe(theirs.length);
    return Math.max(...theirs.map((value, i) => Math.abs(value - (ours[i] ?? Number.NaN))));
  };
  const cases = Object.keys(architectures).flatMap((name) => Object.keys(kinds).map((kind) => [name, kind] as const));

  test.each(cases)('loads what we trained: %s, %s', async (name, kind) => {
    if (missing !== undefined) return;
    const [base, adapters] = [join(folder, name), join(folder, `ours ${name} ${kind}`)];
    await using engine = await EmbeddedEngine.open({ model: base, lora: kinds[kind] as LoraConfig, seed: 4 });
    const before = await scoresOf(engine);
    for (let step = 0; step < 3; step++) {
      await engine.forwardBackward([datum], likelihood);
      await engine.optimStep({ learningRate: 2e-2 });
    }
    await engine.save(adapters, { optimizer: true });
    const after = await scoresOf(engine);
    expect(worst(before, [...after])).toBeGreaterThan(0.1);
    expect(worst(after, (await ask({ score: adapters, tokens })).scores ?? [])).toBeLessThan(1e-4);
  });

  test.each(cases)('writes what we load, merged and to train on: %s, %s', async (name, kind) => {
    if (missing !== undefined) return;
    const [base, adapters] = [join(folder, name), join(folder, `theirs ${name} ${kind}`)];
    const lora = kinds[kind] as LoraConfig;
    const { rank: r, alpha, targets, rankStabilised = false } = lora;
    await ask({ write: adapters, base, lora: { r, lora_alpha: alpha, target_modules: targets, use_rslora: rankStabilised } });
    const theirs = (await ask({ score: adapters, tokens })).scores ?? [];
    await using merged = await EmbeddedEngine.open({ model: adapters });
    expect(worst(await scoresOf(merged), theirs)).toBeLessThan(1e-4);
    await using beside = await EmbeddedEngine.open({ model: adapters, lora });
    expect(worst(await scoresOf(beside), theirs)).toBeLessThan(1e-4);
  });
});
