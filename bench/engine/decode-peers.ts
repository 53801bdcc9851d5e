/**
 * Who decodes beside us in bench/engine/sampling.ts: PyTorch and llama.cpp, each a child process that takes one request at a time and
 * answers with the seconds it took. llama.cpp comes from a prebuilt npm package, put into .cache/ on first use.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ModelConfig } from '../../src/engine/embedded/network/config.ts';
import { python } from '../../tests/peers/python.ts';
import { inProject } from '../root.ts';

export interface DecodePeer extends Disposable {
  readonly name: string;
  build(config: ModelConfig, threads: number): Promise<void>;
  /** What `steps` tokens of each of `rows` sequences that have `past` tokens already take. */
  decode(rows: number, past: number, steps: number): Promise<DecodeTime>;
}

/** By the clock, and of processor time where it is told. */
export interface DecodeTime {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const cache = inProject('.cache/llama');
const library = `${cache}/node_modules/@node-llama-cpp/linux-x64/bins/linux-x64`;
const wanted = '@node-llama-cpp/linux-x64@3.22.1';

export function openTorch(): DecodePeer | undefined {
  return existsSync(python) ? openPeer('PyTorch', [path('sampling-peer.py')]) : undefined;
}

/** Undefined where the package cannot be had (another platform, no registry). */
export function openLlama(): DecodePeer | undefined {
  if (!existsSync(python)) return undefined;
  if (!existsSync(library)) {
    mkdirSync(cache, { recursive: true });
    writeFileSync(`${cache}/package.json`, '{ "private": true }\n');
    const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error', wanted];
    const { status } = spawnSync('npm', install, { cwd: cache, stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) {
      console.log(`llama.cpp is left out: npm could not install ${wanted}`);
      return undefined;
    }
  }
  return openPeer('llama.cpp', [path('sampling-llama.py'), library, cache]);
}

function openPeer(name: string, args: readonly string[]): DecodePeer {
  // The libraries greet on stderr; it is shown only when the peer gives up.
  const child = spawn(python, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', (data: Buffer) => (complaints = (complaints + data.toString()).slice(-2000)));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (request: object): Promise<Partial<DecodeTime>> => {
    child.stdin.write(`${JSON.stringify(request)}\n`);
    const answer = await lines.next();
    if (answer.done === true) throw new Error(`${name} gave up: ${complaints}`);
    return JSON.parse(answer.value) as Partial<DecodeTime>;
  };
  return {
    name,
    async build(config, threads) {
      await ask({ build: { ...config, theta: config.rope.theta, eps: config.normEpsilon }, threads });
    },
    async decode(rows, past, steps) {
      const { seconds = Number.NaN, cpuSeconds = Number.NaN } = await ask({ decode: rows, past, steps });
      return { seconds, cpuSeconds };
    },
    [Symbol.dispose]: () => void child.kill(),
  };
}
