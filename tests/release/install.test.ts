/**
 * A user installs the release with empty caches: with npm, pnpm, yarn and Bun, whole and without what is optional, and runs it on every
 * line of Node that we name.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agoge, downloaded, learns, project, published, release, run, serving } from './user.ts';

const own = `runtime-${process.platform}-${process.arch}`;
const quiet = ['--no-audit', '--no-fund'];

describe.skipIf(!published)('a release', () => {
  it('is installed by npm without a warning, with the library of this platform alone, and learns', async () => {
    const place = join(release.folder, 'with-npm');
    const installed = await run('npm', ['install', 'agoge', ...quiet], { cwd: place });
    expect(installed.status, installed.stderr).toBe(0);
    expect(installed.stderr.split('\n').filter((line) => /warn|error/i.test(line))).toEqual([]);
    expect(readdirSync(join(place, 'node_modules/@agoge'))).toEqual(['models', own]);
    const megabytes = await downloaded(place);
    console.log(`npm install agoge: ${megabytes.toFixed(1)} MB`);
    expect(megabytes).toBeLessThan(45);
    await learns(place);
  });

  it.each(['20.19.0', '22', '24'])('learns on Node %s', async (version) => {
    const where = join(release.folder, `node-${version}`);
    const got = await run('npm', ['install', '--prefix', where, `node@${version}`, ...quiet], { cwd: where });
    if (got.status !== 0) {
      console.log(`skipped: node@${version} cannot be had here`);
      return;
    }
    const path = `${join(where, 'node_modules/node/bin')}${delimiter}${process.env['PATH'] ?? ''}`;
    const place = join(release.folder, 'with-npm');
    const { stdout } = await run('node', ['--version'], { cwd: place, path });
    expect(stdout).toMatch(new RegExp(`^v${version}`));
    await learns(place, path);
  });

  it('serves environments without what is optional, and names what is missing for the rest', async () => {
    const place = await project('small', 'npm', ['install', 'agoge', '--omit=optional', ...quiet]);
    expect(existsSync(join(place, 'node_modules/@agoge'))).toBe(false);
    const megabytes = await downloaded(place);
    console.log(`npm install agoge --omit=optional: ${megabytes.toFixed(1)} MB`);
    expect(megabytes).toBeLessThan(15);
    await serving(['serve', 'textcraft', '--port', '0'], place, async (url) => {
      const body = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
      const created = await fetch(`${url}/textcraft/create`, body);
      expect(created.status, await created.text()).toBe(200);
    });
    const plays = (env: string, policy: string, ...more: readonly string[]) =>
      agoge(place, 'eval', env, '--policy', policy, '--tasks', '0-2', '--no-view', ...more);
    const played = await plays('textcraft', 'expert');
    expect(played.stdout, played.stderr).toMatch(/expert +1\.000/);
    const missing = await plays('textcraft', 'base');
    expect(missing.status).toBe(1);
    expect(missing.stderr).toMatch(/@agoge\/models is not installed.* \[MODEL_NOT_INSTALLED\]/);
    const { version } = JSON.parse(readFileSync(join(release.packages, 'agoge/package.json'), 'utf8')) as { version: string };
    const models = await run('npm', ['install', `@agoge/models@${version}`, '--omit=optional', ...quiet], { cwd: place });
    expect(models.status, models.stderr).toBe(0);
    expect((await plays('textcraft', 'base')).stderr).toMatch(
      /@koromix\/koffi-.* cannot be loaded|@agoge\/runtime-.* is not installed/,
    );
    expect((await plays('webarena', 'expert', '--set', 'webarena.lane=browser')).stderr).toMatch(
      /playwright-core is not installed/,
    );
  });

  it.each([
    ['pnpm', 'pnpm@10'],
    ['yarn', 'yarn@1.22.22'],
    ['bun', 'bun@1'],
  ])('is installed by %s, and learns', async (name, spec) => {
    const tools = join(release.folder, `tool-${name}`);
    const got = await run('npm', ['install', '--prefix', tools, spec, ...quiet], { cwd: tools });
    if (got.status !== 0) {
      console.log(`skipped: ${spec} cannot be had here`);
      return;
    }
    await learns(await project(`with-${name}`, join(tools, 'node_modules/.bin', name), ['add', 'agoge']));
  });
});
