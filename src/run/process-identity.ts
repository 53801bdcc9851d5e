/**
 * Which process this is, so that another one can tell later whether it still runs: its number alone is given again to others after
 * a while, so the time it started and the machine's last start stand beside it, where the system tells them.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the system's own words; absent where the system does not tell. */
  readonly started?: string | undefined;
  /** Changes whenever the machine starts. */
  readonly boot?: string | undefined;
}

export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, started: startOf(process.pid), boot: bootOf() };
}

/** Does this very process still run on this machine? One of before the last start of the machine does not. */
export function runs({ pid, started, boot }: ProcessIdentity): boolean {
  if (boot !== undefined && boot !== bootOf()) return false;
  if (!exists(pid)) return false;
  const now = startOf(pid);
  return started === undefined || now === undefined || started === now;
}

export function sameProcess(one: ProcessIdentity): boolean {
  return one.pid === process.pid && runs(one);
}

/** Is there a process of this number? */
export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function startOf(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      // Fields after the name, which stands in parentheses and may hold anything; the start is the 22nd of all.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      return fields[19];
    } catch {
      return undefined;
    }
  }
  if (process.platform === 'win32') return undefined;
  const { status, stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

function bootOf(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return undefined;
  }
}
