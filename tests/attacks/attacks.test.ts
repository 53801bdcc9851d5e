/** The corpus of attacks: every one of them is survived. `npm run fuzz` adds random mutations by the thousand. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tryAttacks, type Attack } from './attack.ts';
import { fileAttacks } from './files.ts';
import { foundOnce } from './found-once.ts';
import { liveAttacks } from './live.ts';
import { programAttacks } from './programs.ts';
import { reachAttacks } from './reach.ts';
import { replyAttacks } from './replies.ts';

const waiting = [...fileAttacks(5, 1), ...liveAttacks, ...reachAttacks, ...foundOnce];

it('has as many attacks as docs/security.md says', () => {
  const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');
  const said = Number(/holds more than (\d+) attacks/.exec(page)?.[1]);
  const programs = programAttacks('javascript', () => {
    throw new Error('only counted');
  });
  expect(waiting.length + replyAttacks.length + programs.length).toBeGreaterThan(said);
});
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
