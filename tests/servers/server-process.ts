/** A server in a process group of its own: started, waited for until it answers, killed as one. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

export class ServerProcess implements AsyncDisposable {
  private child: ChildProcess | undefined;

  constructor(
    readonly port: number,
    /** A route that answers when it is ready. */
    private readonly ready: string,
  ) {}

  get root(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `${this.root}/v1`;
  }

  /** Starts a command and waits until it answers, which takes minutes where cores are few. AGOGE_SERVER_LOG=1 shows what it says. */
  async launch(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
    const child = spawn(command, args, {
      detached: true, // its workers are processes of their own: the group is ended as one
      stdio: ['ignore', 'ignore', process.env['AGOGE_SERVER_LOG'] === undefined ? 'ignore' : 'inherit'],
      env: { ...process.env, ...env },
    });
    this.child = child;
    while (!(await this.healthy())) {
      if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}: set AGOGE_SERVER_LOG=1 to see why`);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }

  /** kill -9, as a machine that fails. */
  async kill(): Promise<void> {
    const { child } = this;
    if (child?.pid === undefined || child.exitCode !== null) return;
    const gone = once(child, 'exit');
    process.kill(-child.pid, 'SIGKILL');
    await gone;
  }

  async post(route: string, body: object): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${this.root}${route}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${route}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  private healthy(): Promise<boolean> {
    return fetch(`${this.root}${this.ready}`).then(
      ({ ok }) => ok,
      () => false,
    );
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}
