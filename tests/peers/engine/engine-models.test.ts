/**
 * Models against their originals: what transformers writes in half precision, in several files and with scaled rotation loads
 * here; tokenizers and gguf agree with ours. (Checkpoints of every architecture in both directions: transformers.test.ts.)
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EmbeddedEngine } from '../../../src/engine/embedded/embedded.ts';
import { blockFormats, dequantise } from '../../../src/engine/embedded/models/files/dequantise.ts';
import { ModelTokenizer } from '../../../src/engine/embedded/models/tokenizers/tokenizer.ts';
import { trainTokenizer } from '../../../src/engine/embedded/models/tokenizers/train-tokenizer.ts';
import { presetConfig } from '../../../src/engine/embedded/network/config.ts';
import { peersMissing, python } from '../python.ts';

const missing = peersMissing();
if (missing !== undefined) console.log(`engine-models skipped: ${missing}`);
const script = fileURLToPath(new URL('engine_models.py', import.meta.url));

async function ask(...args: string[]): Promise<unknown> {
  const environment = { ...process.env, HF_HUB_OFFLINE: '1', TRANSFORMERS_VERBOSITY: 'error' };
  const { stdout } = await promisify(execFile)(python, [script, ...args], { maxBuffer: 1 << 28, env: environment });
  return JSON.parse(stdout);
}

const ids = Array.from({ length: 90 }, (_, i) => (i * 37 + i * i) % 300);
const tokenizer = new ModelTokenizer(
  trainTokenizer({
    texts: [
      'craft 4 oak planks using 1 oak logs\n> get 2 oak logs\nGot 2 oak logs',
      "It's a small test — naïve, 日本語 123 456.\n\n  end",
    ],
    vocabulary: 262,
    words: ['cobblestone', 'netherite'],
    special: ['<|endoftext|>', '<|im_end|>'],
    eos: '<|im_end|>',
  }),
);

async function worst(engine: EmbeddedEngine, theirs: readonly number[]): Promise<number> {
  const [ours] = await engine.forward([{ tokens: ids, mask: Uint8Array.from(ids, (_, i) => Number(i > 0)) }]);
  return theirs.reduce((most, value, i) => Math.max(most, Math.abs(value - ours!.scores[i]!)), 0);
}

describe.skipIf(missing !== undefined)('transformers', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'agoge-peers-'));
    await writeFile(join(root, 'tokenizer.json'), JSON.stringify(tokenizer.files.tokenizer));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  test.each(['llama3', 'qwen2', 'yarn', 'qwen3'])('writes a %s checkpoint that loads here', async (family) => {
    const folder = join(root, `theirs-${family}`);
    const theirs = (await ask('make', folder, family, JSON.stringify(ids), join(root, 'tokenizer.json'))) as number[];
    await using engine = await EmbeddedEngine.open({ model: folder });
    expect(await worst(engine, theirs)).toBeLessThan(1e-4);
    expect(engine.model.tokenizer.endOfTurn).toContain(1);
  });

  test('reads the tokenizer that was trained here and tokenises alike', async () => {
    const config = presetConfig('xxs', { vocabulary: 300, context: 128 });
    await using engine = await EmbeddedEngine.open({ config, seed: 1, tokenizer });
    const folder = join(root, 'tokenizer');
    await engine.save(folder);
    const texts = [
      'get 64 cobblestone\n',
      "It's  spaced   out\t\n\n x",
      'naïve 日本語 🙂 12.5%',
      '<|im_end|>craft netherite ',
      'Ünïcödé',
    ];
    expect(await ask('tokenize', folder, JSON.stringify(texts))).toEqual(texts.map((text) => tokenizer.encode(text)));
  });
});

test.skipIf(missing !== undefined)('gguf: blocks of every kind unpack as in the original', async () => {
  const kinds = Object.entries(blockFormats).filter(([kind]) => !['F32', 'Q8_K'].includes(kind));
  const blocks = new Map(kinds.map(([kind, format]) => [kind, randomBytes(format.bytes * 6)]));
  const request = Object.fromEntries([...blocks].map(([kind, bytes]) => [kind, bytes.toString('base64')]));
  const theirs = (await ask('dequantise', JSON.stringify(request))) as Record<string, (number | null)[]>;
  for (const [kind, format] of kinds) {
    const ours = new Float32Array(format.values * 6);
    dequantise(format, blocks.get(kind)!, ours);
    expect(theirs[kind]).toHaveLength(ours.length);
    const differs = theirs[kind]!.findIndex((value, i) => {
      if (value === null) return Number.isFinite(ours[i]!);
      return !(Math.abs(ours[i]! - value) <= 1e-5 * Math.abs(value) + 1e-30);
    });
    expect(`${kind} ${differs}`).toBe(`${kind} -1`);
  }
});
