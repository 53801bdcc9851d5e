/**
 * Where ONNX Runtime's shared library lies: in the package of this platform, which npm installs beside a released Agoge; in `dist/native`
 * of a build; for the sources of a clone, in onnxruntime-node; for a card, where cuda/find.ts finds it. Also what it finds in the
 * environment.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AgogeError } from '../../../core/error.ts';
import { findCudaRuntime } from './cuda/find.ts';
import { koffi } from './koffi.ts';
import { runtimePackage, runtimePlatforms } from './platforms.ts';

/** What has to be loaded, in this order. */
export interface RuntimeFiles {
  /** Libraries that the runtime finds only when they are there already: those of CUDA. */
  readonly preload: readonly string[];
  readonly library: string;
  /** It has a provider for cards. */
  readonly card?: boolean;
}

/** The runtime for this machine, or the one that knows its card; throws ENGINE_NO_RUNTIME or ENGINE_NO_GPU_LIBRARY where there is none. */
export function locateRuntime(device: 'host' | 'cuda'): RuntimeFiles {
  return device === 'host' ? { preload: [], library: hostLibrary() } : { ...findCudaRuntime(), card: true };
}

function hostLibrary(): string {
  const here = runtimePlatforms.find(({ platform, arch }) => platform === process.platform && arch === process.arch);
  if (here === undefined) {
    throw new AgogeError(
      'ENGINE_NO_RUNTIME',
      `there is no ONNX Runtime for ${process.platform} ${process.arch}: use Linux or Windows on x64 or arm64, macOS on arm64, or a Tinker engine`,
    );
  }
  const { platform, arch, file } = here;
  const name = runtimePackage(here);
  const built = fileURLToPath(new URL(`../../../native/${platform}/${arch}`, import.meta.url));
  const sources = packageFolder('onnxruntime-node', 'bin', 'napi-v6', platform, arch);
  const found = [built, packageFolder(name), sources].flatMap((folder) => (folder === undefined ? [] : [join(folder, file)]));
  const path = found.find((each) => existsSync(each));
  if (path !== undefined) return path;
  throw new AgogeError(
    'ENGINE_NO_RUNTIME',
    `the package ${name} is not installed, so there is no ONNX Runtime here: install agoge again without --omit=optional, or npm install ${name} in the version of agoge; environments and endpoints work without it`,
  );
}

/**
 * What ONNX Runtime reads from the process's own environment, said before it is loaded. In a worker `process.env` is a copy: there the C library is told.
 * Version 1.30 keeps a device id and an event database in the user's cache folder and sends events to its maker unless it is forbidden
 * (on Windows they are events of the system, which Runtime turns off by the C API).
 * Its blockwise attention is slower for us than products of whole rows: a third in decode steps, a fifth to a half in prompts.
 */
export function setEnvironment(): void {
  const set =
    process.platform === 'win32'
      ? undefined
      : koffi().load(null).func('int setenv(const char* name, const char* value, int overwrite)');
  for (const [name, value] of Object.entries({ ORT_DISABLE_TELEMETRY: '1', ORT_GQA_DISABLE_FLASH_ATTENTION: '1' })) {
    process.env[name] = value;
    set?.(name, value, 1);
  }
}

function packageFolder(name: string, ...below: readonly string[]): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), ...below);
  } catch {
    return undefined;
  }
}
