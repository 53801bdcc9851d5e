/** Every fault of sessions and replies, in this process: episodes end as without them, and no session is left. */
import { afterEach, describe, expect, it } from 'vitest';
import { createFormat } from '../agent/formats/index.ts';
import { EpisodePool, type EpisodeJob } from '../agent/pool.ts';
import { seam } from '../agent/seam.ts';
import { textCraft } from '../envs/textcraft/textcraft.ts';
import { ExpertPolicy } from '../policy/expert.ts';
import { episodeRecord, type EpisodeRecord } from '../run/episode-record.ts';
import { episodeChecks } from './checks.ts';
import { episodeFaults } from './episodes.ts';
import { faultKinds, type FaultName } from './kinds.ts';
import type { Orders } from './orders.ts';
import { reportOf, reportText } from './report.ts';
import { parseChaos } from './spec.ts';
import { endingOf } from './supervise.ts';

afterEach(() => {
  delete seam.job;
});

const environment = textCraft();
const jobs = Array.from({ length: 250 }, (_, index): EpisodeJob => ({
  environment,
  task: { env: 'textcraft', split: 'train', index: index % 50 },
  policy: new ExpertPolicy(),
  format: createFormat('direct'),
  limits: { turns: 12, tokensPerTurn: 64 },
  seed: index,
  sample: Math.floor(index / 50),
}));

async function played(retries = 2): Promise<(readonly [string, EpisodeRecord])[]> {
  const found: (readonly [string, EpisodeRecord])[] = [];
  for await (const { trajectory } of new EpisodePool({ backoff: 1, retries }).run(jobs)) {
    const record = episodeRecord(trajectory);
    found.push([`${record.task} ${record.sample}`, record]);
  }
  return found;
}

function orders(text: string, promise: Orders['promise'] = 'bits'): Orders {
  return { ...parseChaos(text), start: 0, promise, ledger: '', folders: [] };
}

describe('faults of episodes', () => {
  it('strike with every kind, and leave every episode as it is without them', async () => {
    const quiet = await played();
    const struck = new Set<FaultName>();
    const sessions = { opened: 0, closed: 0 };
    seam.job = episodeFaults(orders('7:steps'), { struck: (kind) => struck.add(kind), turn: () => undefined, sessions });
    const checks = episodeChecks(await played(), quiet);
    expect(checks.map(({ name, holds }) => [name, holds])).toEqual([
      ['no episode is lost', true],
      ['none is counted twice', true],
      ['scores equal those without faults', true],
    ]);
    const possible = faultKinds.filter(
      ({ name, place }) => (place === 'session' || place === 'reply') && name !== 'episode-lost',
    );
    expect(possible.map(({ name }) => name).filter((name) => !struck.has(name))).toEqual([]);
    // Some open only now, when nobody waits for them any more; they are closed a moment later.
    await expect.poll(() => sessions.opened - sessions.closed, { timeout: 60_000 }).toBe(0);
    expect(sessions.opened).toBeGreaterThan(quiet.length);
  });

  it('take every try of a lost episode, and only of such', async () => {
    const lost = new Set<string>();
    const watch = { struck: (_: FaultName, where: string) => lost.add(where.replace(/ try \d+$/, '')), turn: () => undefined };
    seam.job = episodeFaults(orders('7:episode-lost', 'complete'), { ...watch, sessions: { opened: 0, closed: 0 } });
    const failed = (await played(0)).filter(([, { outcome }]) => outcome.kind === 'failed');
    expect(failed.length).toBe(lost.size);
    expect(failed.length).toBeGreaterThan(20);
  });
});

it('checks tell a lost, a doubled and a changed episode', async () => {
  const quiet = await played();
  const broken = (mine: typeof quiet): string[] => episodeChecks(mine, quiet).flatMap(({ name, holds }) => (holds ? [] : [name]));
  expect(broken(quiet)).toEqual([]);
  expect(broken(quiet.slice(1))).toEqual(['no episode is lost']);
  expect(broken([...quiet, ...quiet.slice(0, 1)])).toEqual(['none is counted twice']);
  const changed = quiet.map(([key, record], at) => [key, at === 3 ? { ...record, turns: [] } : record] as const);
  expect(broken(changed)).toEqual(['scores equal those without faults']);
});

describe('what --chaos is given', () => {
  it('is a seed with a profile, several, or kinds by name', () => {
    expect(parseChaos('7').kinds).toHaveLength(faultKinds.length);
    expect(parseChaos('7:disk,kill').kinds).toContain('kill-torn');
    expect(parseChaos('7:step-fails')).toEqual({ seed: 7, kinds: ['step-fails'], starts: 4 });
    expect(() => parseChaos('x')).toThrow('is no seed');
    expect(() => parseChaos('1:step-fail')).toThrow('did you mean step-fails?');
    expect(() => parseChaos('1:constructor')).toThrow('agoge chaos list');
  });

  it('decides what each start ends with, among what the quiet run did', () => {
    const events = { turns: 40, writes: 30, renames: 9, milliseconds: 2000 };
    const drawn = Array.from({ length: 400 }, (_, seed) => endingOf({ ...parseChaos('0'), seed }, 0, events));
    const kinds = new Set(drawn.map((ending) => ending?.kind));
    expect(kinds.size).toBe(faultKinds.filter(({ place }) => place === 'disk' || place === 'kill').length);
    for (const ending of drawn) if (ending?.kind === 'kill-rename') expect(ending.at).toBeLessThan(9);
    expect(endingOf(parseChaos('7:steps'), 0, events)).toBeUndefined();
    expect(endingOf(parseChaos('7:kill-step'), 0, { ...events, turns: 0 })).toBeUndefined();
    expect(endingOf(parseChaos('7:kill:2'), 2, events)).toBeUndefined();
  });

  it('ends with a report that says what held', () => {
    const ledger = [{ start: 0, fault: 'step-fails', where: 'here' } as const];
    const bad = reportOf(ledger, 2, [{ name: 'all is well', holds: false, detail: '1 of 2' }], 'outputs/chaos/x');
    expect(reportText(bad)).toContain('BROKEN  all is well: 1 of 2\nnot everything holds');
    expect(reportText(reportOf(ledger, 1, [], 'x'))).toContain('1 fault of 1 kind, 1 start\n  step-fails 1\neverything holds');
  });
});
