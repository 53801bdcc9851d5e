/** Wheels and Python environments laid out as pip lays them out, with tiny files in the place of libraries. For tests. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { zip } from '../../models/files/torch-file.fixture.ts';
import type { Places } from './places.ts';

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'agoge-cuda-'));

/** The files of the wheel of onnxruntime-gpu, its RECORD included. */
export function runtimeFiles(version = '1.31.1', providerVersion = version): Record<string, Buffer> {
  return recorded(`onnxruntime_gpu-${version}.dist-info`, {
    'onnxruntime/__init__.py': Buffer.from('# Python'),
    'onnxruntime/capi/build_and_package_info.py': Buffer.from(
      `package_name = 'onnxruntime-gpu'\n__version__ = '${version}'\ncuda_version = '13.0'\n`,
    ),
    [`onnxruntime/capi/libonnxruntime.so.${version}`]: Buffer.from(`core\0VERS_${version}\0`),
    'onnxruntime/capi/libonnxruntime_providers_shared.so': Buffer.from('shared'),
    'onnxruntime/capi/libonnxruntime_providers_cuda.so': Buffer.from(`provider\0${providerVersion}\0`),
    'onnxruntime/capi/libonnxruntime_providers_tensorrt.so': Buffer.from('not wanted'),
  });
}

/** CUDA's packages, all in one. */
export const cudaFiles = (): Record<string, Buffer> =>
  recorded('nvidia_cuda-13.0.dist-info', {
    ...Object.fromEntries(
      ['libcudart.so.13', 'libcublas.so.13', 'libcublasLt.so.13', 'libcurand.so.10'].map((name) => [
        `nvidia/cu13/lib/${name}`,
        Buffer.from(name),
      ]),
    ),
    'nvidia/cudnn/lib/libcudnn.so.9': Buffer.from('cudnn'),
    'nvidia/cu13/include/cuda.h': Buffer.from('not wanted'),
  });

/** Adds the list of files that a wheel carries. */
export function recorded(description: string, files: Record<string, Buffer>): Record<string, Buffer> {
  const lines = Object.entries(files).map(
    ([path, data]) => `${path},sha256=${createHash('sha256').update(data).digest('base64url')},${data.length}`,
  );
  return { ...files, [`${description}/RECORD`]: Buffer.from([...lines, `${description}/RECORD,,`, ''].join('\n')) };
}

export function writeFiles(folder: string, files: Readonly<Record<string, Buffer>>): string {
  for (const [path, data] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), data);
  }
  return folder;
}

export function writeWheel(folder: string, name: string, files: Record<string, Buffer>): string {
  writeFileSync(join(folder, name), zip(files, true));
  return join(folder, name);
}

/** A machine on which nothing is found but what is given. */
export const bare = (over: Partial<Places> = {}): Places => ({
  given: undefined,
  python: [],
  installed: join(tmpdir(), 'agoge-cuda-nothing'),
  system: [],
  ...over,
});
