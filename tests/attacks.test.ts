/** The corpus of attacks: every one of them is survived. `npm run fuzz` adds random mutations by the thousand. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { tryAttacks } from './attacks/attack.ts';
import { fileAttacks } from './attacks/files.ts';
import { liveAttacks } from './attacks/live.ts';
import { reachAttacks } from './attacks/reach.ts';
import { replyAttacks } from './attacks/replies.ts';

const folder = await mkdtemp(join(tmpdir(), 'agoge-attacks-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

it('every attack of the corpus is survived', async () => {
  const attacks = [...fileAttacks(5, 1), ...liveAttacks, ...reachAttacks, ...replyAttacks];
  expect(attacks.length).toBeGreaterThan(300);
  const verdicts = await tryAttacks(attacks, folder);
  const harmed = verdicts.flatMap(({ attack, harm }) => (harm === undefined ? [] : [`${attack.area}: ${attack.name}: ${harm}`]));
  expect(harmed).toEqual([]);
});
