/** Findings as lines: how it stands, what it is, what was found, and below it what to do. */
import { print } from '../../terminal/print.ts';
import type { Finding } from './examine.ts';

const marks = { ok: 'ok     ', note: 'note   ', problem: 'PROBLEM' } as const;

export function printFindings(findings: readonly Finding[]): void {
  for (const { level, what, found, remedy } of findings) {
    print(`${marks[level]}  ${what.padEnd(18)} ${found}`);
    if (remedy !== undefined) print(`${' '.repeat(28)}→ ${remedy}`);
  }
}
