/** Everything that was broken, noted before it happens, so that a process that kills itself has said so. */
import { appendFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { FaultName } from './kinds.ts';
import type { LedgerLine } from './orders.ts';

export class Ledger {
  private readonly append: typeof appendFileSync = appendFileSync;

  constructor(
    private readonly path: string,
    private readonly start: number,
  ) {}

  note(fault: FaultName, where: string): void {
    this.write({ start: this.start, fault, where });
  }

  write(line: LedgerLine): void {
    this.append(this.path, `${JSON.stringify(line)}\n`);
  }
}

export async function readLedger(path: string): Promise<LedgerLine[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as LedgerLine);
}
