/** Which machine a native library is built for, by its first bytes: ELF, PE and Mach-O say it themselves. */
import { closeSync, openSync, readSync } from 'node:fs';

/** `linux arm64`, as Node names platform and processor; undefined where it is none of the three, or of another processor. */
export function machineOf(file: string): string | undefined {
  const head = beginning(file, 4096);
  if (head.length < 64) return undefined;
  if (head.toString('latin1', 0, 4) === '\x7fELF') return named('linux', { 0x3e: 'x64', 0xb7: 'arm64' }[head.readUInt16LE(18)]);
  if (head.readUInt32LE(0) === 0xfeedfacf)
    return named('darwin', { 0x01000007: 'x64', 0x0100000c: 'arm64' }[head.readUInt32LE(4)]);
  if (head.toString('latin1', 0, 2) !== 'MZ') return undefined;
  const at = head.readUInt32LE(60);
  if (at + 6 > head.length || head.toString('latin1', at, at + 4) !== 'PE\0\0') return undefined;
  return named('win32', { 0x8664: 'x64', 0xaa64: 'arm64' }[head.readUInt16LE(at + 4)]);
}

function named(platform: string, arch: string | undefined): string | undefined {
  return arch === undefined ? undefined : `${platform} ${arch}`;
}

function beginning(file: string, length: number): Buffer {
  const opened = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(length);
    return buffer.subarray(0, readSync(opened, buffer, 0, length, 0));
  } finally {
    closeSync(opened);
  }
}
