/**
 * NVIDIA's Multi-Process Service: with it, the kernels of several processes run on a card at once; without it, the processes take turns, and small
 * models leave most of the card idle. `nvidia-cuda-mps-control -d` starts it; processes find it by the pipe it makes.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Whether processes of this environment would share a card by it. */
export function mpsRuns(pipes = process.env['CUDA_MPS_PIPE_DIRECTORY'] ?? '/tmp/nvidia-mps'): boolean {
  return existsSync(join(pipes, 'control'));
}

/** Its server appears among the processes of a card, and stands for its clients. */
export function isMpsServer(program: string): boolean {
  return program.endsWith('nvidia-cuda-mps-server');
}
