/**
 * A release, rehearsed: the release script publishes all packages to a registry of our own, and a user installs them from there with
 * empty caches: with npm, pnpm, yarn and Bun, whole and without what is optional, and runs them on Node 22 and 24 as well. Needs a registry above.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startRegistry, type Registry } from './registry.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const above = spawnSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).stdout.trim();
const reached = spawnSync('npm', ['view', 'zod', 'version'], { timeout: 60_000 }).status === 0;
if (!reached) console.log('skipped: no package registry answers');
const folder = mkdtempSync(join(tmpdir(), 'agoge-release-'));
const own = `runtime-${process.platform}-${process.arch}`;
let registry: Registry | undefined;
let said = '';

/** Nothing of this machine's settings but where the registry is; caches of its own. */
function environment(url: string): NodeJS.ProcessEnv {
  const rest = Object.entries(process.env).filter(([name]) => !/^npm_|^vitest|^node_options/i.test(name));
  const npmrc = join(folder, 'npmrc');
  // A registry takes nothing without a token; ours takes any.
  writeFileSync(npmrc, `registry=${url}\n${url.replace('http:', '')}:_authToken=any\n`);
  const cache = {
    npm_config_cache: join(folder, 'cache'),
    YARN_CACHE_FOLDER: join(folder, 'yarn'),
    XDG_CACHE_HOME: join(folder, 'xdg'),
  };
  const stores = {
    BUN_INSTALL_CACHE_DIR: join(folder, 'bun'),

    npm_config_registry: url,
  };
  return { ...Object.fromEntries(rest), ...cache, ...stores, npm_config_userconfig: npmrc, HOME: folder };
}

function run(command: string, args: readonly string[], cwd: string, path = process.env['PATH'] ?? '') {
  mkdirSync(cwd, { recursive: true });
  const env = { ...environment(registry?.url ?? above), PATH: path };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', env, maxBuffer: 2 ** 26 });
  return { status, stdout, stderr };
}

/** An empty project with agoge in it, installed by some manager. */
function project(name: string, command: string, ...args: readonly string[]): string {
  const place = join(folder, name);
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), '{ "name": "mine", "private": true }\n');
  const installed = run(command, args, place);
  expect(installed.status, installed.stdout + installed.stderr).toBe(0);
  return place;
}

const agoge = (place: string, ...args: readonly string[]) => run(join(place, 'node_modules/.bin/agoge'), args, place);

function learns(place: string, path?: string): void {
  const main = join(place, 'node_modules/agoge/dist/cli/main.js');
  const demo = run('node', [main, 'demo', '--seconds', '2', '--json', '--output', join(place, 'outputs')], place, path);
  expect(demo.status, demo.stderr).toBe(0);
  expect(JSON.parse(demo.stdout)).toMatchObject({ env: 'textcraft', n: 256 });
}

interface Locked {
  readonly resolved?: string;
  readonly inBundle?: boolean;
}

/** Bytes that npm fetched for what lies in a project. */
async function downloaded(place: string): Promise<number> {
  const { packages } = JSON.parse(readFileSync(join(place, 'node_modules/.package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const urls = Object.values(packages).flatMap(({ resolved, inBundle }) =>
    resolved === undefined || inBundle === true ? [] : [resolved],
  );
  const sizes = await Promise.all(urls.map(async (url) => (await (await fetch(url)).arrayBuffer()).byteLength));
  return sizes.reduce((sum, size) => sum + size);
}

describe.skipIf(!reached)('a release', () => {
  beforeAll(async () => {
    registry = await startRegistry(join(folder, 'registry'), above, environment(above));
    if (registry === undefined) return;
    const into = join(folder, 'packages');
    const args = ['--import', 'tsx', 'scripts/release.ts', '--skip-tests', '--into', into, '--rehearse', registry.url];
    const released = run(process.execPath, args, root);
    said = released.stdout + released.stderr;
    expect(released.status, said).toBe(0);
  });
  afterAll(async () => {
    await registry?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  beforeEach(({ skip }) => skip(registry === undefined, 'Verdaccio cannot be installed'));

  it('has every package, the main one last and without native files, models and links', () => {
    const published = [...said.matchAll(/^published (\S+)@/gm)].map(([, name]) => name);
    expect(published.at(-1)).toBe('agoge');
    expect(published).toHaveLength(8);
    const files = readdirSync(join(folder, 'packages/agoge'), { recursive: true, withFileTypes: true });
    expect(files.filter((file) => file.isSymbolicLink() || /\.(so|dll|dylib|node|safetensors)\b/.test(file.name))).toEqual([]);
    const bill = JSON.parse(readFileSync(join(folder, 'packages/agoge.sbom.json'), 'utf8')) as { components: { name: string }[] };
    expect(bill.components.filter(({ name }) => name.startsWith('onnxruntime runtime-'))).toHaveLength(5);
    const licences = readFileSync(join(folder, 'packages/agoge/LICENSES-bundled.txt'), 'utf8');
    for (const name of ['preact', 'uplot']) expect(licences).toContain(`${name} `);
  });

  it('is installed by npm without a warning, with the library of this platform alone, and learns on this Node, 22 and 24', async () => {
    const place = join(folder, 'with-npm');
    const installed = run('npm', ['install', 'agoge', '--no-audit', '--no-fund'], place);
    expect(installed.status, installed.stderr).toBe(0);
    expect(installed.stderr.split('\n').filter((line) => /warn|error/i.test(line))).toEqual([]);
    expect(readdirSync(join(place, 'node_modules/@agoge'))).toEqual(['models', own]);
    const megabytes = (await downloaded(place)) / 1e6;
    console.log(`npm install agoge: ${megabytes.toFixed(1)} MB`);
    expect(megabytes).toBeLessThan(45);
    learns(place);
    for (const version of ['22', '24']) {
      const where = join(folder, `node-${version}`);
      if (run('npm', ['install', '--prefix', where, `node@${version}`, '--no-audit', '--no-fund'], where).status !== 0) continue;
      learns(place, `${join(where, 'node_modules/node/bin')}${delimiter}${process.env['PATH'] ?? ''}`);
    }
  });

  it('serves environments without what is optional, and names what is missing for the rest', async () => {
    const place = project('small', 'npm', 'install', 'agoge', '--omit=optional', '--no-audit', '--no-fund');
    expect(existsSync(join(place, 'node_modules/@agoge'))).toBe(false);
    const megabytes = (await downloaded(place)) / 1e6;
    console.log(`npm install agoge --omit=optional: ${megabytes.toFixed(1)} MB`);
    expect(megabytes).toBeLessThan(15);
    const main = join(place, 'node_modules/agoge/dist/cli/main.js');
    const serving = spawn(process.execPath, [main, 'serve', 'textcraft', '--port', '0'], {
      cwd: place,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      let text = '';
      const url = await new Promise<string>((resolve, reject) => {
        serving.once('exit', () => reject(new Error(`serve ended: ${text}`)));
        serving.stdout.on('data', (part: Buffer) => {
          text += part.toString();
          const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
          if (found !== undefined) resolve(found);
        });
      });
      const created = await fetch(`${url}/textcraft/create`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      expect(created.status, await created.text()).toBe(200);
      const played = agoge(place, 'eval', 'textcraft', '--policy', 'expert', '--tasks', '0-2', '--no-view');
      expect(played.stdout, played.stderr).toMatch(/expert +1\.000/);
    } finally {
      serving.kill('SIGKILL');
    }
    const missing = agoge(place, 'eval', 'textcraft', '--policy', 'base', '--tasks', '0', '--no-view');
    expect(missing.status).toBe(1);
    expect(missing.stderr).toMatch(/@agoge\/models is not installed.* \[MODEL_NOT_INSTALLED\]/);
    const version = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;
    expect(run('npm', ['install', `@agoge/models@${version}`, '--omit=optional', '--no-audit', '--no-fund'], place).status).toBe(
      0,
    );
    const engine = agoge(place, 'eval', 'textcraft', '--policy', 'base', '--tasks', '0', '--no-view');
    expect(engine.stderr).toMatch(/@koromix\/koffi-.* cannot be loaded|@agoge\/runtime-.* is not installed/);
    const browser = agoge(
      place,
      'eval',
      'webarena',
      '--policy',
      'expert',
      '--tasks',
      '0',
      '--no-view',
      '--set',
      'webarena.lane=browser',
    );
    expect(browser.stderr).toMatch(/playwright-core is not installed/);
  });

  it.each([
    ['pnpm', 'pnpm@10', ['add', 'agoge']],
    ['yarn', 'yarn@1.22.22', ['add', 'agoge']],
    ['bun', 'bun@1', ['add', 'agoge']],
  ])('is installed by %s', (name, spec, args) => {
    const tools = join(folder, `tool-${name}`);
    const got = run('npm', ['install', '--prefix', tools, spec, '--no-audit', '--no-fund'], tools);
    if (got.status !== 0) {
      console.log(`skipped: ${spec} cannot be had here`);
      return;
    }
    learns(project(`with-${name}`, join(tools, 'node_modules/.bin', name), ...args));
  });
});
