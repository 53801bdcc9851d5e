/** From a file of preferences to a reward model that ranks, resumes, rewards episodes and answers over HTTP, all with the same numbers. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rewardSchema } from '../../config/recipe/reward-config.ts';
import { rewardModelRecipe } from '../../config/recipe/recipe.ts';
import type { RewardModelRecipe } from '../../config/recipe/reward-model-recipe.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import { EmbeddedEngine } from '../../engine/embedded/embedded.ts';
import { openSafetensors } from '../../engine/embedded/models/files/safetensors.ts';
import { startOpenAi } from '../../policy/openai/server.ts';
import { dataEnvironment } from '../../envs/data/opened.fixture.ts';
import { openReward } from '../../rewards/open.ts';
import { openRewardModel } from '../../rewards/model/reward-model.ts';
import { readMetrics } from '../../run/metrics-log.ts';
import { resumeRun } from '../resume.ts';
import { startReward } from './start.ts';

const folder = await mkdtemp(join(tmpdir(), 'agoge-reward-model-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const pairs = join(folder, 'pairs.jsonl');
const conversation = (said: string) => [
  { role: 'user' as const, text: 'Shall we?' },
  { role: 'assistant' as const, text: said },
];

function recipeOf(run: string, more: Record<string, unknown> = {}): RewardModelRecipe {
  return rewardModelRecipe({
    run,
    output: folder,
    policy: { fresh: { preset: 'xxs', vocabulary: 280, context: 64, tokenizer_samples: 50 } },
    engine: { threads: 2 },
    pairs: { train: pairs, hold_out: 0.2 },
    batch_pairs: 8,
    optimizer: { lr: 3e-3, warmup: 0 },
    steps: 12,
    validate: { every: 6 },
    log: { every: 3 },
    ...more,
  });
}

const signal = new AbortController().signal;
let run: string;

beforeAll(async () => {
  const rows = Array.from({ length: 60 }, (_, i) => ({
    prompt: [{ role: 'user', content: `Shall we ${i}?` }],
    chosen: [{ role: 'assistant', content: `yes ${i}` }],
    rejected: [{ role: 'assistant', content: `no ${i}` }],
    category: i % 2 === 0 ? 'even' : 'odd',
  }));
  await writeFile(pairs, rows.map((row) => JSON.stringify(row)).join('\n'));
  run = (await startReward(recipeOf('whole'), { signal })).directory;
});

describe('agoge reward', () => {
  it('ranks pairs that were held out, by category too', async () => {
    const last = (await readMetrics(run)).at(-1)?.data ?? {};
    expect(last['val/accuracy']).toBe(1);
    expect(last['val/accuracy/even']).toBe(1);
    expect(last['val/loss']).toBeLessThan(0.5);
    expect(last['rewards/margins']).toBeGreaterThan(0);
  });

  it('goes on after an interruption with the very next pair: the same weights', async () => {
    const controller = new AbortController();
    const stop = ({ step }: { step: number }): void => {
      if (step === 6) controller.abort();
    };
    const { status } = await startReward(recipeOf('cut'), { signal: controller.signal, events: { onStep: stop } });
    expect(status).toBe('interrupted');
    await resumeRun(join(folder, 'cut'), { signal });
    const weights = (name: string) => readFile(join(folder, name, 'checkpoints/step_000012/model.safetensors'));
    expect((await weights('cut')).equals(await weights('whole'))).toBe(true);
  });

  it('writes a sequence classifier without the bias that transformers does not know', async () => {
    const path = join(run, 'checkpoints/step_000012');
    await using file = await openSafetensors(join(path, 'model.safetensors'));
    expect([...file.tensors.keys()].filter((name) => name.startsWith('score.'))).toEqual(['score.weight']);
    const config = JSON.parse(await readFile(join(path, 'config.json'), 'utf8')) as Record<string, unknown>;
    expect(config).toMatchObject({ architectures: ['LlamaForSequenceClassification'], num_labels: 1 });
  });

  it('says what is wrong with a file of pairs', async () => {
    const broken = join(folder, 'broken.jsonl');
    await writeFile(broken, '{"chosen":"a","rejected":"b"}\n');
    const recipe = recipeOf('broken', { pairs: { train: broken } });
    await expect(startReward(recipe, { signal })).rejects.toThrow(/row 1 does not say what "chosen" answers/);
  });
});

describe('a reward model', () => {
  it('gives the same scores here and behind an address, to texts and to messages', async () => {
    await using here = await openRewardModel({ model: `run:${run}` });
    const asked = ['yes', 'no', 'yes, yes'].map(conversation);
    const scores = await here.score(asked);
    expect(scores[0]).toBeGreaterThan(scores[1] as number);

    await using engine = await EmbeddedEngine.open({ model: join(run, 'checkpoints/step_000012'), threads: 2 });
    await using server = await startOpenAi({ engine, name: 'judge' });
    const root = server.url.replace('/v1', '');
    const tokenizer = join(run, 'checkpoints/step_000012');
    for (const options of [{ model: server.url }, { model: `${root}/v1/embeddings` }, { model: root, tokenizer }]) {
      await using there = await openRewardModel(options);
      const answers = await there.score(asked);
      answers.forEach((score, i) => expect(score).toBeCloseTo(scores[i] as number, 5));
    }
    const chat = await fetch(`${server.url}/chat/completions`, { method: 'POST', body: '{}' });
    expect(chat.status).toBe(404);
    const both = await fetch(`${root}/classify`, { method: 'POST', body: '{"input":"a","messages":[]}' });
    expect(both.status).toBe(400);
    const probability = await fetch(`${root}/classify`, { method: 'POST', body: '{"input":"a"}' }).then(
      (response) => response.json() as Promise<{ data: { probs: number[] }[] }>,
    );
    expect(probability.data[0]?.probs[0]).toBeGreaterThan(0);
    expect(probability.data[0]?.probs[0]).toBeLessThan(1);
  });

  it('rewards episodes under its name; a language model is refused', async () => {
    const environment = await dataEnvironment({ level: '0' });
    const played = (reply: string): Trajectory => ({
      task: { env: 'data', split: 'test', index: 0 },
      ...{ category: '', sample: 0, seed: 1, policy: 'test', format: 'direct', observation: 'Shall we?', retries: 0 },
      segments: [
        { role: 'user', text: 'Shall we?', tokens: [] },
        { role: 'assistant', text: reply, tokens: [], logprobs: new Float32Array(), policyVersion: 0 },
      ],
      turns: [{ reply, action: reply, observation: '', reward: 0, done: true }],
      outcome: { kind: 'finished', reward: 0, success: false },
      time: { total: 0, policy: 0, environment: 0 },
    });
    const by = async (model: string) => {
      const reward = await openReward(rewardSchema.parse({ parts: [{ use: 'reward_model', model }] }));
      return (await reward?.apply(environment, [played('yes'), played('no')])) ?? [];
    };
    const [yes, no] = await by(`run:${run}`);
    await using here = await openRewardModel({ model: `run:${run}` });
    const scores = await here.score([conversation('yes'), conversation('no')]);
    expect(yes?.outcome).toMatchObject({ kind: 'finished', reward: scores[0] });
    expect(no?.turns[0]?.breakdown).toEqual({ reward_model: scores[1] });
    const [refused] = await by('base');
    expect(refused?.outcome).toMatchObject({ kind: 'failed', by: 'reward', error: { code: 'REWARD_NOT_A_MODEL' } });
  });
});
