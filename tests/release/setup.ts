/**
 * A release for the tests of this folder: the release script publishes every package to a registry of our own, once. Where no registry
 * answers above it, nothing is published and the tests are skipped.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { startRegistry } from './registry.ts';
import { userEnvironment } from './user-environment.ts';

export interface Release {
  /** The registry that has it. */
  readonly url: string;
  /** For the users of the tests; removed at the end. */
  readonly folder: string;
  /** The packages as they were published, with bill of materials and provenance. */
  readonly packages: string;
  /** What the release script said. */
  readonly said: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    release: Release | null;
  }
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const above = spawnSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).stdout.trim();
  const folder = mkdtempSync(join(tmpdir(), 'agoge-release-'));
  const reached = spawnSync('npm', ['view', 'zod', 'version'], { timeout: 60_000 }).status === 0;
  const registry = reached ? await startRegistry(join(folder, 'registry'), above, userEnvironment(folder, above)) : undefined;
  if (registry === undefined) {
    console.log(reached ? 'skipped: Verdaccio cannot be installed' : 'skipped: no package registry answers');
    rmSync(folder, { recursive: true, force: true });
    project.provide('release', null);
    return undefined;
  }
  const packages = join(folder, 'packages');
  const args = ['--import', 'tsx', 'scripts/release.ts', '--skip-tests', '--into', packages, '--rehearse', registry.url];
  const env = userEnvironment(folder, registry.url);
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const end = async (): Promise<void> => {
    await registry[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  };
  if (status !== 0) {
    await end();
    throw new Error(`the release was refused:\n${stdout}${stderr}`);
  }
  mkdirSync(join(folder, 'users'));
  project.provide('release', { url: registry.url, folder: join(folder, 'users'), packages, said: stdout + stderr });
  return end;
}
