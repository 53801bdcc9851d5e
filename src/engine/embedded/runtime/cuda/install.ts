/**
 * `agoge gpu install`: the wheels of ONNX Runtime for cards and of those CUDA libraries that are not here yet, by the user's own pip or
 * from a folder, unpacked into one folder and nowhere else. The old folder stays until the new one is whole and was found to fit.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { AgogeError } from '../../../../core/error.ts';
import { findCudaRuntime, type CudaRuntime } from './find.ts';
import { namesIn, nvidiaFolders, placesHere, type Places } from './places.ts';
import { unpackWheel } from './unpack.ts';

export interface InstallOptions {
  /** A folder with wheels, or one wheel. Absent: pip downloads them. */
  readonly from?: string | undefined;
  readonly places?: Places;
  /** Told what is being done, line by line. */
  readonly say?: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

const runtimeVersion = '1.31.1';
const cuda = 13;
/** CUDA's packages, each with the library that shows whether it is here already. */
const cudaPackages = [
  { requirement: 'nvidia-cuda-runtime~=13.0', library: `libcudart.so.${cuda}` },
  { requirement: 'nvidia-cublas~=13.0', library: `libcublas.so.${cuda}` },
  { requirement: 'nvidia-curand~=10.0', library: 'libcurand.so.10' },
  { requirement: 'nvidia-cudnn-cu13~=9.0', library: 'libcudnn.so.9' },
  { requirement: 'nvidia-cuda-nvrtc~=13.0', library: `libnvrtc.so.${cuda}` },
] as const;

export async function installGpu({
  from,
  places = placesHere(),
  say = () => undefined,
  signal,
}: InstallOptions = {}): Promise<CudaRuntime> {
  const target = places.installed;
  const fresh = `${target}.writing-${process.pid}`;
  const downloads = `${target}.wheels-${process.pid}`;
  await mkdir(dirname(target), { recursive: true });
  try {
    if (from === undefined) {
      await mkdir(downloads);
      await pipDownload(requirements(places), downloads, say, signal);
    }
    for (const wheel of await wheelsIn(from === undefined ? downloads : resolve(from))) {
      say(`unpacking ${wheel.split('/').at(-1) ?? wheel}`);
      await unpackWheel(wheel, fresh, isNeeded);
    }
    findCudaRuntime({ ...places, given: undefined, python: [], installed: fresh, system: outside(places) });
    await rm(target, { recursive: true, force: true });
    await rename(fresh, target);
  } finally {
    await rm(fresh, { recursive: true, force: true });
    await rm(downloads, { recursive: true, force: true });
  }
  return findCudaRuntime({ ...places, given: undefined, python: [], system: outside(places) });
}

/** What pip is asked for: the runtime, and those CUDA packages whose library no other place has. */
export function requirements(places: Places): string[] {
  const folders = outside(places);
  const absent = cudaPackages.filter(({ library }) => !folders.some((folder) => existsSync(join(folder, library))));
  return [`onnxruntime-gpu==${runtimeVersion}`, ...absent.map(({ requirement }) => requirement)];
}

/** The command that somebody types on a machine with a network for one without. */
function downloadCommand(wanted: readonly string[], folder: string): string[] {
  const platforms = ['manylinux_2_28_x86_64', 'manylinux_2_27_x86_64', 'manylinux_2_17_x86_64', 'manylinux2014_x86_64'];
  return [
    ...['-m', 'pip', 'download', '--no-deps', '--only-binary=:all:', '--python-version', '3.12'],
    ...platforms.flatMap((platform) => ['--platform', platform]),
    ...['--dest', folder, ...wanted],
  ];
}

/** Places of CUDA's libraries other than the folder that is filled. */
function outside({ python, system }: Places): string[] {
  return [...python.flatMap(nvidiaFolders), ...system];
}

/** The libraries themselves; not TensorRT's provider, headers or Python. */
function isNeeded(path: string): boolean {
  if (path.startsWith('onnxruntime/capi/'))
    return /\/(libonnxruntime(?!.*tensorrt).*\.so[.\d]*|build_and_package_info\.py)$/.test(path);
  return /^nvidia\/.*\/lib\/[^/]+\.so[.\d]*$/.test(path);
}

async function wheelsIn(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined);
  const wheels =
    found?.isFile() === true
      ? [path]
      : namesIn(path)
          .filter((name) => name.endsWith('.whl'))
          .map((name) => join(path, name));
  if (wheels.some((name) => /onnxruntime_gpu-[^/]*$/.test(name))) return wheels;
  throw new AgogeError(
    'ENGINE_GPU_INSTALL',
    `${path} has no wheel of onnxruntime-gpu: on a machine with a network run python3 ${downloadCommand([`onnxruntime-gpu==${runtimeVersion}`, ...cudaPackages.map(({ requirement }) => `"${requirement}"`)], 'wheels').join(' ')} and name that folder`,
  );
}

async function pipDownload(
  wanted: readonly string[],
  folder: string,
  say: (line: string) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  say(`downloading ${wanted.join(', ')}`);
  const child = spawn('python3', downloadCommand(wanted, folder), {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal && { signal }),
  });
  const last: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (/^(Collecting|Saved|\s*Downloading)/.test(line)) say(line.trim());
  });
  createInterface({ input: child.stderr }).on('line', (line) => last.push(line));
  const code = await new Promise<number>((done, fail) => {
    child.once('error', fail);
    child.once('close', (status) => done(status ?? 1));
  }).catch((cause: unknown) => {
    throw AgogeError.from(
      cause,
      'ENGINE_GPU_INSTALL',
      'python3 -m pip cannot be run (install Python with pip, or name a folder of wheels with --from)',
    );
  });
  if (code === 0) return;
  throw new AgogeError(
    'ENGINE_GPU_INSTALL',
    `pip could not download ${wanted.join(', ')} (${last.slice(-3).join(' ').trim()}): check its index, or name a folder of wheels with --from`,
  );
}
