/** The trainer of examples/own-trainer.ts: under 80 lines, and with the lifecycle's exact resume after Ctrl-C. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { trainText } from '../../examples/own-trainer.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-own-trainer-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('goes on after it was stopped, with the bits of a run that was not', async () => {
  const source = fileURLToPath(new URL('../../examples/own-trainer.ts', import.meta.url));
  expect(readFileSync(source, 'utf8').trim().split('\n').length).toBeLessThan(80);
  const text = join(folder, 'text.txt');
  writeFileSync(text, 'Craft a stick from planks, then a ladder from sticks.\n'.repeat(60));
  const go = (run: string, signal = new AbortController().signal) => trainText(join(folder, run), text, 4, signal);
  expect(await go('whole')).toMatchObject({ status: 'finished', step: 4 });
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error('Ctrl-C')), 0);
  expect(await go('cut', stop.signal)).toMatchObject({ status: 'interrupted' });
  expect(await go('cut')).toMatchObject({ status: 'finished', step: 4 });
  const weights = (run: string) => readFileSync(join(folder, run, 'checkpoints/step_000004/model.safetensors'));
  expect(weights('cut').equals(weights('whole'))).toBe(true);
});
