/** The devices of this process, each opened when it is first asked for. */
import { CudaDevice } from './cuda.ts';
import type { Device } from './device.ts';
import { ResidentDevice } from './resident.ts';

const open = new Map<Device['name'], Device>();

export function openDevice(name: Device['name']): Device {
  let device = open.get(name);
  if (!device) {
    device = name === 'cuda' ? new CudaDevice() : new ResidentDevice();
    open.set(name, device);
  }
  return device;
}
