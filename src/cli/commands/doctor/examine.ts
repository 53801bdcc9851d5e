/** What `agoge doctor` looks at: each finding is a fact of this machine and, where it is not good, what to do. */
import { spawnSync } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism, cpus, freemem, totalmem } from 'node:os';
import { dependenciesOfBits } from '../../../engine/embedded/bits-check.ts';
import { presetConfig, type ModelConfig } from '../../../engine/embedded/network/config.ts';
import { koffi } from '../../../engine/embedded/runtime/koffi.ts';
import { library } from '../../../engine/embedded/runtime/library.ts';

export interface Finding {
  readonly what: string;
  /** A problem keeps Agoge from working; a note only limits it. */
  readonly level: 'ok' | 'note' | 'problem';
  readonly found: string;
  readonly remedy?: string;
}

const gigabytes = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GiB`;

export async function examine(): Promise<readonly Finding[]> {
  const native = [bridge(), onnxRuntime()];
  const works = native.every(({ level }) => level === 'ok');
  const bits = works ? [sameBits(presetConfig('xs', { vocabulary: 300 }))] : [];
  return [
    node(),
    ...native,
    ...bits,
    cores(),
    memory(),
    disk(),
    await port(36_001),
    await environments(),
    await browser(),
    python(),
  ];
}

/** Tries the kernels on a model of this shape: does the same recipe give the same weights here, bit by bit? */
export function sameBits(config: ModelConfig): Finding {
  const what = 'same bits';
  const dependOn = dependenciesOfBits(config);
  if (dependOn.length === 0)
    return { what, level: 'ok', found: 'recipe and seed give the same weights, at any number of threads' };
  return {
    what,
    level: 'note',
    found: `the last bits of weights and replies depend on ${dependOn.join(' and on ')}`,
    remedy: 'runs work, but expect a repeated one to differ slightly (docs/engine.md, "The same bits")',
  };
}

/** The Chromium that WebArena would drive. The shipped sites play without one. */
async function browser(): Promise<Finding> {
  const what = 'browser';
  const { findChromium, REMEDY } = await import('../../../envs/webarena/browser/find.ts');
  try {
    const { path, source } = await findChromium();
    return { what, level: 'ok', found: `${path} (${source}), for webarena with lane=browser` };
  } catch {
    return { what, level: 'note', found: 'no Chrome or Chromium; webarena plays its own sites without', remedy: REMEDY };
  }
}

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const found = `${process.version} on ${process.platform} ${process.arch}`;
  if (major > 20 || (major === 20 && minor >= 19)) return { what: 'Node.js', level: 'ok', found };
  return { what: 'Node.js', level: 'problem', found, remedy: 'install Node.js 20.19 or newer (nodejs.org)' };
}

function bridge(): Finding {
  try {
    return { what: 'koffi', level: 'ok', found: `${koffi().version} loads (the bridge to native code)` };
  } catch (thrown) {
    const remedy = 'install again; training and local models need it, environments and endpoints do not';
    return { what: 'koffi', level: 'problem', found: messageOf(thrown), remedy };
  }
}

function onnxRuntime(): Finding {
  const what = 'ONNX Runtime';
  try {
    return { what, level: 'ok', found: `${library().version} loads (training and local models)` };
  } catch (thrown) {
    const remedy =
      'train on a Tinker server or evaluate an endpoint from here (x64 and arm64 Linux, macOS and Windows can train)';
    return { what, level: 'problem', found: messageOf(thrown), remedy };
  }
}

function cores(): Finding {
  const count = availableParallelism();
  const found = `${count} (${cpus()[0]?.model.trim() ?? 'unknown processor'})`;
  if (count >= 2) return { what: 'cores', level: 'ok', found };
  return { what: 'cores', level: 'note', found, remedy: 'training works, at about half the speed that docs/results.md shows' };
}

function memory(): Finding {
  const found = `${gigabytes(freemem())} free of ${gigabytes(totalmem())}`;
  if (totalmem() >= 3.5 * 2 ** 30) return { what: 'memory', level: 'ok', found };
  return {
    what: 'memory',
    level: 'note',
    found,
    remedy: 'use the small base policy and few parallel episodes; larger models need 4 GiB and more',
  };
}

function disk(): Finding {
  const { bavail, bsize } = statfsSync(process.cwd());
  const free = bavail * bsize;
  const found = `${gigabytes(free)} free in this folder`;
  if (free >= 2 ** 30) return { what: 'disk', level: 'ok', found };
  return {
    what: 'disk',
    level: 'note',
    found,
    remedy: 'free a gigabyte, or set the output folder to another disk: checkpoints go there',
  };
}

function port(number: number): Promise<Finding> {
  const what = `port ${number}`;
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      const found = error.code === 'EADDRINUSE' ? 'is in use' : error.message;
      resolve({ what, level: 'note', found, remedy: 'agoge serve takes another with --port' });
    });
    server.listen(number, '127.0.0.1', () =>
      server.close(() => resolve({ what, level: 'ok', found: 'is free for agoge serve' })),
    );
  });
}

async function environments(): Promise<Finding> {
  await import('../../../envs/builtin.ts');
  const { environmentEntries } = await import('../../../envs/registry.ts');
  return {
    what: 'environments',
    level: 'ok',
    found: environmentEntries()
      .map(({ name }) => name)
      .join(', '),
  };
}

function python(): Finding {
  const { status, stdout } = spawnSync('python3', ['--version'], { encoding: 'utf8', timeout: 10_000 });
  if (status === 0) return { what: 'Python', level: 'ok', found: `${stdout.trim()} (only the tests against peers use it)` };
  return { what: 'Python', level: 'ok', found: 'not found, and not needed (only the tests against peers use it)' };
}

function messageOf(thrown: unknown): string {
  return (thrown instanceof Error ? thrown.message : String(thrown)).split('\n', 1)[0] ?? '';
}
