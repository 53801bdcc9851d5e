/** The devices of this process, each opened when it is first asked for. */
import { CudaDevice } from './cuda.ts';
import type { Device } from './device.ts';
import { ResidentDevice } from './resident.ts';

const open = new Map<Device['name'], Device>();

/** `bound`: bytes of the device that this process takes at most. */
export function openDevice(name: Device['name'], bound?: number): Device {
  let device = open.get(name);
  if (!device) {
    device = name === 'cuda' ? new CudaDevice(bound) : new ResidentDevice();
    open.set(name, device);
  }
  if (bound !== undefined) device.ledger.limit(bound);
  return device;
}
