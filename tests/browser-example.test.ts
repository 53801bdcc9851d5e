/** The page in examples/browser: its Llama gives the engine's numbers, and in a real browser the policy plays a task to its end. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadEnvironment } from 'agoge/browser';
import { createServer } from 'vite';
import { describe, expect, it } from 'vitest';
import { loadPolicy, playTask, type Turn } from '../examples/browser/play.ts';
import { EmbeddedEngine } from '../src/engine/embedded/embedded.ts';
import { launchBrowser } from './browser.ts';

const model = fileURLToPath(new URL('../models/base', import.meta.url));
const read = async (name: string): Promise<ArrayBuffer> => Uint8Array.from(await readFile(join(model, name))).buffer;

describe('the example in a page', () => {
  it('computes what the engine computes', async () => {
    const { encode, fresh } = await loadPolicy(read);
    const tokens = Int32Array.from(encode('Goal: craft 2 stick.<|act|>get 1 oak log<|end|>Got 1 oak log<|act|>'));
    await using engine = await EmbeddedEngine.open({ model });
    const [scores] = await engine.forward([{ tokens, mask: Uint8Array.from(tokens, (_, t) => (t === 0 ? 0 : 1)) }]);
    const llama = fresh();
    const ours: number[] = [];
    for (let t = 0; t + 1 < tokens.length; t++) {
      const logits = llama.next(tokens[t] ?? -1);
      const total = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0));
      ours.push((logits[tokens[t + 1] ?? -1] ?? NaN) - total);
    }
    expect(ours.length).toBe(scores?.scores.length);
    ours.forEach((logprob, t) => expect(logprob).toBeCloseTo(scores?.scores[t] ?? NaN, 3));
  });

  it('plays in Chromium as it plays here', async () => {
    const here: Turn[] = [];
    const task = { env: 'textcraft', split: 'test', index: 3 };
    for await (const turn of playTask(await loadEnvironment('textcraft'), task, await loadPolicy(read))) here.push(turn);
    const root = fileURLToPath(new URL('../examples/browser', import.meta.url));
    const cacheDir = await mkdtemp(join(tmpdir(), 'agoge-page-'));
    const server = await createServer({ root, cacheDir, logLevel: 'error', server: { port: 0, host: '127.0.0.1' } });
    const browser = await launchBrowser();
    try {
      await server.listen();
      const page = await browser.newPage();
      page.setDefaultTimeout(120_000);
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      await page.goto(server.resolvedUrls?.local[0] ?? '');
      await page.getByText('ready', { exact: true }).waitFor();
      await page.getByLabel('Task').fill('3');
      await page.getByRole('button', { name: 'Play' }).click();
      await page.getByText(/^reward /).waitFor();
      expect(await page.locator('.action').allTextContents()).toEqual(here.map(({ action }) => action));
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
      await server.close();
      await rm(cacheDir, { recursive: true, force: true });
    }
  });
});
