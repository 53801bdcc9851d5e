/**
 * A reply is a function of weights, prompt and seed. Random schedules (who shares a prefix with whom, when requests arrive, in
 * how many lanes and slots, with how much memory, who is cancelled) must give what each request gives alone in a fresh engine.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Random } from '../../../core/random/random.ts';
import type { Sample } from '../../engine.ts';
import { EmbeddedEngine, type EmbeddedOptions } from '../embedded.ts';
import { presetConfig, type ModelConfig } from '../network/config.ts';

const vocabulary = 300;

interface Schedule {
  readonly config: ModelConfig;
  readonly sampling: NonNullable<EmbeddedOptions['sampling']>;
  readonly conversations: readonly Conversation[];
}

interface Conversation {
  /** Conversations of one group begin with the same tokens. */
  readonly group: number;
  readonly shared: number;
  /** New tokens of each turn, and how many are sampled. */
  readonly turns: readonly { readonly read: number; readonly reply: number; readonly pause: number; readonly cancel: boolean }[];
}

/** The attention kernel's blocks are two head sizes long here: 16 and 32 rows. Lengths near their multiples are the interesting ones. */
const length = fc.oneof(
  fc.integer({ min: 1, max: 70 }),
  fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: -1, max: 2 })).map(([blocks, more]) => 16 * blocks + more),
);
const turn = fc.record({
  read: length,
  reply: fc.integer({ min: 1, max: 12 }),
  pause: fc.integer({ min: 0, max: 12 }),
  cancel: fc.nat({ max: 5 }).map((n) => n === 0),
});
const schedule: fc.Arbitrary<Schedule> = fc.record({
  config: fc.constantFrom(8, 16).map((headSize) => presetConfig('xxs', { vocabulary, context: 512, headSize })),
  sampling: fc
    .record({
      lanes: fc.integer({ min: 1, max: 3 }),
      slots: fc.integer({ min: 1, max: 9 }),
      memory: fc.constantFrom(400_000, 1_000_000, 20_000_000),
    })
    .map(({ lanes, slots, memory }) => ({ lanes, slots, memory: memory * lanes })),
  conversations: fc.array(
    fc.record({
      group: fc.integer({ min: 0, max: 2 }),
      shared: length,
      turns: fc.array(turn, { minLength: 1, maxLength: 4 }),
    }),
    { minLength: 2, maxLength: 8 },
  ),
});

const sharpened = async (config: ModelConfig, sampling: Schedule['sampling']): Promise<EmbeddedEngine> => {
  const engine = await EmbeddedEngine.open({ config, seed: 7, sampling });
  for (let i = 0; i < engine.weights.length; i++) engine.weights[i]! *= 1.7;
  return engine;
};

const passes = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
};

interface Asked {
  readonly prompt: readonly number[];
  readonly maxTokens: number;
  readonly seed: number;
  readonly sample: Sample;
}

/** Plays a conversation and records what was asked and answered. */
async function converse(engine: EmbeddedEngine, { group, shared, turns }: Conversation, index: number): Promise<Asked[]> {
  const text = (random: Random, count: number): number[] => Array.from({ length: count }, () => random.below(vocabulary));
  const prompt = text(Random.of(group, 'opening'), shared);
  const own = Random.of(index, 'own');
  const asked: Asked[] = [];
  for (const [i, { read, reply, pause, cancel }] of turns.entries()) {
    if (i > 0) prompt.push(...text(own, read));
    await passes(pause);
    const request = { prompt: [...prompt], maxTokens: reply, seed: 100 * index + i };
    if (cancel) {
      const controller = new AbortController();
      const cancelled = engine.sample({ ...request, signal: controller.signal }).catch(() => undefined);
      await passes(1);
      controller.abort();
      await cancelled;
    }
    const sample = await engine.sample(request);
    asked.push({ ...request, sample });
    prompt.push(...sample.tokens);
  }
  return asked;
}

test('what a request gives does not depend on the schedule', async () => {
  await fc.assert(
    fc.asyncProperty(schedule, async ({ config, sampling, conversations }) => {
      await using engine = await sharpened(config, sampling);
      const played = await Promise.all(conversations.map((one, index) => converse(engine, one, index)));
      for (const { sample, ...request } of played.flat()) {
        await using alone = await sharpened(config, { lanes: 1, slots: 1 });
        expect(await alone.sample(request)).toEqual(sample);
      }
    }),
    { numRuns: Number(process.env['SCHEDULES'] ?? 8) },
  );
});
