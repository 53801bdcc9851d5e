import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { zip } from '../../models/files/torch-file.fixture.ts';
import { installGpu, requirements } from './install.ts';
import { bare, cudaFiles, runtimeFiles, temporaryFolder, writeFiles, writeWheel } from './wheel.fixture.ts';

const here = process.platform === 'linux' && process.arch === 'x64' ? describe : describe.skip;
const runtimeWheel = 'onnxruntime_gpu-1.31.1-cp312-cp312-manylinux_2_28_x86_64.whl';

here('agoge gpu install', () => {
  it('unpacks wheels of a folder: the libraries and the lists, nothing else and nowhere else', async () => {
    const wheels = temporaryFolder();
    writeWheel(wheels, runtimeWheel, runtimeFiles());
    writeWheel(wheels, 'nvidia_cuda-13.0-py3-none-any.whl', cudaFiles());
    const installed = join(temporaryFolder(), 'gpu');
    const found = await installGpu({ from: wheels, places: bare({ installed }) });
    expect(found).toMatchObject({ version: '1.31.1', from: 'agoge gpu install' });
    expect(readFileSync(found.library)).toEqual(runtimeFiles()['onnxruntime/capi/libonnxruntime.so.1.31.1']);
    expect(readdirSync(join(installed, 'onnxruntime/capi'))).not.toContain('libonnxruntime_providers_tensorrt.so');
    expect(existsSync(join(installed, 'nvidia/cu13/include'))).toBe(false);
    expect(readdirSync(dirname(installed))).toEqual(['gpu']);
  });

  it('keeps what was installed when a wheel is damaged, cut off, or does not fit', async () => {
    const wheels = temporaryFolder();
    const installed = join(temporaryFolder(), 'gpu');
    const places = bare({ installed });
    const install = () => installGpu({ from: wheels, places });
    writeWheel(wheels, runtimeWheel, runtimeFiles());
    await expect(install()).rejects.toThrow(/lacks libcudart\.so\.13/);
    expect(existsSync(installed)).toBe(false);
    writeWheel(wheels, 'nvidia_cuda-13.0-py3-none-any.whl', cudaFiles());
    const { library } = await install();
    const forged = runtimeFiles();
    forged['onnxruntime/capi/libonnxruntime_providers_cuda.so'] = Buffer.from('provider\0' + '1.31.9\0');
    writeWheel(wheels, runtimeWheel, forged);
    await expect(install()).rejects.toThrow(
      /the sum of its file .*providers_cuda\.so differs from its RECORD; download it again/,
    );
    const whole = zip(runtimeFiles(), true);
    writeFileSync(join(wheels, runtimeWheel), whole.subarray(0, whole.length - 30));
    await expect(install()).rejects.toThrow(/cannot be used/);
    expect(existsSync(library)).toBe(true);
    expect(readdirSync(dirname(installed))).toEqual(['gpu']);
  });

  it('says how to fetch the wheels where a folder has none', async () => {
    const refused = installGpu({ from: temporaryFolder(), places: bare({ installed: join(temporaryFolder(), 'gpu') }) });
    await expect(refused).rejects.toThrow(
      /has no wheel of onnxruntime-gpu: .*pip download .*onnxruntime-gpu==1\.31\.1 "nvidia-cuda-runtime~=13\.0"/,
    );
  });

  it('asks pip only for what no other place has', () => {
    expect(requirements(bare())).toHaveLength(6);
    const torch = writeFiles(temporaryFolder(), cudaFiles());
    expect(requirements(bare({ python: [torch] }))).toEqual(['onnxruntime-gpu==1.31.1', 'nvidia-cuda-nvrtc~=13.0']);
  });
});
