/** The doctor's sentences: each verdict, the wall it names, what it notes, and what it says to do next. */
import { describe, expect, it } from 'vitest';
import '../../../envs/builtin.ts';
import type { Checkup } from '../../../train/checkup/checkup.ts';
import { nextCommand } from './next-command.ts';
import { checkupLines, verdictText } from './print-checkup.ts';

const kinds = [
  { kind: 'craft N', turns: 40, probability: 0.0123, right: 0.2 },
  { kind: 'get N', turns: 60, probability: 0.9, right: 0.95 },
];
const scores = { probability: 0.5, nats: 3.21, right: 0.5, episodes: 0.1, kinds };
const expert: Checkup['expert'] = {
  episodes: 20,
  turns: 5.25,
  tokens: 300,
  longest: 800,
  before: { ...scores, nats: 9.87, right: 0.01, kinds: [{ kind: 'craft N', turns: 40, probability: 0, right: 0 }] },
  after: scores,
  curve: [],
  probe: { seconds: 12.4, steps: 30, tokens: 10_000 },
};
const play: Checkup['play'] = {
  tasks: 32,
  episodes: 256,
  failures: {},
  pass1: 0.125,
  pass8: 0.5,
  signal: 0.25,
  spread: 0.111,
  reward: 0.2,
  turns: 5,
  tokensPerTurn: 8.6,
  tokensPerEpisode: 210.4,
  longest: 512,
  contextFull: 0.05,
  cut: 0.1,
  unreadable: 0.1,
  secondsPerEpisode: 0.1,
};
function found(forecast: Checkup['forecast'], more: object = {}): Checkup {
  const base = { environment: 'textcraft', policy: 'base', split: 'train', level: 0.5, context: 2048, limits: { turns: 10 } };
  return { ...base, forecast, expert, play, words: null, ...more } as unknown as Checkup;
}
const none = { missing: 'no solve' };

describe('the verdict', () => {
  it.each<[string, Checkup, string]>([
    ['there', found({ verdict: 'there', success: 0.814 }), 'it solves 81 % of the tasks already; GRPO can go on from here'],
    [
      'nothing left',
      found({ verdict: 'there', success: 1 }, { play: { ...play, signal: 0 } }),
      'it solves 100 % of the tasks already, and all tries at a task end alike: GRPO has nothing to learn from',
    ],
    [
      'soon',
      found({ verdict: 'learns', minutes: 0.4, level: 0.5 }),
      'less than a minute of imitation to 50 % success on this machine',
    ],
    [
      'in minutes',
      found({ verdict: 'learns', minutes: 9.94, level: 0.5 }),
      'about 9.9 minutes of imitation to 50 % success on this machine',
    ],
    [
      'in many',
      found({ verdict: 'learns', minutes: 12.3, level: 0.5 }),
      'about 12 minutes of imitation to 50 % success on this machine',
    ],
    [
      'by GRPO',
      found({ verdict: 'may-learn', because: 'signal' }),
      'GRPO has something to learn from (25 % of the groups have signal); how long it takes cannot be told from here',
    ],
    [
      'too long for the context',
      found({ verdict: 'no', because: 'context' }),
      "not from here, because an expert's episode has 300 tokens and the context 2048",
    ],
    [
      'flat',
      found({ verdict: 'no', because: 'flat' }),
      'not from here, because the expert\'s replies become no likelier by imitation; the wall is "craft N", right in 20 % of its turns',
    ],
    [
      'slow',
      found({ verdict: 'no', because: 'slow', minutes: 90 }),
      'not from here, because at this pace it would take about 90 minutes; the wall is "craft N", right in 20 % of its turns',
    ],
    [
      'slower than a day',
      found({ verdict: 'no', because: 'slow', minutes: 601 }),
      'not from here, because at this pace it would take more than ten hours; the wall is "craft N", right in 20 % of its turns',
    ],
    [
      'nobody to imitate',
      found({ verdict: 'no', because: 'no-signal' }, { expert: none }),
      'not from here, because there is no expert to imitate, and no group had rewards that differ',
    ],
    [
      'nobody to teach',
      found({ verdict: 'no', because: 'no-signal' }, { expert: { ...none, scores } }),
      'not from here, because a policy elsewhere cannot be taught, and no group had rewards that differ',
    ],
  ])('%s', (_, checkup, text) => expect(verdictText(checkup)).toBe(text));
});

describe('what to do next', () => {
  const there = { verdict: 'there', success: 1 } as const;
  const learns = { verdict: 'learns', minutes: 1, level: 0.5 } as const;
  it.each<[string, Checkup, string]>([
    ['RL of ours', found(there), 'agoge train RECIPE policy=base, with the recipe of textcraft that agoge recipes lists'],
    ['RL of one’s own', found(there, { environment: './dice.ts' }), 'agoge train train.yaml policy=base'],
    [
      'imitation',
      found(learns, { environment: 'textcraft@http://127.0.0.1:1' }),
      'agoge sft RECIPE policy=base, with the recipe of textcraft that agoge recipes lists',
    ],
    ['imitation of one’s own', found(learns, { environment: './dice.ts', policy: 'reader' }), 'agoge sft sft.yaml policy=reader'],
    [
      'where its recipes lie, which name things from there',
      found(there, { environment: 'dice/env.js', policy: 'run:outputs/x@best' }),
      'cd dice && agoge train train.yaml policy=run:../outputs/x@best',
    ],
    [
      'without a recipe beside it',
      found(learns, { environment: 'alone/env.ts' }),
      'agoge sft RECIPE policy=base, with a recipe like the sft.yaml of agoge new env',
    ],
    [
      'of a package',
      found(there, { environment: 'dice-package' }),
      'agoge train RECIPE policy=base, with a recipe like the train.yaml of agoge new env',
    ],
    ['nothing left', found(there, { play: { ...play, signal: 0 } }), 'choose harder tasks (--split, --set), then ask again'],
    [
      'weights elsewhere',
      found(there, { policy: 'openai:x' }),
      'ask the same of its weights, which can be trained: agoge doctor textcraft --policy hf:FOLDER, or gguf:FILE',
    ],
    [
      'no expert',
      found({ verdict: 'no', because: 'no-signal' }, { expert: none }),
      'give the environment an expert (solve), or easier tasks; then ask again',
    ],
    [
      'context',
      found({ verdict: 'no', because: 'context' }),
      'shorten what the environment says, or take a policy with a longer context: --policy reader, gguf:…',
    ],
    [
      'a wall for the base',
      found({ verdict: 'no', because: 'flat' }),
      'agoge doctor textcraft --policy reader, or a larger start (docs/larger-start.md)',
    ],
    [
      'a wall for another',
      found({ verdict: 'no', because: 'slow' }, { policy: 'reader' }),
      'make that kind of turn easier (say what it needs in the last observation), or take a larger start (docs/larger-start.md)',
    ],
    [
      'context of the longest that ships',
      found({ verdict: 'no', because: 'context' }, { policy: 'reader' }),
      'shorten what the environment says, or take a policy with a longer context: --policy hf:…, gguf:…',
    ],
  ])('%s', (_, checkup, text) => expect(nextCommand(checkup, (path) => !path.startsWith('alone'))).toBe(text));
});

describe('the lines', () => {
  const there = { verdict: 'there', success: 1 } as const;
  it('tell what was played, the signal and the expert, the worst kind of turn first', () => {
    const lines = checkupLines(found(there));
    expect(lines[2]).toBe('plays now      pass@1 0.13, pass@8 0.50 (32 tasks of train, 256 episodes, at most 10 turns)');
    expect(lines[3]).toBe('signal         25 % of the groups have rewards that differ; spread within groups 0.11');
    expect(lines[4]).toBe('tokens         9 a reply, 210 an episode, at most 512 of 2048');
    expect(lines[5]).toBe('expert         5.3 replies and 300 tokens an episode (longest 800), of 20 episodes');
    expect(lines[6]).toBe('imitation      30 steps in 12 s: replies right 1 % → 50 %, −ln p of a reply 9.9 → 3.2');
    expect(lines[8]).toMatch(/^ {2}craft N +40 +0 % → 20 % {3}0\.012$/);
    expect(lines[9]).toMatch(/^ {2}get N +60 + → 95 % {3}0\.90$/);
    expect(lines.at(-1)).toMatch(/^next {11}agoge train/);
  });

  it.each<[string, object, readonly string[]]>([
    ['nothing at the border', {}, []],
    ['a full context', { contextFull: 0.06 }, ['6 % of the episodes fill the context']],
    ['cut replies', { cut: 0.11 }, ['11 % of the replies are cut off at the limit of tokens']],
    ['unreadable replies', { unreadable: 0.5 }, ['no action can be read from 50 % of the replies']],
    [
      'failures by type',
      { failures: { environment: 3, policy: 1 } },
      ['3 episodes failed (environment)', '1 episodes failed (policy)'],
    ],
  ])('note %s', (_, change, notes) => {
    const lines = checkupLines(found(there, { play: { ...play, ...change } }));
    expect(lines.filter((line) => line.startsWith('note')).map((line) => line.slice(15))).toEqual(notes);
  });

  it('say nothing of an imitation that was not tried', () => {
    const probe = { seconds: 0, steps: 0, tokens: 0 };
    const empty = { ...scores, nats: Infinity, kinds: [] };
    const lines = checkupLines(found(there, { expert: { ...expert, probe, before: empty, after: empty } }));
    expect(lines).toContain("imitation      not tried: none of the expert's episodes fits into the context");
    expect(lines.join('\n')).not.toMatch(/Infinity|kind of turn/);
  });

  it('leave out what an endpoint does not tell, and name why nothing is imitated', () => {
    const lines = checkupLines(found(there, { play: { ...play, longest: 0 }, expert: none, context: Infinity }));
    expect(lines).toContain('tokens         9 a reply');
    expect(lines).toContain('expert         none: no solve');
  });

  it('name words that fall to pieces, five at most', () => {
    const broken = 'abcdef'.split('').map((word) => ({ word, pieces: 3 }));
    const line = (list: typeof broken): string | undefined =>
      checkupLines(found(there, { words: { mean: 1.25, broken: list } })).find((one) => one.startsWith('words'));
    expect(line([])).toBe("words          1.3 tokens a word in the expert's replies");
    expect(line(broken)).toMatch(/; in three pieces or more: a \(3\), b \(3\), c \(3\), d \(3\), e \(3\), …$/);
    expect(line(broken.slice(0, 5))).toMatch(/e \(3\)$/);
  });
});
