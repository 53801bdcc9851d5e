/** What /proc says of the processes of a soak: memory, handles, sockets, files and threads of one; processor time of all of them. Linux only. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface Sample {
  /** Resident, in MiB. */
  readonly memory: number;
  readonly handles: number;
  readonly sockets: number;
  readonly files: number;
  readonly threads: number;
}

/** Undefined where the process has ended. */
export function sampleOf(pid: number): Sample | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const of = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? NaN);
    const targets = readdirSync(`/proc/${pid}/fd`).map((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`);
      } catch {
        return '';
      }
    });
    const sockets = targets.filter((target) => target.startsWith('socket:')).length;
    const files = targets.filter((target) => target.startsWith('/') && !target.startsWith('/dev')).length;
    const memory = of('VmRSS') / 1024;
    return Number.isFinite(memory) ? { memory, handles: targets.length, sockets, files, threads: of('Threads') } : undefined;
  } catch {
    return undefined;
  }
}

export function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return text === '' ? [] : text.split(' ').map(Number);
  } catch {
    return [];
  }
}

/** Seconds of processor time of a process, of those that ended below it, and of those that still run there. */
export function processorSeconds(pid: number): number {
  const ticks = 100;
  let own = 0;
  try {
    // After the name, which may hold anything: utime, stime, cutime and cstime are the 14th to 17th fields of the whole line.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    own = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / ticks;
  } catch {
    return own; // it ended meanwhile: its parent counts it now
  }
  return own + childrenOf(pid).reduce((sum, child) => sum + processorSeconds(child), 0);
}
