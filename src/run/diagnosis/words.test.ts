import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { diagnosisInChinese, remediesInChinese } from './chinese.ts';
import { parseDiagnoses, type Diagnosis } from './diagnosis.ts';
import { diagnosisLine, remedies } from './words.ts';

const each: readonly Diagnosis[] = [
  { kind: 'replies-flat', steps: 160, level: 0.17 },
  { kind: 'success-flat', steps: 60, level: 0.17 },
  { kind: 'no-signal', steps: 7 },
  { kind: 'reward-up-success-down', reward: [0.1, 0.4], success: [0.5, 0.2] },
  { kind: 'giving-up', success: [0.35, 0], turns: [6, 1] },
  { kind: 'collapsed', success: [0.5, 0.1], peak: 12 },
  { kind: 'entropy-gone', entropy: 0.0012 },
  { kind: 'replies-cut', share: 0.4 },
  { kind: 'context-full', share: 0.2 },
  { kind: 'unreadable', share: 0.5 },
  { kind: 'rate-too-high', kl: 2.85 },
  { kind: 'unlearned', success: [0.78, 0] },
];

test('the page has the list of the code: the same kinds in the same order, with the same remedies', async () => {
  const page = (await readFile(new URL('../../../docs/not-learning.md', import.meta.url), 'utf8')).replaceAll(/\s+/g, ' ');
  const headings = [...page.matchAll(/## ([a-z-]+) /g)].map(([, heading]) => heading);
  expect(headings).toEqual(Object.keys(remedies));
  for (const remedy of Object.values(remedies)) expect(page).toContain(`Remedy: ${remedy}.`);
});

test('every kind has its words, in both languages', () => {
  expect(each.map(({ kind }) => kind)).toEqual(Object.keys(remedies));
  for (const found of each) {
    expect(diagnosisLine(found)).not.toMatch(/NaN|undefined/);
    expect(diagnosisInChinese(found)).toMatch(/[\u4e00-\u9fff]/);
    expect(remediesInChinese[found.kind]).toMatch(/[\u4e00-\u9fff]/);
  }
  expect(diagnosisLine(each[4] as Diagnosis)).toMatch(
    /^success went to zero \(0\.35 → 0\.00\) while episodes shrank \(6\.00 → 1\.00 turns\)/,
  );
});

test('what a file holds is read one by one', () => {
  expect(parseDiagnoses([each[0], { kind: 'of a later version' }, 7, each[2]])).toEqual([each[0], each[2]]);
  expect(parseDiagnoses(undefined)).toEqual([]);
});
