/** What `agoge data` says of its work, from reports made by hand. */
import { describe, expect, it } from 'vitest';
import type { Inspection } from '../../../data/inspect.ts';
import type { PlayReport } from '../../../data/play/play-to-file.ts';
import type { Transfer } from '../../../data/transfer.ts';
import type { Validation } from '../../../data/validate.ts';
import { duration } from '../../terminal/duration.ts';
import { bigints, describeInspection, describePlay, describeTransfer, describeValidation, spent } from './print.ts';

describe('episodes that were played', () => {
  const report: PlayReport = {
    episodes: 8,
    solved: 5,
    failed: 1,
    reasons: { 'no answer': 1 },
    missing: 0,
    output: 'out.json',
    written: 5,
    format: 'agentgym',
  } as unknown as PlayReport;
  const usage = { requests: 3, retries: 1, inputTokens: 100, outputTokens: 20 };
  it.each<[string, object, readonly string[]]>([
    [
      'plainly',
      {},
      ['played 8 episodes of x: 5 solved, 1 failed to run', '  1 × no answer', 'wrote out.json: 5 rows of agentgym'],
    ],
    [
      'with some not begun',
      { reasons: {}, missing: 2 },
      ['played 8 episodes of x: 5 solved, 1 failed to run', '  2 episodes were not begun', 'wrote out.json: 5 rows of agentgym'],
    ],
    [
      'by an endpoint',
      { reasons: {}, usage: { ...usage, cost: 0.012345 } },
      [
        'played 8 episodes of x: 5 solved, 1 failed to run',
        'asked 3 requests, 100 tokens in, 20 out, $0.0123, 1 tried again',
        'wrote out.json: 5 rows of agentgym',
      ],
    ],
    [
      'by an endpoint that takes less',
      { reasons: {}, usage: { ...usage, requests: 0, leftOut: ['top_k', 'seed'] } },
      [
        'played 8 episodes of x: 5 solved, 1 failed to run',
        'the endpoint does not take top_k, seed: left out',
        'wrote out.json: 5 rows of agentgym',
      ],
    ],
    [
      'with files beside it',
      { reasons: {}, summary: 's.json', partial: 'p.jsonl' },
      [
        'played 8 episodes of x: 5 solved, 1 failed to run',
        'wrote out.json: 5 rows of agentgym',
        'wrote s.json',
        'kept p.jsonl to go on from',
      ],
    ],
  ])('%s', (_, change, lines) => expect(describePlay({ ...report, ...change }, 'x')).toEqual(lines));

  it('costs are told where they are known', () => {
    expect(spent(undefined)).toBe('');
    expect(spent(usage)).toBe(' · 3 requests, 100 tokens in, 20 out');
    expect(spent({ ...usage, cost: 0 })).toBe(' · 3 requests, 100 tokens in, 20 out, $0.0000');
  });
});

it('files that were converted: what was read, left out and written', () => {
  const transfer = (filtered: number) =>
    ({
      inputs: [
        { file: 'a', format: 'verl', rows: 3 },
        { file: 'b', format: undefined, rows: 0 },
      ],
      output: 'o',
      format: 'sft',
      written: 2,
      filtered,
    }) as unknown as Transfer;
  expect(describeTransfer(transfer(0)).split('\n')).toEqual([
    'read     a: 3 rows of verl',
    'read     b: 0 rows of nothing',
    'wrote    o: 2 rows of sft',
  ]);
  expect(describeTransfer(transfer(1))).toContain('\nleft out 1 rows by the filters\n');
});

describe('a file that was looked at', () => {
  const spread = { least: 1, mean: 2.34567, p50: 2, p95: 1234.56, most: 4000 };
  const base = {
    file: 'f.json',
    rows: 3,
    items: 0,
    duplicates: 0,
    environments: { textcraft: 3 },
    categories: {},
    roles: {},
    models: {},
    problems: [],
    samples: [],
  };
  const lines = (change: object): string[] =>
    describeInspection({ ...base, ...change } as unknown as Inspection, 'AgentGym').split('\n');

  it('says only what is there', () =>
    expect(lines({})).toEqual([
      'f.json',
      '  format      AgentGym',
      '  rows        3',
      '  environment textcraft 3',
      '  problems    none seen',
    ]));

  it.each<[string, object, string]>([
    ['items', { items: 2 }, '  items       2 different'],
    ['duplicates', { duplicates: 1 }, '  duplicates  1 rows with the same words as an earlier one'],
    ['categories, most of all first', { categories: { a: 1, b: 5, c: 2 } }, '  categories  b 5, c 2, a 1'],
    [
      'eight of many',
      { models: Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`m${String(i)}`, 10 - i])) },
      '  models      m0 10, m1 9, m2 8, m3 7, m4 6, m5 5, m6 4, m7 3, 2 more',
    ],
    ['a spread', { messages: spread }, '  messages    1 to 4000, mean 2.346, half below 2, 95 % below 1234.6'],
    [
      'rewards',
      { rewards: { ...spread, success: 0.125 } },
      '  reward      1 to 4000, mean 2.346, half below 2, 95 % below 1234.6, success 12.5 %',
    ],
    ['a problem and where it is', { problems: [{ what: 'no reply', rows: 2, first: 7 }] }, '    2 rows: no reply (first: row 7)'],
  ])('%s', (_, change, line) => expect(lines(change)).toContain(line));

  it('shows rows on one line each, five messages at most, and numbers that JSON has none for', () => {
    const messages = Array.from({ length: 7 }, (_, i) => ({ role: 'user', content: i === 0 ? 'a\nb' : 'x'.repeat(200) }));
    const shown = lines({ samples: [{ number: 4, row: { kind: 'conversation', itemId: 'textcraft_1', messages } }] });
    expect(shown).toContain('  --- row 4 (textcraft_1)');
    expect(shown).toContain('    user: a ⏎ b');
    expect(shown).toContain(`    user: ${'x'.repeat(160)}…`);
    expect(shown.filter((line) => line.startsWith('    user: '))).toHaveLength(5);
    expect(shown.at(-1)).toBe('    … 2 more messages');
    const task = { number: 1, row: { kind: 'task', prompt: [], extraInfo: { index: 9007199254740993n } } };
    expect(lines({ samples: [task] }).at(-1)).toBe('    extra_info: {"index":"9007199254740993"}');
    expect(JSON.stringify([1n, 1], bigints)).toBe('["1",1]');
  });
});

describe('a file that was played again', () => {
  const problem = (number: number, itemId?: string) => ({ number, itemId, kind: 'reward', detail: 'said 1\nplayed 0' });
  const validation = (change: object) =>
    ({
      file: 'f',
      format: 'agentgym',
      rows: 3,
      good: 1,
      turns: 9,
      problems: [problem(2, 'a_1'), problem(3)],
      mislabelled: [],
      ...change,
    }) as unknown as Validation;

  it('counts what is good and names the first problems', () => {
    expect(describeValidation(validation({}), 5).split('\n')).toEqual([
      'f (agentgym): 1 of 3 rows are good, 9 turns replayed',
      '  row 2 (a_1): reward: said 1 ⏎ played 0',
      '  row 3: reward: said 1 ⏎ played 0',
    ]);
    expect(describeValidation(validation({}), 1)).toMatch(/\n {2}… 1 more; --json lists all$/);
  });

  it('says that labels are wrong, with one of them', () =>
    expect(
      describeValidation(validation({ problems: [], mislabelled: [{ number: 5, itemId: 'a_1', shows: 'a_2' }] }), 5),
    ).toMatch(/\n {2}1 rows are labelled with another task than they show \(row 5: a_1 shows a_2\)$/));

  it('an empty file has no format', () =>
    expect(describeValidation(validation({ format: undefined, problems: [] }), 5)).toMatch(/^f \(no rows\)/));
});

it.each<[number | null, string]>([
  [null, '?'],
  [0, '0 s'],
  [0.2, '1 s'],
  [59, '59 s'],
  [60, '1 min'],
  [3599, '59 min'],
  [3600, '1 h 0 min'],
  [7260, '2 h 1 min'],
  [90_000, '25 h 0 min'],
])('%s seconds are %s', (seconds, text) => expect(duration(seconds)).toBe(text));
