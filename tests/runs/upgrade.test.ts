/**
 * A run of the version before, made by its code (tests/fixtures/upgrades/0.1.0): today's commands open it, migrate it and go on with it,
 * and what it learns is what the version before learned when it went on itself (went-on.jsonl). Its recipe runs, or says what changed.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const fixtures = fileURLToPath(new URL('../fixtures/upgrades/0.1.0', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'agoge-upgrade-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
cpSync(fixtures, folder, { recursive: true });

function agoge(...args: string[]) {
  return spawnSync(process.execPath, [main, ...args], { cwd: folder, encoding: 'utf8' });
}

interface Line {
  readonly step: number;
  readonly data: Readonly<Record<string, number>>;
}
const lines = (path: string): Line[] =>
  readFileSync(join(folder, path), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

describe('a run of 0.1.0', () => {
  it('opens in the dashboard as it is', () => {
    const { status, stderr, stdout } = agoge('view', 'runs/gigpo', '--json');
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout)).toBeTruthy();
    expect(agoge('view', 'runs/gigpo', '--out', 'run.html').status).toBe(0);
    const page = readFileSync(join(folder, 'run.html'), 'utf8');
    const [, packed = ''] = /id="agoge-report">([^<]*)</.exec(page) ?? [];
    expect(gunzipSync(Buffer.from(packed, 'base64')).toString()).toContain('gigpo · textcraft · hf:tiny');
  });

  it('goes on as it would have gone on then', () => {
    const { status, stdout, stderr } = agoge('train', '--resume', 'runs/gigpo', 'steps=4', '--no-view');
    expect(status, stderr).toBe(0);
    expect(stdout + stderr).toContain('recipe of an older version: GiGPO no longer divides');
    const [expected, found] = [lines('went-on.jsonl'), lines('runs/gigpo/metrics/training_metrics.jsonl')];
    expect(found.map(({ step }) => step)).toEqual([1, 2, 3, 4]);
    found.forEach(({ data }, i) => {
      for (const key of ['actor/grad_norm', 'critic/rewards/mean'])
        expect(data[key], `${key} after step ${i + 1}`).toBeCloseTo(expected[i]?.data[key] ?? NaN, 4);
    });
    expect(parse(readFileSync(join(folder, 'runs/gigpo/config.yaml'), 'utf8'))).toMatchObject({
      algorithm: { step_scale: 'std' },
      stop: { fall: null },
    });
  });

  it('needs no migration any more', () => {
    const { stdout } = agoge('migrate', 'runs/gigpo');
    expect(stdout).toBe('runs/gigpo: nothing to change\n  it goes on after step 4: agoge train --resume runs/gigpo\n');
  });
});

describe('a recipe of an earlier version', () => {
  it('that is taken today is told what it means now', () => {
    const { status, stdout } = agoge('migrate', 'gigpo.yaml', '--keep');
    expect([status, stdout]).toEqual([0, expect.stringContaining('wrote gigpo.yaml; what was there before: gigpo.before.yaml')]);
    const text = readFileSync(join(folder, 'gigpo.yaml'), 'utf8');
    expect(text).toMatch(/^# As 0\.1\.0 takes it\.\n/);
    expect(text).toContain('algorithm: { name: gigpo, step_scale: std }');
    expect(agoge('train', 'gigpo.yaml', '--dry-run').status).toBe(0);
  });

  it('that is refused names what changed and the command that writes it anew', () => {
    const old = 'run: x\ndata: { source: experts, experts: [{ env: textcraft }], format: react }\nsteps: 1\n';
    writeFileSync(join(folder, 'old.yaml'), old);
    const refused = agoge('sft', 'old.yaml', '--dry-run');
    expect(refused.stderr).toMatch(/data\.format is agent\.format now\): agoge migrate old\.yaml writes it/);
    expect(agoge('migrate', 'old.yaml').status).toBe(0);
    const taken = agoge('sft', 'old.yaml', '--dry-run');
    expect([taken.status, taken.stdout]).toEqual([0, expect.stringMatching(/format: react/)]);
  });
});
