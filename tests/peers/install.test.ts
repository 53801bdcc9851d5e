/**
 * The file that `npm pack` makes in a clone: installed alone into an empty folder, run from there. Needs a registry; skipped without one.
 * release.test.ts has the packages of a release, with other Nodes and other package managers.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'agoge-install-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const registry = spawnSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).stdout.trim();
const reached = spawnSync('npm', ['view', 'zod', 'version'], { timeout: 60_000 }).status === 0;
if (!reached) console.log('skipped: no package registry answers');

/** Nothing of npm's settings but where the registry is. */
function run(command: string, args: readonly string[], cwd = folder) {
  const rest = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const npm = { npm_config_userconfig: '/dev/null', npm_config_registry: registry };
  const env = { ...Object.fromEntries(rest), ...npm };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', env, timeout: 900_000 });
  return { status, stdout, stderr };
}

describe.skipIf(!reached)('the packed package', () => {
  const packed = (): string => {
    const { status, stdout } = spawnSync('npm', ['pack', '--pack-destination', folder], { cwd: root, encoding: 'utf8' });
    expect(status).toBe(0);
    return join(folder, stdout.trim().split('\n').at(-1) ?? '');
  };

  /** An environment of one's own, as `agoge new` writes it: by its path, and installed as a package of its own. */
  const bringYourOwn = (place: string, agoge: string): void => {
    expect(run(agoge, ['new', 'env', 'dice'], place).status).toBe(0);
    const lint = run(agoge, ['lint', './env.ts', '--cases', '5', '--tasks', '20', '--steps', '500'], join(place, 'dice'));
    expect(lint.status, lint.stdout + lint.stderr).toBe(0);
    const packed = run('npm', ['pack', './dice'], place);
    const file = packed.stdout.trim();
    expect(run('npm', ['install', '--no-save', file], place).status).toBe(0);
    const played = run(agoge, ['eval', 'dice', '--policy', 'expert', '--tasks', '0-9', '--no-view'], place);
    expect(played.stdout, played.stderr).toMatch(/expert +1\.000/);
    for (const name of ['dice', file]) rmSync(join(place, name), { recursive: true });
  };

  it('installs alone, says nothing odd, and works', () => {
    const place = join(folder, 'here');
    const installed = run('npm', ['install', '--prefix', place, packed()]);
    expect(installed.status, installed.stderr).toBe(0);
    expect(installed.stderr.split('\n').filter((line) => /warn|error/.test(line))).toEqual([]);
    const agoge = join(place, 'node_modules/.bin/agoge');
    const doctor = run(agoge, ['doctor', '--json']);
    expect(doctor.status, doctor.stdout).toBe(0);
    const demo = run(agoge, ['demo', '--seconds', '2', '--json', '--output', join(place, 'outputs')]);
    expect(demo.status, demo.stderr).toBe(0);
    expect(JSON.parse(demo.stdout)).toMatchObject({ env: 'textcraft', n: 256 });
    bringYourOwn(place, agoge);
    expect(readdirSync(place).sort()).toEqual(['node_modules', 'outputs', 'package-lock.json', 'package.json']);
  });
});
