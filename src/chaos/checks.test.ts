/** What counts as held: by hand, so that each verdict can be seen from the episodes that stand there. */
import { describe, expect, it } from 'vitest';
import type { EpisodeRecord } from '../run/episode-record.ts';
import { endChecks, episodeChecks, serverChecks } from './checks.ts';
import { reportOf, reportText } from './report.ts';
import type { SuperviseResult } from './supervise.ts';

function episode(
  task: string,
  reward: number | 'failed',
  { reply = 'go', tokens = [1, 2], seconds = 1 } = {},
): readonly [string, EpisodeRecord] {
  const outcome: EpisodeRecord['outcome'] =
    reward === 'failed'
      ? { kind: 'failed', by: 'environment', error: { code: 'GYM_UNREACHABLE', message: 'gone' } }
      : { kind: 'finished', reward, success: reward === 1 };
  const record: EpisodeRecord = {
    v: 1,
    task,
    category: '',
    sample: 0,
    seed: 1,
    policy: 'random',
    format: 'direct',
    observation: '',
    turns: [{ reply, action: reply, observation: 'ok', reward: 0, done: true }],
    segments: [{ role: 'assistant', text: reply, tokens, logprobs: tokens.map(() => 0), policy_version: 0 }],
    outcome,
    time: { total: seconds, policy: 0, environment: 0 },
    retries: 0,
  };
  return [task, record];
}

/** The names of the checks that do not hold. */
const broken = (mine: ReturnType<typeof episode>[], twin: ReturnType<typeof episode>[]): string[] =>
  episodeChecks(mine, twin).flatMap(({ name, holds }) => (holds ? [] : [name]));

const [lost, twice, scores] = ['no episode is lost', 'none is counted twice', 'scores equal those without faults'];

describe('episodes after chaos', () => {
  const quiet = [episode('a', 1), episode('b', 0)];
  it.each<[string, ReturnType<typeof episode>[], string[]]>([
    ['all as without faults', quiet, []],
    ['in another order', [...quiet].reverse(), []],
    ['slower', [episode('a', 1, { seconds: 99 }), episode('b', 0)], []],
    ['one is missing', [episode('a', 1)], [lost]],
    ['one has failed for good', [episode('a', 1), episode('b', 'failed')], [lost]],
    ['one is there twice', [...quiet, episode('a', 1)], [twice]],
    ['one that nobody asked for', [...quiet, episode('c', 1)], [twice]],
    ['another reward', [episode('a', 0), episode('b', 0)], [scores]],
    ['another reply', [episode('a', 1, { reply: 'stay' }), episode('b', 0)], [scores]],
    ['the same words of other tokens', [episode('a', 1, { tokens: [3] }), episode('b', 0)], [scores]],
    ['nothing at all', [], [lost]],
  ])('%s', (_, mine, want) => expect(broken(mine, quiet)).toEqual(want));

  it('nothing is proven where nothing was played', () => expect(broken([], [])).toEqual([lost]));

  it('says how many, and which is the first that differs', () => {
    const details = episodeChecks([episode('a', 0), episode('b', 1), episode('b', 1)], quiet).map(({ detail }) => detail);
    expect(details[0]).toBe('2 of 2');
    expect(details[1]).toBe('3 kept, 1 twice');
    expect(details[2]).toMatch(/^2 of 2 differ, the first is a; /);
  });
});

describe('the end', () => {
  const end = (opened: number, closed: number) =>
    ({
      events: { turns: 0, writes: 0, renames: 0, milliseconds: 0 },
      opened,
      closed,
    }) as unknown as SuperviseResult['ledger'][number];
  const result = (codes: (number | undefined)[], completed: boolean, ...ledger: SuperviseResult['ledger'][number][]) =>
    ({ starts: codes.map((code) => ({ code })), completed, ledger }) as unknown as SuperviseResult;

  it.each([
    ['one start', result([0], true, end(3, 3)), [true, true], '1 start, the last ended with 0', '3 opened, 3 closed'],
    [
      'a kill before it',
      result([undefined, 0], true, end(1, 1)),
      [true, true],
      '2 starts, the last ended with 0',
      '1 opened, 1 closed',
    ],
    ['a session is left', result([0], true, end(3, 2)), [true, false], '1 start, the last ended with 0', '3 opened, 2 closed'],
    [
      'of all processes together',
      result([0], true, end(2, 2), end(2, 1)),
      [true, false],
      '1 start, the last ended with 0',
      '4 opened, 3 closed',
    ],
    [
      'not done',
      result([undefined], false, end(0, 0)),
      [false, true],
      '1 start, the last ended with a signal',
      '0 opened, 0 closed',
    ],
  ])('%s', (_, given, holds, work, sessions) => {
    const checks = endChecks(given);
    expect(checks.map((check) => check.holds)).toEqual(holds);
    expect(checks.map((check) => check.detail)).toEqual([work, sessions]);
  });

  it('of a server is that it comes back', () =>
    expect(serverChecks(result([0], true))[0]?.name).toBe('the server comes back until it is ended'));
});

describe('the report', () => {
  const check = (name: string, holds: boolean) => ({ name, holds, detail: 'd' });
  const struck = (...faults: string[]) => faults.map((fault) => ({ fault })) as unknown as SuperviseResult['ledger'];

  it('counts by kind and says what is broken, and where to look', () => {
    const report = reportOf(struck('disk-full', 'step-fails', 'disk-full'), 2, [check('a', true), check('b', false)], '/tmp/x');
    expect(report).toMatchObject({ faults: { 'disk-full': 2, 'step-fails': 1 }, holds: false });
    expect(reportText(report).split('\n')).toEqual([
      '',
      'chaos: 3 faults of 2 kinds, 2 starts',
      '  disk-full 2, step-fails 1',
      '  holds   a: d',
      '  BROKEN  b: d',
      'not everything holds: the ledger, logs and the run without faults are in /tmp/x',
    ]);
  });

  it('one of each is one of each, and no fault shows nothing', () => {
    expect(reportText(reportOf(struck('interrupt'), 1, [check('a', true)], ''))).toContain('chaos: 1 fault of 1 kind, 1 start\n');
    const quiet = reportText(reportOf([], 1, [check('a', true)], ''));
    expect(quiet).toContain('no fault has struck, so this shows nothing');
    expect(quiet).toMatch(/everything holds$/);
  });
});
