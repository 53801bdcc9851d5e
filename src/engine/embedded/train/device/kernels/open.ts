/** Chooses the kernels for a model on a device: on a card those of our own where they can be compiled and know the model, for tests those in TypeScript. */
import type { DeviceWeights } from '../../../device/weights.ts';
import { CudaDevice } from '../../../runtime/cuda.ts';
import { CudaKernels } from './cuda-kernels.ts';
import { kernelsFit } from './kernel-network.ts';
import type { Kernels } from './kernels.ts';
import { ReferenceKernels } from './reference.ts';

export function openKernels(
  { device, config, type }: DeviceWeights,
  { kernels, tf32 = false }: { readonly kernels?: boolean | undefined; readonly tf32?: boolean | undefined },
): Kernels | undefined {
  const wanted = kernels ?? device.name === 'cuda';
  if (!wanted || !kernelsFit(config)) return undefined;
  return device instanceof CudaDevice
    ? CudaKernels.open(device, type, config.headSize, tf32)
    : new ReferenceKernels(config.headSize);
}
