/**
 * The ONNX Runtime for a card and the CUDA libraries it needs, found in this order: AGOGE_ONNXRUNTIME, a Python environment that has
 * `onnxruntime-gpu`, the folder of `agoge gpu install`. A place that is named but does not hold is an error, not a reason to look on.
 */
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AgogeError } from '../../../../core/error.ts';
import { folderOf, namesIn, nvidiaFolders, placesHere, type Places } from './places.ts';
import { recordedSize } from './record.ts';

export interface CudaRuntime {
  /** The core library; its provider lies beside it. */
  readonly library: string;
  readonly version: string;
  /** CUDA's major version that the provider was built for. */
  readonly cuda: number;
  /** What must be loaded before it, in this order; the CUDA runtime (libcudart) is first. */
  readonly preload: readonly string[];
  /** Which of the places it is, in words. */
  readonly from: string;
}

/** The oldest version whose kernels were tried. */
const oldestRuntime = '1.31';
const installCommand = 'agoge gpu install';
const provider = 'libonnxruntime_providers_cuda.so';
const bridge = 'libonnxruntime_providers_shared.so';

/** Throws ENGINE_NO_GPU_LIBRARY or ENGINE_GPU_VERSIONS with what is missing and the command that mends it. */
export function findCudaRuntime(places: Places = placesHere()): CudaRuntime {
  const { folder, from } = runtimeFolder(places);
  const library = namesIn(folder).find((name) => /^libonnxruntime\.so\.\d+\.\d+/.test(name)) ?? 'libonnxruntime.so.1';
  for (const name of [library, bridge, provider]) {
    if (!existsSync(join(folder, name))) throw missing(`${from} has no ${name} in ${folder}`);
  }
  const version = /so\.(\d+\.\d+\.\d+)/.exec(library)?.[1] ?? versionOfPackage(folder) ?? '';
  checkVersions(folder, version, from);
  const cuda = cudaOf(folder);
  return { library: join(folder, library), version, cuda, preload: cudaLibraries(folder, cuda, places), from };
}

function runtimeFolder({ given, python, installed }: Places): { folder: string; from: string } {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new AgogeError(
      'ENGINE_NO_GPU_LIBRARY',
      `the engine uses a card on Linux x64 only, not on ${process.platform} ${process.arch}: give --device host, leave engine.device out, or train on a Tinker engine`,
    );
  }
  if (given !== undefined) return { folder: wheelFolder(folderOf(given)) ?? folderOf(given), from: 'AGOGE_ONNXRUNTIME' };
  for (const site of python) {
    const folder = wheelFolder(site);
    if (folder !== undefined) return { folder, from: `the Python environment ${site}` };
  }
  const folder = wheelFolder(installed);
  if (folder !== undefined) return { folder, from: installCommand };
  throw missing('no ONNX Runtime with CUDA was found: AGOGE_ONNXRUNTIME is not set, no Python environment has onnxruntime-gpu');
}

/** Where a wheel puts its libraries; undefined where the wheel is not the one for cards. */
function wheelFolder(site: string): string | undefined {
  const folder = join(site, 'onnxruntime', 'capi');
  return existsSync(join(folder, provider)) ? folder : undefined;
}

function checkVersions(folder: string, version: string, from: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldMajor = 0, oldMinor = 0] = oldestRuntime.split('.').map(Number);
  if (major < oldMajor || (major === oldMajor && minor < oldMinor)) {
    throw new AgogeError(
      'ENGINE_GPU_VERSIONS',
      `ONNX Runtime ${version === '' ? 'of unknown version' : version} of ${from} is older than ${oldestRuntime}: run ${installCommand}, or pip install "onnxruntime-gpu>=${oldestRuntime}" there`,
    );
  }
  if (providerFits(folder, version)) return;
  throw new AgogeError(
    'ENGINE_GPU_VERSIONS',
    `the CUDA provider in ${folder} does not belong to ONNX Runtime ${version}: take both from one wheel (${installCommand})`,
  );
}

/** By the wheel's own list of files where it is there, else by the version that is written in the provider. */
function providerFits(folder: string, version: string): boolean {
  const path = join(folder, provider);
  const recorded = recordedSize(dirname(dirname(folder)), `onnxruntime/capi/${provider}`);
  if (recorded?.version === version && recorded.bytes === statSync(path).size) return true;
  return holds(path, `\0${version}\0`);
}

/** Whether a file holds this text somewhere. */
function holds(path: string, text: string): boolean {
  const wanted = Buffer.from(text, 'latin1');
  const size = 8 << 20;
  const chunk = Buffer.alloc(size + wanted.length);
  const file = openSync(path, 'r');
  try {
    for (let at = 0, read = size; read > 0; at += size) {
      read = readSync(file, chunk, 0, chunk.length, at);
      if (chunk.subarray(0, read).includes(wanted)) return true;
    }
    return false;
  } finally {
    closeSync(file);
  }
}

/** What the wheel says that it was built for; 13 where it says nothing. */
function cudaOf(folder: string): number {
  return Number(/cuda_version = '(\d+)/.exec(textOf(join(folder, 'build_and_package_info.py')))?.[1] ?? 13);
}

function versionOfPackage(folder: string): string | undefined {
  return /__version__ = '([^']+)'/.exec(textOf(join(folder, 'build_and_package_info.py')))?.[1];
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** cublas needs cublasLt, so that comes before it; cuDNN loads its parts itself, from its own folder. */
function cudaLibraries(folder: string, cuda: number, { python, installed, system }: Places): string[] {
  const folders = [
    folder,
    ...nvidiaFolders(dirname(dirname(folder))),
    ...nvidiaFolders(installed),
    ...python.flatMap(nvidiaFolders),
    ...system,
  ];
  const find = (name: string): string | undefined => folders.map((place) => join(place, name)).find((path) => existsSync(path));
  const needed = [`libcudart.so.${cuda}`, `libcublasLt.so.${cuda}`, `libcublas.so.${cuda}`, 'libcurand.so.10', 'libcudnn.so.9'];
  const absent = needed.filter((name) => find(name) === undefined);
  if (absent.length > 0) throw missing(`ONNX Runtime for CUDA ${cuda} lacks ${absent.join(', ')}`);
  return [...needed, `libnvrtc.so.${cuda}`].map(find).filter((path) => path !== undefined);
}

function missing(what: string): AgogeError {
  return new AgogeError('ENGINE_NO_GPU_LIBRARY', `${what}: run ${installCommand}`);
}
