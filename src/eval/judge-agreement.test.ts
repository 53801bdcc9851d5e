import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { judgeAgreement, judgedTrajectory, type JudgeOne } from './judge-agreement.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-judge-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, rows: readonly object[]): string {
  const path = join(folder, name);
  writeFileSync(path, rows.map((row) => JSON.stringify(row)).join('\n'));
  return path;
}

/** Likes long answers; says nothing about "mute". */
const byLength: JudgeOne = async (messages) => {
  const text = messages.at(-1)?.text ?? '';
  if (text === 'mute') throw new Error('no score');
  return Math.min(1, text.length / 10);
};

it('counts pairs that a judge ranks as people do, ties as half, and those it says nothing about', async () => {
  const pair = (chosen: string, rejected: string) => ({ prompt: 'Why?', chosen, rejected });
  const rows = [pair('longer', 'long'), pair('a', 'bcd'), pair('ab', 'cd'), pair('mute', 'x')];
  const report = await judgeAgreement(file('pairs.jsonl', rows), byLength);
  expect(report).toMatchObject({ kind: 'pairs', rows: 4, failed: 1, ties: 1, agreement: 0.5, reasons: ['no score'] });
  expect(report.low).toBeLessThan(0.5);
  expect(report.high).toBeGreaterThan(0.5);
});

it('compares scores: same side of the middle, distance, correlation', async () => {
  const row = (answer: string, score: number) => ({ prompt: 'Why?', answer, score });
  const report = await judgeAgreement(file('scores.jsonl', [row('0123456789', 1), row('0', 0), row('01234567', 0)]), byLength);
  expect(report).toMatchObject({ kind: 'scores', rows: 3, failed: 0 });
  expect(report.agreement).toBeCloseTo(2 / 3);
  expect(report.distance).toBeCloseTo(0.3);
  expect(report.correlation).toBeCloseTo(0.672, 2);
  await expect(judgeAgreement(file('bad.jsonl', [{ prompt: 'a', answer: 'b' }]), byLength)).rejects.toThrow(/row 1 has no score/);
});

it('shows a judge the task and the last reply', () => {
  const { observation, turns } = judgedTrajectory([
    { role: 'system', text: 'Be brief.' },
    { role: 'user', text: 'Why?' },
    { role: 'assistant', text: 'So.' },
  ]);
  expect([observation, turns[0]?.reply]).toEqual(['Be brief.\n\nWhy?', 'So.']);
});
