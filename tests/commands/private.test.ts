/**
 * What a run leaves on the machine and whom it calls: with an empty home and temporary folder, nothing lies outside the folder it
 * was told to write to (what the first lane measures is kept in the user's cache only with AGOGE_CALIBRATION=keep), and no connection is
 * attempted (seen by strace where it is there, else in a closed network namespace).
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const cli = process.env['AGOGE_CLI'] ?? fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'agoge-private-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [home, temporary, work] = ['home', 'tmp', 'work'].map((name) => join(folder, name)) as [string, string, string];
for (const each of [home, temporary, work]) mkdirSync(each);

const works = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;
const trace = join(folder, 'trace');
const watched = works('strace', '-f', '-o', '/dev/null', 'true')
  ? ['strace', '-f', '-e', 'trace=connect,sendto,sendmsg,sendmmsg', '-o', trace]
  : works('unshare', '-rn', 'true')
    ? ['unshare', '-rn']
    : [];
if (watched[0] !== 'strace')
  console.log(
    `connections are not traced: strace does not work here${watched.length > 0 ? ', the network is closed instead' : ''}`,
  );

/** Runs Node with nothing of the user's in its environment. */
function run(args: readonly string[], more: Readonly<Record<string, string>> = {}): { status: number | null; text: string } {
  const [command = '', ...rest] = [...watched, process.execPath, ...args];
  const env = { PATH: process.env['PATH'], HOME: home, TMPDIR: temporary, ...more };
  const { status, stdout, stderr } = spawnSync(command, rest, { cwd: work, encoding: 'utf8', env });
  return { status, text: stdout + stderr };
}

/** Addresses outside this machine that were called, as strace prints them. */
function calls(): string[] {
  if (watched[0] !== 'strace') return [];
  return readFileSync(trace, 'utf8')
    .split('\n')
    .filter((line) => /AF_INET/.test(line));
}

const recipe = `
run: small
policy: base
tasks: [{ env: textcraft, split: generated-short }]
agent: { max_turns: 2, tokens_per_turn: 8 }
rollout: { groups: 2, samples: 2 }
algorithm: { name: grpo }
steps: 1
evaluate: { at_end: false }
`;

describe('nothing leaves the machine', () => {
  it('training writes into its run folder alone and calls nobody', () => {
    writeFileSync(join(work, 'small.yaml'), recipe);
    const { status, text } = run([cli, 'train', 'small.yaml', '--no-view']);
    expect(text).toContain('finished after step 1');
    expect(status).toBe(0);
    expect(readdirSync(work).sort()).toEqual(['outputs', 'small.yaml']);
    expect(readdirSync(join(work, 'outputs'))).toEqual(['small']);
    expect([readdirSync(home), readdirSync(temporary)]).toEqual([[], []]);
    expect(calls()).toEqual([]);
  });

  it('keeps what it measured of this machine in the cache where that is asked for, and nothing else', () => {
    const { status } = run([cli, 'train', 'small.yaml', 'run=measured', '--no-view'], { AGOGE_CALIBRATION: 'keep' });
    expect(status).toBe(0);
    expect(readdirSync(temporary)).toEqual([]);
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.map(({ name }) => name)).toEqual(['lanes.json']);
    rmSync(join(home, '.cache'), { recursive: true });
  });

  it('nor does the library, from a worker of a program', () => {
    const entry = pathToFileURL(join(cli, '../../entry/index.js')).href;
    const worker = `import(${JSON.stringify(entry)}).then(async ({ openPolicy }) => { await (await openPolicy('base'))[Symbol.asyncDispose](); })`;
    const program = `new (require('node:worker_threads').Worker)(${JSON.stringify(worker)}, { eval: true })`;
    const { status, text } = run(['-e', program]);
    expect(text).toBe('');
    expect(status).toBe(0);
    expect([readdirSync(home), readdirSync(temporary)]).toEqual([[], []]);
    expect(calls()).toEqual([]);
  });
});
