import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { asCalled } from './print.ts';

/** Those that draw with commands of their own: bars, the demo's chart, the last word before the end and the one before anything is loaded. */
const drawers = [
  'commands/demo.ts',
  'main.ts',
  'terminal/bar.ts',
  'terminal/dashboard.ts',
  'terminal/print.ts',
  'terminal/signals.ts',
];

it('is the only way for text to the terminal', async () => {
  const folder = new URL('../', import.meta.url);
  // What templates print is printed by the user's own files.
  const isOurs = (name: string): boolean => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('templates');
  const files = (await readdir(folder, { recursive: true })).filter(isOurs);
  const writers: string[] = [];
  for (const name of files) {
    if (/\b(stdout|stderr|stream)\.write\(|\bconsole\./.test(await readFile(new URL(name, folder), 'utf8'))) writers.push(name);
  }
  expect(writers.sort()).toEqual(drawers);
});

it('writes hints as the person called the command', () => {
  const text = 'go on with: agoge train --resume outputs/x\n  agoge view outputs/agoge run\nsee agoge.dev, or `agoge doctor`';
  expect(asCalled(text, false)).toBe(text);
  expect(asCalled(text, true)).toBe(
    'go on with: npx agoge train --resume outputs/x\n  npx agoge view outputs/agoge run\nsee agoge.dev, or `npx agoge doctor`',
  );
  expect(
    asCalled('next: cd dice && agoge lint ./env.ts, or agoge eval; play it with "agoge data play" (agoge serve)', true),
  ).toBe('next: cd dice && npx agoge lint ./env.ts, or npx agoge eval; play it with "npx agoge data play" (npx agoge serve)');
});
