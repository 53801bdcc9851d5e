/** A registry of our own (Verdaccio, from npm) on a free port: takes what is published to it and passes everything else on. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

/** The last one for Node 20; one of its packages asks for node-fetch by a tag that mirrors do not have. */
const VERDACCIO = { private: true, dependencies: { verdaccio: '6.8.0' }, overrides: { 'node-fetch': '2.7.0' } };

export interface Registry extends AsyncDisposable {
  readonly url: string;
}

/** Starts one that keeps its files in a folder; what it is not given itself comes from the registry above. Undefined where npm has none. */
export async function startRegistry(folder: string, above: string, env: NodeJS.ProcessEnv): Promise<Registry | undefined> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(VERDACCIO));
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder, env });
  if (status !== 0) return undefined;
  const port = await freePort();
  writeFileSync(join(folder, 'config.yaml'), config(above));
  const program = join(folder, 'node_modules/verdaccio/bin/verdaccio');
  const server = spawn(process.execPath, [program, '--config', 'config.yaml', '--listen', `127.0.0.1:${port}`], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}/`;
  await answering(`${url}-/ping`, server);
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      if (server.kill()) await ended;
    },
  };
}

function config(above: string): string {
  const ours = { access: '$all', publish: '$all' };
  return JSON.stringify({
    storage: './storage',
    auth: { htpasswd: { file: './htpasswd' } },
    uplinks: { above: { url: above, timeout: '120s', max_fails: 20 } },
    packages: { agoge: ours, '@agoge/*': ours, '**': { access: '$all', proxy: 'above' } },
    max_body_size: '200mb',
    log: { type: 'stdout', level: 'warn' },
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function answering(url: string, server: ChildProcess): Promise<void> {
  while (server.exitCode === null) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`the registry ended with ${server.exitCode}`);
}
