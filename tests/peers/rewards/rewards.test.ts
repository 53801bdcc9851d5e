/** Our scores against verl's own functions, from PyPI, on generated answers in every writing that the generators know. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { scores } from '../../../src/scores/registry.ts';
import { peersMissing, python } from '../python.ts';
import { rewardCases } from './reward-cases.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-rewards-peer-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const missing = peersMissing();
if (missing !== undefined) console.log(`skipped: ${missing}`);

/** What the scores import, without what the rest of verl does. */
function install(): boolean {
  try {
    const packages = ['verl==0.9.1', 'mathruler==0.1.0', 'pylatexenc==2.11', 'sympy==1.14.0', 'mpmath==1.3.0', 'tqdm'];
    const wheels = ['-m', 'pip', 'install', '-q', '--no-deps', '--no-compile', '--target', folder, ...packages];
    execFileSync(python, wheels, { stdio: 'ignore', timeout: 120_000 });
    return true;
  } catch {
    console.log('skipped: verl cannot be fetched here');
    return false;
  }
}

const ready = missing === undefined && install();

describe.skipIf(!ready)("verl's scores", () => {
  it('are ours', () => {
    const cases = rewardCases(1);
    expect(cases.length).toBeGreaterThan(1500);
    const [source, target] = [join(folder, 'cases.jsonl'), join(folder, 'scores.jsonl')];
    writeFileSync(source, cases.map((one) => `${JSON.stringify(one)}\n`).join(''));
    const script = fileURLToPath(new URL('./rewards_peer.py', import.meta.url));
    execFileSync(python, [script, folder, source, target], { stdio: 'ignore', timeout: 300_000 });
    const theirs = readFileSync(target, 'utf8').trim().split('\n').map(Number);
    const differ = cases.flatMap((one, i) => {
      const ours = scores[one.score](one.solution, one.truth).score;
      return Math.abs(ours - (theirs[i] ?? NaN)) <= 1e-9 ? [] : [{ ...one, ours, theirs: theirs[i] }];
    });
    expect(differ).toEqual([]);
    expect(theirs.filter((score) => score > 0.5).length).toBeGreaterThan(300);
  }, 400_000);
});
