/** What chaos did and what held, as text. */
import type { Check } from './checks.ts';
import { faultKinds, profiles } from './kinds.ts';
import type { LedgerLine } from './orders.ts';

export interface ChaosReport {
  readonly faults: Readonly<Record<string, number>>;
  readonly starts: number;
  readonly checks: readonly Check[];
  readonly holds: boolean;
  readonly work: string;
}

export function reportOf(ledger: readonly LedgerLine[], starts: number, checks: readonly Check[], work: string): ChaosReport {
  const faults: Record<string, number> = {};
  for (const line of ledger) if ('fault' in line) faults[line.fault] = (faults[line.fault] ?? 0) + 1;
  return { faults, starts, checks, holds: checks.every(({ holds }) => holds), work };
}

export function reportText({ faults, starts, checks, holds, work }: ChaosReport): string {
  const counts = Object.entries(faults).sort(([a], [b]) => a.localeCompare(b));
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  return [
    '',
    `chaos: ${counted(all, 'fault')} of ${counted(counts.length, 'kind')}, ${counted(starts, 'start')}`,
    ...(counts.length > 0 ? [`  ${counts.map(([name, count]) => `${name} ${count}`).join(', ')}`] : []),
    ...checks.map((check) => `  ${check.holds ? 'holds ' : 'BROKEN'}  ${check.name}: ${check.detail}`),
    ...(all === 0 ? ['no fault has struck, so this shows nothing: try another seed or profile, or more episodes'] : []),
    holds ? 'everything holds' : `not everything holds: the ledger, logs and the run without faults are in ${work}`,
  ].join('\n');
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `agoge chaos list`. */
export function listText(): string {
  const wide = Math.max(...faultKinds.map(({ name }) => name.length));
  const groups = Object.entries(profiles)
    .filter(([name]) => name !== 'all')
    .flatMap(([name, places]) => [
      `${name}:`,
      ...faultKinds.filter(({ place }) => places.includes(place)).map((kind) => `  ${kind.name.padEnd(wide)}  ${kind.what}`),
    ]);
  return [`${faultKinds.length} kinds of faults, by profile (all: every one of them):`, ...groups].join('\n');
}
