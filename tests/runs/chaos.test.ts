/** `--chaos` as a user calls it: the process kills itself in the middle of a write, is started again, and nothing is lost. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const cli = process.env['AGOGE_CLI'] ?? fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'agoge-chaos-e2e-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

function agoge(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [cli, ...args], { cwd: folder, encoding: 'utf8' });
}

interface Report {
  readonly faults: Readonly<Record<string, number>>;
  readonly starts: number;
  readonly holds: boolean;
  readonly checks: readonly { readonly name: string; readonly holds: boolean }[];
}

it('an evaluation that is killed ends as without faults', () => {
  const { stdout, status } = agoge('eval', 'textcraft', '-p', 'expert', '--tasks', '0-5', '--chaos', '60:kill-step:1', '--json');
  const report = JSON.parse(stdout) as Report;
  expect(report.checks.filter(({ holds }) => !holds)).toEqual([]);
  expect(report).toMatchObject({ holds: true });
  expect(Object.values(report.faults).reduce((a, b) => a + b, 0)).toBeGreaterThan(0);
  expect(report.starts).toBeGreaterThan(1);
  expect(status).toBe(0);
});

it('a wrong profile, a resumed run and a server without an address are refused before anything is begun', () => {
  expect(agoge('eval', 'textcraft', '--chaos', '4:stps').stderr).toContain('did you mean steps?');
  expect(agoge('train', '--resume', 'outputs/x', '--chaos', '4').stderr).toContain('give a recipe, not --resume');
  expect(agoge('serve', 'textcraft', '--port', '0', '--chaos', '4').stderr).toContain('needs its address');
});
