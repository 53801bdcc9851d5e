/**
 * What a user of the release does: install it into an empty project, run its commands, stop its servers. Everything is asynchronous, so
 * that this process notices when a registry closes a connection.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject } from 'vitest';
import { userEnvironment } from './user-environment.ts';

export interface Said {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  /** In place of PATH. */
  readonly path?: string;
  /** What is typed. */
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** The release that was published; tests of this folder are skipped where there is none. */
export const release = inject('release') ?? { url: '', folder: '', packages: '', said: '' };
export const published = inject('release') !== null;

export async function run(command: string, args: readonly string[], { cwd, path, input = '', env }: RunOptions): Promise<Said> {
  const child = begin(command, args, { cwd, ...(path === undefined ? {} : { path }), ...(env === undefined ? {} : { env }) });
  const said = { stdout: '', stderr: '' };
  child.stdout?.on('data', (part: Buffer) => (said.stdout += part.toString()));
  child.stderr?.on('data', (part: Buffer) => (said.stderr += part.toString()));
  child.stdin?.on('error', () => undefined); // it ended before it was told
  child.stdin?.end(input);
  const status = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  return { status, ...said };
}

/** Runs until it has named its address; then `ask` may talk to it, and it is ended. */
export async function serving(
  args: readonly string[],
  cwd: string,
  ask: (url: string) => Promise<void>,
  [node = '', ...words]: readonly string[] = ['node'],
): Promise<string> {
  const child = begin(node, [...words, mainOf(cwd), ...args], { cwd });
  let text = '';
  try {
    const url = await new Promise<string>((resolve, reject) => {
      child.once('exit', () => reject(new Error(`agoge ${args.join(' ')} ended: ${text}`)));
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (part: Buffer) => {
          text += part.toString();
          const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
          if (found !== undefined) resolve(found);
        });
    });
    await ask(url);
  } finally {
    child.kill('SIGKILL');
  }
  return text;
}

/** An empty project with agoge in it, installed by some manager. */
export async function project(name: string, command: string, args: readonly string[]): Promise<string> {
  const place = join(release.folder, name);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'package.json'), '{ "name": "mine", "private": true, "type": "module" }\n');
  const installed = await run(command, args, { cwd: place });
  expect(installed.status, installed.stdout + installed.stderr).toBe(0);
  return place;
}

export function agoge(place: string, ...args: readonly string[]): Promise<Said> {
  return run('node', [mainOf(place), ...args], { cwd: place });
}

/** The demo's policy learns for two seconds. */
export async function learns(place: string, path?: string): Promise<void> {
  const args = [mainOf(place), 'demo', '--seconds', '2', '--json', '--output', join(place, 'outputs')];
  const demo = await run('node', args, { cwd: place, ...(path === undefined ? {} : { path }) });
  expect(demo.status, demo.stderr).toBe(0);
  expect(JSON.parse(demo.stdout)).toMatchObject({ env: 'textcraft', n: 256 });
}

interface Locked {
  readonly resolved?: string;
  readonly inBundle?: boolean;
}

/** Megabytes that npm fetched for what lies in a project. */
export async function downloaded(place: string): Promise<number> {
  const { packages } = JSON.parse(readFileSync(join(place, 'node_modules/.package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const urls = Object.values(packages).flatMap(({ resolved, inBundle }) =>
    resolved === undefined || inBundle === true ? [] : [resolved],
  );
  let bytes = 0;
  for (const url of urls) bytes += (await (await fetch(url)).arrayBuffer()).byteLength;
  return bytes / 1e6;
}

export function mainOf(place: string): string {
  return join(place, 'node_modules/agoge/dist/cli/main.js');
}

function begin(command: string, args: readonly string[], { cwd, path, env }: RunOptions): ChildProcess {
  mkdirSync(cwd, { recursive: true });
  const around = { ...userEnvironment(release.folder, release.url), ...(path === undefined ? {} : { PATH: path }), ...env };
  return spawn(command, args, { cwd, env: around });
}
