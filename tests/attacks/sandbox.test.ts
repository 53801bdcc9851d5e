/** The sandbox as it is shipped: under Node's permission model, and gone when its owner is killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'agoge-sandbox-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string): string => join(folder, name);
const href = (path: string): string => JSON.stringify(pathToFileURL(path).href);

/** Ways to the network, and to a thread that would begin with it again. */
const reaches = ['fetch', 'connect', 'pipe', 'datagram', 'name', 'thread'] as const;

writeFileSync(
  file('program.mjs'),
  `import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns';
import { Worker } from 'node:worker_threads';
import { execSync } from 'node:child_process';
export function start() {
  return (request) => {
    if (request === 'write') return writeFileSync(${JSON.stringify(file('written'))}, 'x');
    if (request === 'run') return execSync('echo x').toString();
    if (request === 'fetch') return fetch('http://127.0.0.1:9');
    if (request === 'connect') return connect(9, '127.0.0.1').on('error', () => undefined);
    if (request === 'pipe') return connect('/agoge-nobody').on('error', () => undefined);
    if (request === 'datagram') return createSocket('udp4').send('x', 9, '127.0.0.1');
    if (request === 'name') return lookup('localhost', () => undefined);
    if (request === 'thread') return new Worker('1', { eval: true }).threadId;
    if (request === 'loop') for (;;);
    return { pid: process.pid, secrets: Object.keys(process.env) };
  };
}`,
);
writeFileSync(
  file('owner.mjs'),
  `import { Sandbox } from ${href(join(process.cwd(), 'dist/sandbox/sandbox.js'))};
const limits = { milliseconds: 600_000, memory: 2 ** 29, output: 10_000 };
const sandbox = new Sandbox({ program: ${href(file('program.mjs'))}, limits });
const said = {};
for (const request of ['write', 'run', 'tell', ...${JSON.stringify(reaches)}]) said[request] = await sandbox.run(request).catch((error) => error.message);
process.stdout.write(JSON.stringify(said) + '\\n');
await sandbox.run('loop');
`,
);

describe('the sandbox that ships', () => {
  it('lets a program neither write nor start anything nor see secrets, and ends with its owner', async () => {
    const owner = spawn(process.execPath, [file('owner.mjs')], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, SECRET: 'x' },
    });
    const [line] = (await once(owner.stdout, 'data')) as [Buffer];
    const said = JSON.parse(line.toString()) as Record<'write' | 'run' | (typeof reaches)[number], string> & {
      tell: { pid: number; secrets: string[] };
    };
    expect([said.write, said.run]).toEqual([expect.stringMatching(/restricted/), expect.stringMatching(/restricted/)]);
    for (const way of reaches)
      expect([way, said[way]]).toEqual([way, expect.stringMatching(/no network here|not defined|restricted/)]);
    expect(said.tell.secrets).toEqual([]);
    expect(existsSync(file('written'))).toBe(false);
    await sleep(300);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    // The endless loop does not outlive its owner.
    await expect.poll(() => alive(said.tell.pid), { timeout: 30_000 }).toBe(false);
  });
});

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
