import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { policyLossOf } from '../../../learn/losses/policy-loss.ts';
import { crossEntropy } from '../../../learn/losses/cross-entropy.ts';
import { EmbeddedEngine } from '../../embedded/embedded.ts';
import { loadWords } from '../../embedded/models/checkpoint.ts';
import { presetConfig } from '../../embedded/network/config.ts';
import type { Datum, Engine, Loss } from '../../engine.ts';
import { startTinker, type TinkerServer } from '../server/server.ts';
import { TinkerEngine, type TinkerOptions } from './engine.ts';

const config = presetConfig('xxs', { vocabulary: 300, context: 64 });
const fresh = (): Promise<EmbeddedEngine> => EmbeddedEngine.open({ config, seed: 3, threads: 2 });
const open = (folder?: string): Promise<EmbeddedEngine> =>
  EmbeddedEngine.open({ model: folder ?? join(root, 'base'), threads: 2 });

let root: string;
let server: TinkerServer;
let words: TinkerOptions['words'];
const start = (port = 0): Promise<TinkerServer> => startTinker({ name: 'tiny', open, folder: join(root, 'saved'), port });
const connect = (more: Partial<TinkerOptions> = {}): Promise<TinkerEngine> =>
  TinkerEngine.open({ url: server.url, key: 'tml-secret', baseModel: 'tiny', words, patience: 20_000, ...more });

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'agoge-tinker-client-'));
  await using engine = await fresh();
  await engine.save(join(root, 'base'));
  words = await loadWords(join(root, 'base'));
  server = await start();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(root, { recursive: true });
});

const datum = (tokens: readonly number[]): Datum => ({ tokens, mask: Uint8Array.from(tokens, (_, i) => (i < 2 ? 0 : 1)) });
const batch = [datum([5, 6, 7, 8, 9, 10]), datum([20, 21, 22, 23]), datum([40, 41, 40, 41, 40])];
const imitate: Loss = (scores) =>
  crossEntropy(
    scores.map((one) => one.scores),
    [0.1, 0.1, 0.1],
  );
/** Neither linear in the log-probabilities nor the same for all tokens: any loss goes through. */
const squares: Loss = (scores) => ({
  loss: scores.reduce((sum, { scores: row }) => sum + row.reduce((part, lp) => part + 0.01 * (lp + 3) ** 2, 0), 0),
  gradient: scores.map(({ scores: row }) => row.map((lp) => 0.02 * (lp + 3))),
});
const adam = { learningRate: 3e-3, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, clipNorm: 1 };

async function train(engine: Engine, loss: Loss, steps: number, after?: (step: number) => Promise<void>): Promise<number[]> {
  const losses: number[] = [];
  for (let step = 0; step < steps; step++) {
    losses.push((await engine.forwardBackward(batch, loss)).loss);
    await engine.optimStep(adam);
    await after?.(step);
  }
  return losses;
}
const rowOf = <Row>(rows: readonly Row[], i: number): Row => {
  const row = rows[i];
  if (!row) throw new Error(`no row ${i}`);
  return row;
};
const close = (a: readonly number[], b: readonly number[]): void => {
  expect(a).toHaveLength(b.length);
  a.forEach((value, i) => expect(Math.abs(value - (b[i] ?? NaN))).toBeLessThan(1e-5 * (1 + Math.abs(value))));
};

test('the losses of five steps are those of the embedded engine, for any loss', async () => {
  for (const loss of [imitate, squares]) {
    await using embedded = await open();
    await using remote = await connect();
    const losses = await train(remote, loss, 5);
    close(losses, await train(embedded, loss, 5));
    expect(losses[4]).toBeLessThan(losses[0] ?? NaN);
    expect(remote.version).toBe(5);
  }
});

test('a loss whose derivative is known takes one pass and gives the same', async () => {
  const known = Object.assign((scores: Parameters<Loss>[0]) => imitate(scores), {
    slopes: batch.map(({ mask }) => new Float32Array(mask.reduce((sum, one) => sum + one, 0)).fill(-0.1)),
  });
  await using one = await connect();
  await using two = await connect();
  close(await train(one, known, 3), await train(two, imitate, 3));
});

test('a loss that the server has itself takes one pass; where a dual clip binds the rest follows, and the gradient is the same', async () => {
  const rows = batch.map(({ mask }, i) => ({
    old: new Float32Array(mask.reduce((sum, one) => sum + one, 0)).fill(-7 + i),
    advantages: Float32Array.from({ length: 4 }, (_, t) => [0.2, -0.1, 0.3][(i + t) % 3] ?? NaN).subarray(0, mask.length - 2),
  }));
  for (const [name, dualClip] of [
    ['vanilla', undefined],
    ['vanilla', 1.5],
    ['cispo', undefined],
  ] as const) {
    const { loss: lossOf, builtin } = policyLossOf(name);
    const plain: Loss = (scores) => {
      const parts = scores.map((one, i) => lossOf({ logprobs: one.scores, ...rowOf(rows, i) }, { clip: [0.2, 0.28], dualClip }));
      return {
        loss: parts.reduce((sum, { loss }) => sum + loss.reduce((part, value) => part + value, 0), 0),
        gradient: parts.map(({ gradient }) => Float32Array.from(gradient)),
      };
    };
    const known = Object.assign((scores: Parameters<Loss>[0]) => plain(scores), {
      builtin: { name: builtin ?? 'ppo', clip: [0.8, 1.28], rows } as const,
    });
    await using one = await connect();
    await using embedded = await open();
    const first = await one.forwardBackward(batch, known);
    expect(first.computedTokens).toBe(dualClip === undefined ? first.tokens : 2 * first.tokens);
    const also = await embedded.forwardBackward(batch, plain);
    close([first.loss], [also.loss]);
    expect((await one.optimStep(adam)).gradientNorm).toBeCloseTo((await embedded.optimStep(adam)).gradientNorm, 4);
    close(await train(one, known, 3), await train(embedded, plain, 3));
  }
});

test('samples come from the weights of their version and score as the trainer scores them', async () => {
  await using remote = await connect();
  await train(remote, imitate, 2);
  const request = { prompt: [5, 6, 7], maxTokens: 5, seed: 4 };
  const [first, second] = await Promise.all([remote.sample(request), remote.sample(request)]);
  expect(first).toMatchObject({ version: 2, stop: 'length' });
  expect(second.tokens).toEqual(first.tokens);
  const tokens = [...request.prompt, ...first.tokens];
  const [scores] = await remote.forward([{ tokens, mask: Uint8Array.from(tokens, (_, i) => (i < 3 ? 0 : 1)) }]);
  close([...first.logprobs], [...(scores?.scores ?? [])]);
});

test('a server that was killed is waited for; the run goes on and nothing is trained twice', async () => {
  await using whole = await open();
  const wanted = await train(whole, imitate, 6);
  await using remote = await connect({ saveEvery: 2 });
  const restart = async (): Promise<void> => {
    const { port } = server;
    await server[Symbol.asyncDispose]();
    server = await start(port);
  };
  close(await train(remote, imitate, 6, (step) => (step === 0 || step === 2 ? restart() : Promise.resolve())), wanted);
  const folder = join(root, 'checkpoint');
  await remote.save(folder);
  await restart();
  expect((await remote.sample({ prompt: [5, 6], maxTokens: 3, seed: 1 })).version).toBe(6);

  await using resumed = await connect();
  await resumed.load(folder);
  close([(await resumed.forwardBackward(batch, imitate)).loss], [(await whole.forwardBackward(batch, imitate)).loss]);
  const [one, two] = [await resumed.optimStep(adam), await whole.optimStep(adam)];
  expect(one.step).toBe(7);
  expect(one.gradientNorm).toBeCloseTo(two.gradientNorm, 4);
});

test('a datum without scored tokens has no scores and moves nothing', async () => {
  await using remote = await connect();
  const silent: Datum = { tokens: [5, 6], mask: new Uint8Array(2) };
  const [none, some] = await remote.forward([silent, datum([5, 6, 7])]);
  expect([none?.scores.length, some?.scores.length]).toEqual([0, 1]);
  const report = await remote.forwardBackward([silent, datum([5, 6, 7])], squares);
  expect(report.scores.map(({ scores }) => scores.length)).toEqual([0, 1]);
  await remote.optimStep(adam);
});

test('what the wire cannot carry is refused with the remedy', async () => {
  await using remote = await connect();
  await expect(remote.forward(batch, { temperature: 0.7 })).rejects.toThrow(/rollout.temperature=1/);
  await expect(remote.forwardBackward(batch, imitate, { entropy: true })).rejects.toThrow(/algorithm.entropy=0/);
  await expect(remote.optimStep({ ...adam, embeddingRate: 6 })).rejects.toThrow(/embedding_rate=1/);
  await expect(remote.forward([datum([5, 6, 999])])).rejects.toThrow(/outside the vocabulary/);
  await expect(connect({ baseModel: 'else' })).rejects.toThrow(/set engine.model to one of tiny/);
  await expect(remote.load(join(root, 'base'))).rejects.toThrow(/no tinker.json/);
});
