/** Patterns that never end. What they are given is a tenth of its time here: to see one end takes that long on a whole core. */
import { expect, test, vi } from 'vitest';
import { ModelTokenizer } from './tokenizer.ts';
import { trainTokenizer } from './train-tokenizer.ts';

vi.mock('../../../../core/bounded.ts', async (original) => {
  const { bounded } = await original<typeof import('../../../../core/bounded.ts')>();
  const shorter: typeof bounded = (milliseconds, ...rest) => bounded(milliseconds / 10, ...rest);
  return { bounded: shorter };
});

/** Goes back over every way to cut a row of a: for thirty of them, longer than anybody lives. */
const endless = '(?:a+)+b';

test('a phrase or a pattern that never ends is told, not waited for', () => {
  const row = `${'a'.repeat(60)} c`;
  expect(() => trainTokenizer({ texts: [row], vocabulary: 300, phrases: [endless] })).toThrow(/phrases did not end within/);
  const trained = trainTokenizer({ texts: ['oak planks'], vocabulary: 300 });
  const pre = { type: 'Split', pattern: { Regex: endless }, behavior: 'Isolated', invert: false };
  const slow = new ModelTokenizer({ ...trained, tokenizer: { ...trained.tokenizer, pre_tokenizer: pre } });
  expect(() => slow.encode(row)).toThrow(/the pattern of the tokenizer did not end within/);
  expect(slow.encode('oak').length).toBeGreaterThan(0);
});
