import { appendFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { GrowingLines } from './growing-lines.ts';

const folder = await mkdtemp(join(tmpdir(), 'agoge-lines-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

it('gives every complete line once, however many look at the same time', async () => {
  const name = 'grows.jsonl';
  const file = join(folder, name);
  const seen: string[] = [];
  const lines = new GrowingLines(() => seen.push('again'));
  const look = (): Promise<void> => lines.catchUp(folder, name, (text) => seen.push(text));
  await look();
  await writeFile(file, '一\ntwo\nthr');
  await Promise.all([look(), look(), look()]);
  expect(seen).toEqual(['一', 'two']);
  await appendFile(file, 'ee\n');
  await Promise.all([look(), look()]);
  expect(seen).toEqual(['一', 'two', 'three']);
  await writeFile(file, 'one\n');
  await look();
  expect(seen.slice(3)).toEqual(['again', 'one']);
});

it('reads lines longer than its buffer', async () => {
  const file = join(folder, 'long.jsonl');
  const long = '长'.repeat(800_000);
  await writeFile(file, `${long}\nshort\n`);
  const seen: string[] = [];
  await new GrowingLines().catchUp(folder, 'long.jsonl', (text) => seen.push(text));
  expect(seen).toEqual([long, 'short']);
});

it('a file that was written anew is read from its start, though it is no shorter', async () => {
  const seen: string[] = [];
  const lines = new GrowingLines(() => seen.push('again'));
  const look = (): Promise<void> => lines.catchUp(folder, 'anew.jsonl', (text) => seen.push(text));
  await writeFile(join(folder, 'anew.jsonl'), 'one\n');
  await look();
  await writeFile(join(folder, 'hidden'), 'zero\none\n');
  await rename(join(folder, 'hidden'), join(folder, 'anew.jsonl'));
  await look();
  await look();
  expect(seen).toEqual(['one', 'again', 'zero', 'one']);
});
