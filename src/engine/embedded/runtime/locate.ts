/**
 * Where ONNX Runtime's shared library lies: in `dist/native`, which carries only these files so that nothing has to be fetched or
 * run on installation; for the sources of a clone, in onnxruntime-node. Also turns its telemetry off.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AgogeError } from '../../../core/error.ts';
import { koffi } from './koffi.ts';

const files: Readonly<Record<string, string>> = {
  linux: 'libonnxruntime.so.1',
  darwin: 'libonnxruntime.1.dylib',
  win32: 'onnxruntime.dll',
};

/** The library for this machine; throws ENGINE_NO_RUNTIME where there is none. */
export function locateRuntime(): string {
  const { platform, arch } = process;
  const file = files[platform];
  const found = [nativeFolder(), installedFolder()]
    .filter((folder) => folder !== undefined)
    .map((folder) => join(folder, platform, arch, file ?? ''))
    .find((path) => file !== undefined && existsSync(path));
  if (found !== undefined) return found;
  throw new AgogeError(
    'ENGINE_NO_RUNTIME',
    `there is no ONNX Runtime for ${platform} ${arch} here: use Linux or Windows on x64 or arm64, macOS on arm64, or a Tinker engine; on one of these, install again`,
  );
}

/**
 * ONNX Runtime 1.30 keeps a device id and an event database in the user's cache folder and sends events to its maker unless this
 * variable stands in the process's own environment before it is loaded. In a worker `process.env` is a copy: there the C library is told.
 */
export function forbidTelemetry(): void {
  process.env.ORT_DISABLE_TELEMETRY = '1';
  if (process.platform === 'win32') return; // there it is events of the system, which Runtime turns off by the C API
  const set = koffi().load(null).func('int setenv(const char* name, const char* value, int overwrite)');
  set('ORT_DISABLE_TELEMETRY', '1', 1);
}

function nativeFolder(): string {
  return fileURLToPath(new URL('../../../native', import.meta.url));
}

function installedFolder(): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('onnxruntime-node/package.json')), 'bin', 'napi-v6');
  } catch {
    return undefined;
  }
}
