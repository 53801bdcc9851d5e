/**
 * The short programs of docs/library.md and examples/, from the packed file in an empty project: `tsc --strict` takes them as they are,
 * without a cast, and what it writes runs on Node 20, 22 and 24. Sizes are made small before they are run, nothing else.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installedPackages } from '../npm.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const project = mkdtempSync(join(tmpdir(), 'agoge-programs-'));
afterAll(() => rmSync(project, { recursive: true, force: true }));
const nodes = process.platform === 'linux' && process.arch === 'x64' ? installedPackages('nodes') : undefined;
if (nodes === undefined) console.log('skipped: Node 20, 22 and 24 are taken from a package registry, for Linux on x64');

/** The program that docs/library.md begins with, and the others that a reader copies. */
const page = readFileSync(join(root, 'docs/library.md'), 'utf8');
const shown = Array.from(page.matchAll(/```ts\n(import [\s\S]*?)```/g), ([, code = '']) => code);
/** CI has little time and takes the oldest Node that is supported. */
const versions = process.env['AGOGE_SHORT_PEERS'] === '1' ? ['20'] : ['20', '22', '24'];
const copied = ['programs.ts', 'number-hunt.ts', 'recipe.ts', 'custom-reward.ts', 'short-answers.ts'];
const sizes: readonly (readonly [string, string])[] = [
  ["tasks: '0-99'", "tasks: '0-1'"],
  ['steps: 50', 'steps: 1, rollout: { groups: 1, samples: 2 }, agent: { max_turns: 2, tokens_per_turn: 8 }'],
  ['port: 8000', 'port: 0'],
];

function run(command: string, args: readonly string[], cwd = project): { status: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  return { status, text: stdout + stderr };
}

/** Writes a TypeScript project of these files and compiles it; what tsc says. */
function compiled(folder: string, files: Readonly<Record<string, string>>): { status: number | null; text: string } {
  mkdirSync(join(project, folder), { recursive: true });
  for (const [name, code] of Object.entries(files)) writeFileSync(join(project, folder, name), code);
  const options = ['--strict', '--target', 'es2022', '--lib', 'es2022', '--module', 'nodenext', '--types', 'node'];
  const paths = ['--rewriteRelativeImportExtensions', '--rootDir', folder, '--outDir', `${folder}/js`];
  const names = Object.keys(files).map((name) => `${folder}/${name}`);
  return run(process.execPath, ['node_modules/typescript/bin/tsc', ...options, ...paths, ...names]);
}

describe.skipIf(nodes === undefined)('programs in a project with the packed file', () => {
  beforeAll(() => {
    const packed = run('npm', ['pack', '--pack-destination', project], root);
    expect(packed.status, packed.text).toBe(0);
    const file =
      packed.text
        .trim()
        .split('\n')
        .find((line) => line.endsWith('.tgz')) ?? '';
    writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }');
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      devDependencies: Record<string, string>;
    };
    const tools = [
      devDependencies['typescript-7']?.slice('npm:'.length) ?? '',
      `@types/node@${devDependencies['@types/node'] ?? ''}`,
    ];
    const installed = run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', `./${file}`, ...tools]);
    expect(installed.status, installed.text).toBe(0);
  });

  it('compile as they are shown, without a cast', () => {
    expect(shown.length).toBeGreaterThan(0);
    const files = Object.fromEntries(shown.map((code, at) => [`shown-${at}.ts`, code]));
    for (const name of copied) files[name] = readFileSync(join(root, 'examples', name), 'utf8');
    for (const [name, code] of Object.entries(files)) expect(code, name).not.toMatch(/\bas (?!const\b)\w+[;,)]|<any>|@ts-/);
    expect(compiled('as-shown', files)).toEqual({ status: 0, text: '' });
  });

  it(`run on Node ${versions.join(', ')}`, () => {
    const small = shown.map((code) =>
      sizes.reduce((text, [from, to]) => {
        expect(text).toContain(from);
        return text.replace(from, to);
      }, code),
    );
    const files = Object.fromEntries(small.map((code, at) => [`shown-${at}.ts`, code]));
    for (const name of copied) files[name] = readFileSync(join(root, 'examples', name), 'utf8');
    expect(compiled('small', files)).toEqual({ status: 0, text: '' });
    for (const version of versions) {
      const node = join(nodes ?? '', `node_modules/node-${version}/bin/node`);
      expect(run(node, ['--version']).text).toMatch(new RegExp(`^v${version}\\.`));
      const place = join(project, `on-${version}`);
      mkdirSync(place, { recursive: true });
      for (const name of [...small.map((_, at) => `shown-${at}`), 'programs']) {
        const { status, text } = run(node, [`../small/js/${name}.js`], place);
        expect({ status, text }, `${name} on Node ${version}`).toMatchObject({ status: 0 });
        expect(text).toMatch(/expert +1\.000/); // the table of the evaluation
      }
      // A recipe in TypeScript, by the command of the same package.
      for (const name of ['recipe.ts', 'number-hunt.ts']) copyFileSync(join(root, 'examples', name), join(place, name));
      const recipe = ['train', 'recipe.ts', 'steps=1', 'rollout.groups=2', 'rollout.samples=2', 'agent.max_turns=2', '--no-view'];
      const trained = run(node, ['../node_modules/agoge/dist/cli/main.js', ...recipe], place);
      expect(trained.status, trained.text).toBe(0);
    }
  });
});
