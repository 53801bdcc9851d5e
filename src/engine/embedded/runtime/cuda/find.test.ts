import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findCudaRuntime } from './find.ts';
import { placesHere } from './places.ts';
import { bare, cudaFiles, runtimeFiles, temporaryFolder, writeFiles } from './wheel.fixture.ts';

const here = process.platform === 'linux' && process.arch === 'x64' ? describe : describe.skip;

const site = (...lists: Record<string, Buffer>[]): string => {
  const folder = temporaryFolder();
  for (const files of lists) writeFiles(folder, files);
  return folder;
};

here('the runtime for a card', () => {
  it('is found in a Python environment, with the CUDA libraries beside it, libcudart first and cublasLt before cublas', () => {
    const python = site(runtimeFiles(), cudaFiles());
    const found = findCudaRuntime(bare({ python: [temporaryFolder(), python] }));
    expect(found).toMatchObject({
      library: join(python, 'onnxruntime/capi/libonnxruntime.so.1.31.1'),
      version: '1.31.1',
      cuda: 13,
      from: `the Python environment ${python}`,
    });
    const names = found.preload.map((path) => path.split('/').at(-1));
    expect(names).toEqual(['libcudart.so.13', 'libcublasLt.so.13', 'libcublas.so.13', 'libcurand.so.10', 'libcudnn.so.9']);
  });

  it('prefers a path in the environment, then Python, then what was installed', () => {
    const [given, python, installed] = [1, 2, 3].map(() => site(runtimeFiles(), cudaFiles())) as [string, string, string];
    const capi = join(given, 'onnxruntime/capi');
    for (const named of [given, capi, join(capi, 'libonnxruntime.so.1.31.1')])
      expect(findCudaRuntime(bare({ given: named, python: [python], installed })).library).toContain(capi);
    expect(findCudaRuntime(bare({ python: [python], installed })).library).toContain(python);
    expect(findCudaRuntime(bare({ installed }))).toMatchObject({ from: 'agoge gpu install' });
  });

  it('takes CUDA libraries from another environment (PyTorch) or from the system', () => {
    const runtime = site(runtimeFiles());
    const torch = site(cudaFiles());
    expect(findCudaRuntime(bare({ given: runtime, python: [torch] })).preload[0]).toBe(
      join(torch, 'nvidia/cu13/lib/libcudart.so.13'),
    );
    const system = ['nvidia/cu13/lib', 'nvidia/cudnn/lib'].map((folder) => join(torch, folder));
    expect(findCudaRuntime(bare({ given: runtime, system })).preload).toHaveLength(5);
  });

  it('says what is missing and which command mends it', () => {
    expect(() => findCudaRuntime(bare())).toThrow(/no ONNX Runtime with CUDA was found.*run agoge gpu install/);
    expect(() => findCudaRuntime(bare({ given: '/nowhere' }))).toThrow(
      /AGOGE_ONNXRUNTIME has no libonnxruntime\.so\.1 in \/nowhere/,
    );
    expect(() => findCudaRuntime(bare({ given: site(runtimeFiles()) }))).toThrow(
      /CUDA 13 lacks libcudart\.so\.13, .*libcudnn\.so\.9: run agoge gpu install/,
    );
    const halved = site(runtimeFiles(), cudaFiles());
    rmSync(join(halved, 'nvidia/cudnn'), { recursive: true });
    expect(() => findCudaRuntime(bare({ python: [halved] }))).toThrow(/lacks libcudnn\.so\.9:/);
  });

  it('refuses a library and a provider of different versions, and versions that are too old', () => {
    const mixed = site(runtimeFiles('1.31.1', '1.30.0'), cudaFiles());
    // Without the wheel's RECORD the version inside the provider decides; with one whose sizes differ as well.
    rmSync(join(mixed, 'onnxruntime_gpu-1.31.1.dist-info'), { recursive: true });
    expect(() => findCudaRuntime(bare({ given: mixed }))).toThrow(
      /does not belong to ONNX Runtime 1\.31\.1: take both from one wheel/,
    );
    const replaced = site(runtimeFiles(), cudaFiles());
    writeFiles(replaced, {
      'onnxruntime/capi/libonnxruntime_providers_cuda.so': Buffer.from('provider of 1.29, larger\0' + '1.29.0\0'),
    });
    expect(() => findCudaRuntime(bare({ given: replaced }))).toThrow(/take both from one wheel/);
    expect(() => findCudaRuntime(bare({ given: site(runtimeFiles('1.22.0'), cudaFiles()) }))).toThrow(
      /1\.22\.0 .* is older than 1\.31/,
    );
  });

  it('looks into the active Python environment and the one beside the program', () => {
    const root = temporaryFolder();
    const python = writeFiles(join(root, 'lib/python3.12/site-packages'), runtimeFiles());
    const places = placesHere({ ...process.env, VIRTUAL_ENV: root, AGOGE_ONNXRUNTIME: '', XDG_DATA_HOME: '/data' });
    expect(places.python[0]).toBe(python);
    expect(places).toMatchObject({ given: undefined, installed: '/data/agoge/gpu' });
  });
});
