/** An engine within a bound of its device's memory: it trains and samples there, counts what it holds, and refuses by the setting's name. */
import { expect, test } from 'vitest';
import type { Loss } from '../../engine.ts';
import { EmbeddedEngine } from '../embedded.ts';
import { presetConfig } from '../network/config.ts';
import { openDevice } from '../runtime/open-device.ts';

const bound = 2 ** 28;
const config = presetConfig('xxs', { vocabulary: 272, context: 512 });
const prompt = Array.from({ length: 40 }, (_, i) => i % 64);
const data = [{ tokens: prompt, mask: Uint8Array.from(prompt, (_, i) => (i > 0 ? 1 : 0)) }];
const loss: Loss = (scores) => ({ loss: 0, gradient: scores.map((one) => one.scores.map(() => -1)) });

test('training and sampling stay within the bound, and what they hold is told by what it is for', async () => {
  expect(openDevice('resident').memory().total).toBeGreaterThan(bound);
  await using engine = await EmbeddedEngine.open({ config, seed: 1, device: 'resident', cardMemory: bound });
  expect(openDevice('resident').memory().total).toBe(bound);
  for (let step = 0; step < 2; step++) {
    await engine.forwardBackward(data, loss);
    await engine.optimStep({ learningRate: 1e-3 });
    const replies = Array.from({ length: 20 }, (_, seed) => engine.sample({ prompt, maxTokens: 8, seed }));
    expect((await Promise.all(replies)).every(({ tokens }) => tokens.length > 0)).toBe(true);
  }
  const { held, most } = engine.cardMemory!;
  for (const owner of ['weights', 'training', 'activations', 'cache'] as const) expect(held[owner], owner).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(bound);
});

test('a batch that could fill the bound leaves room for keys and values', async () => {
  await using engine = await EmbeddedEngine.open({ config, seed: 1, device: 'resident', cardMemory: bound });
  const tokens = Array.from({ length: 500 }, (_, i) => (7 * i) % 272);
  const long = Array.from({ length: 40 }, (_, i) => ({
    tokens: tokens.map((token) => (token + i) % 272),
    mask: Uint8Array.from(tokens, (_, at) => (at > 490 ? 1 : 0)),
  }));
  await engine.forwardBackward(long, loss);
  const { tokens: reply } = await engine.sample({ prompt: tokens, maxTokens: 2, seed: 1 });
  expect(reply.length).toBeGreaterThan(0);
  expect(engine.cardMemory!.most).toBeLessThanOrEqual(bound);
});

test('a batch that could fill the bound leaves room for moments and the mark of the first step', async () => {
  const wide = presetConfig('xs', { vocabulary: 12_000, context: 512 });
  await using engine = await EmbeddedEngine.open({ config: wide, seed: 1, device: 'resident', cardMemory: bound });
  using _ = openDevice('resident').allocate(bound / 4, 'cache'); // as sampling before the first step takes it
  const tokens = Array.from({ length: 500 }, (_, i) => (7 * i) % 272);
  const batch = Array.from({ length: 16 }, (_, i) => ({
    tokens: tokens.map((token) => (token + i) % 272),
    mask: Uint8Array.from(tokens, (_, at) => (at > 490 ? 1 : 0)),
  }));
  await engine.forwardBackward(batch, loss);
  await engine.markGradient();
  await engine.forwardBackward(batch, loss);
  expect(await engine.agreement()).toBeCloseTo(1, 3);
  await engine.optimStep({ learningRate: 1e-3 });
  expect(engine.cardMemory!.held.activations).toBeGreaterThan(0);
});

test('a model that does not fit the bound is refused by the name of the setting', async () => {
  const large = presetConfig('s', { vocabulary: 60_000, context: 512 });
  await using engine = await EmbeddedEngine.open({ config: large, seed: 1, device: 'resident', cardMemory: bound });
  await expect(engine.forwardBackward(data, loss)).rejects.toMatchObject({
    code: 'ENGINE_OUT_OF_MEMORY',
    message: expect.stringMatching(
      /^0\.\d\d GiB are left of engine\.card_memory and 0\.\d\d GiB more are needed: raise it/,
    ) as string,
  });
});
