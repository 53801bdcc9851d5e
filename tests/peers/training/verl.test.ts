/** Our table of verl's base values against verl itself: its releases from PyPI, composed by Hydra. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { baseOf, verlVersion, type BaseName } from '../../../src/config/verl/bases.ts';
import { peersMissing, python } from '../python.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-verl-peer-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const releases = ['0.2.0.post2', '0.3.0.post1', '0.4.1', '0.5.0', '0.6.1', '0.7.1', '0.8.0', '0.9.1'];
const missing = peersMissing();
if (missing !== undefined) console.log(`skipped: ${missing}`);

/** The wheels hold the YAML files; none of what they depend on is needed. */
function install(): boolean {
  try {
    for (const release of releases) {
      const target = join(folder, release);
      const wheel = ['-m', 'pip', 'install', '-q', '--no-deps', '--no-compile', '--target', target, `verl==${release}`];
      execFileSync(python, wheel, { stdio: 'ignore', timeout: 120_000 });
    }
    return true;
  } catch {
    console.log('skipped: the releases of verl cannot be fetched here');
    return false;
  }
}

const ready = missing === undefined && install();

/** Only what a user gives of these is carried. */
const notCarried = new Set(['trainer.default_local_dir', 'trainer.logger', 'trainer.project_name', 'trainer.experiment_name']);

describe.skipIf(!ready)("verl's base values", () => {
  it('are those of every release', () => {
    const script = fileURLToPath(new URL('./verl_compose.py', import.meta.url));
    const lines = execFileSync(python, [script, folder], { encoding: 'utf8' }).trim().split('\n');
    expect(lines.length).toBeGreaterThan(20);
    for (const line of lines) {
      const { version, name, flat } = JSON.parse(line) as { version: string; name: BaseName; flat: Record<string, unknown> };
      const ours = baseOf(name, verlVersion(version));
      for (const [key, value] of Object.entries(ours)) {
        // What a release leaves out or unset is what its code does without it.
        if ((flat[key] ?? null) === null || notCarried.has(key)) continue;
        expect(flat[key], `${version} ${name} ${key}`).toEqual(value);
      }
    }
  }, 600_000);
});
