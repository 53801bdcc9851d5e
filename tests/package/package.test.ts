/** What travels with the package, as far as the lock file tells it. tests/peers/install/install.test.ts installs it for real. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));
const lock = read('package-lock.json') as {
  packages: Record<string, { dev?: boolean; hasInstallScript?: boolean; resolved?: string; engines?: { node?: string } }>;
};
/** One of the ranges begins at or before 20.19. Beginnings are all that packages write. */
const fits20 = (ranges: string): boolean =>
  ranges.split('||').some((range) => {
    const [, major = '0', minor = '0'] = /(\d+)(?:\.(\d+))?/.exec(range) ?? [];
    return Number(major) === 20 ? Number(minor) <= 19 : Number(major) < 20 && /[*>]/.test(range);
  });

describe('the package', () => {
  it('brings no dependency that runs or fetches something when it is installed', () => {
    const scripted = Object.entries(lock.packages).filter(
      ([, { dev, hasInstallScript }]) => dev !== true && hasInstallScript === true,
    );
    expect(scripted.map(([name]) => name)).toEqual([]);
  });

  it('builds from a clone without the download that onnxruntime-node asks for', () => {
    // npm runs the install script of a locked package only where the lock file says that there is one. A variable in .npmrc would
    // work too, with a warning on every command. If this fails after `npm install`, take the line out of package-lock.json again.
    expect(lock.packages['node_modules/onnxruntime-node']).not.toHaveProperty('hasInstallScript');
    const { allowScripts } = read('package.json') as { allowScripts: Record<string, boolean> };
    expect(allowScripts['onnxruntime-node']).toBe(false);
  });

  it('installs on Node 20 without a warning about engines', () => {
    // sqlite-wasm asks for Node 22 and is tested here with 20. npm warns where the lock file repeats that; if this fails after
    // `npm install`, take its "engines" out of package-lock.json again.
    const asked = Object.entries(lock.packages).filter(([name, { engines }]) => name !== '' && !fits20(engines?.node ?? '*'));
    expect(asked.map(([name]) => name)).toEqual([]);
  });

  it('gives `npx agoge` to every folder of a clone, also to one with a package.json of its own', () => {
    const command = fileURLToPath(new URL('../../node_modules/.bin/agoge', import.meta.url));
    const shown = spawnSync(command, ['--version'], { encoding: 'utf8', shell: process.platform === 'win32' });
    expect(shown.stdout.trim()).toBe((read('package.json') as { version: string }).version);
  });

  it('names no host to fetch from', () => {
    expect(Object.values(lock.packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });

  it('has types that a project with the library of ES2022 alone compiles against', () => {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const folder = mkdtempSync(join(tmpdir(), 'agoge-types-'));
    try {
      mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
      symlinkSync(root, join(folder, 'node_modules/agoge'));
      for (const name of ['@types/node', 'undici-types'])
        symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
      const compilerOptions = {
        target: 'ES2022',
        lib: ['ES2022'],
        module: 'NodeNext',
        strict: true,
        noEmit: true,
        types: ['node'],
      };
      const examples = ['grpo-loop.ts', 'custom-algorithm.ts', 'custom-reward.ts', 'number-hunt.ts', 'short-answers.ts'];
      for (const name of examples) copyFileSync(join(root, 'examples', name), join(folder, name));
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts', ...examples] }));
      writeFileSync(
        join(folder, 'use.ts'),
        "export { readRows } from 'agoge/data';\nexport { EmbeddedEngine } from 'agoge/engine';\n" +
          "export { defineAgent } from 'agoge/envs';\nexport { at } from 'agoge/learn';\n" +
          "import { loadEnvironment, type Engine } from 'agoge';\n" +
          "const world = await loadEnvironment('textcraft');\n" +
          "const episode = await world.open({ env: 'textcraft', split: 'test', index: 0 });\n" +
          'export const close = async (engine: Engine): Promise<void> => {\n  await engine[Symbol.asyncDispose]();\n' +
          '  await episode[Symbol.asyncDispose]();\n};\n',
      );
      const tsc = join(root, 'node_modules/typescript-7/bin/tsc');
      expect(spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' }).stdout).toBe('');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
