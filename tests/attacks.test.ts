/** The corpus of attacks: every one of them is survived. `npm run fuzz` adds random mutations by the thousand. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tryAttacks, type Attack } from './attacks/attack.ts';
import { fileAttacks } from './attacks/files.ts';
import { liveAttacks } from './attacks/live.ts';
import { reachAttacks } from './attacks/reach.ts';
import { replyAttacks } from './attacks/replies.ts';

const waiting = [...fileAttacks(5, 1), ...liveAttacks, ...reachAttacks];

it('has hundreds of attacks', () => expect(waiting.length + replyAttacks.length).toBeGreaterThan(300));
it('every attack on files, servers and pages is survived', () => survived(waiting));
// By themselves: they keep the thread, on which the others wait for their servers.
it('every attack by a reply is survived', () => survived(replyAttacks));

/** In a folder of its own, so that a second try begins afresh. */
async function survived(attacks: readonly Attack[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'agoge-attacks-'));
  try {
    const verdicts = await tryAttacks(attacks, folder);
    const harmed = verdicts.flatMap(({ attack, harm }) =>
      harm === undefined ? [] : [`${attack.area}: ${attack.name}: ${harm}`],
    );
    expect(harmed).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
