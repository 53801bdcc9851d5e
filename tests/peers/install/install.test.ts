/** The package as npm installs it: packed, installed alone into an empty folder, run from there. Needs a registry; skipped without one. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'agoge-install-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const registry = spawnSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).stdout.trim();
const reached = spawnSync('npm', ['view', 'zod', 'version'], { timeout: 60_000 }).status === 0;
if (!reached) console.log('skipped: no package registry answers');

/** Nothing of npm's settings but where the registry is. */
function run(command: string, args: readonly string[], path = process.env['PATH'], cwd = folder) {
  const rest = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const npm = { npm_config_userconfig: '/dev/null', npm_config_registry: registry };
  const env = { ...Object.fromEntries(rest), PATH: path, ...npm };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', env, timeout: 900_000 });
  return { status, stdout, stderr };
}

/** Folder of Node 24's program, from the registry. */
function node24(): string | undefined {
  const { status } = run('npm', ['install', '--prefix', join(folder, 'node24'), 'node@24']);
  return status === 0 ? join(folder, 'node24/node_modules/node/bin') : undefined;
}

describe.skipIf(!reached)('the packed package', () => {
  const packed = (): string => {
    const { status, stdout } = spawnSync('npm', ['pack', '--pack-destination', folder], { cwd: root, encoding: 'utf8' });
    expect(status).toBe(0);
    return join(folder, stdout.trim().split('\n').at(-1) ?? '');
  };

  /** An environment of one's own, as `agoge new` writes it: by its path, and installed as a package of its own. */
  const bringYourOwn = (place: string, agoge: string, path: string | undefined): void => {
    expect(run(agoge, ['new', 'env', 'dice'], path, place).status).toBe(0);
    const lint = run(agoge, ['lint', './env.ts', '--cases', '5', '--tasks', '20', '--steps', '500'], path, join(place, 'dice'));
    expect(lint.status, lint.stdout + lint.stderr).toBe(0);
    const packed = run('npm', ['pack', './dice'], path, place);
    const file = packed.stdout.trim();
    expect(run('npm', ['install', '--no-save', file], path, place).status).toBe(0);
    const played = run(agoge, ['eval', 'dice', '--policy', 'expert', '--tasks', '0-9', '--no-view'], path, place);
    expect(played.stdout, played.stderr).toMatch(/expert +1\.000/);
    for (const name of ['dice', file]) rmSync(join(place, name), { recursive: true });
  };

  it('installs alone, says nothing odd, and works on this Node and on Node 24', () => {
    const file = packed();
    for (const before of [undefined, node24()]) {
      const path = before === undefined ? process.env['PATH'] : `${before}${delimiter}${process.env['PATH'] ?? ''}`;
      const place = join(folder, before === undefined ? 'here' : 'on-24');
      const installed = run('npm', ['install', '--prefix', place, file], path);
      expect(installed.status, installed.stderr).toBe(0);
      expect(installed.stderr.split('\n').filter((line) => /warn|error/.test(line))).toEqual([]);
      const agoge = join(place, 'node_modules/.bin/agoge');
      const doctor = run(agoge, ['doctor', '--json'], path);
      expect(doctor.status, doctor.stdout).toBe(0);
      const demo = run(agoge, ['demo', '--seconds', '2', '--json', '--output', join(place, 'outputs')], path);
      expect(demo.status, demo.stderr).toBe(0);
      expect(JSON.parse(demo.stdout)).toMatchObject({ env: 'textcraft', n: 256 });
      bringYourOwn(place, agoge, path);
      expect(readdirSync(place).sort()).toEqual(['node_modules', 'outputs', 'package-lock.json', 'package.json']);
    }
  });
});
