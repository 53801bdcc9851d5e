/** What travels with the package, as far as the lock file tells it. tests/peers/install.test.ts installs it for real. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const lock = read('package-lock.json') as {
  packages: Record<string, { dev?: boolean; hasInstallScript?: boolean; resolved?: string }>;
};

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

  it('names no host to fetch from', () => {
    expect(Object.values(lock.packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });
});
