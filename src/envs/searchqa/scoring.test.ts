/** Search-R1's exact match and AgentGym's reading of a reply, rule by rule. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Passage } from '../../retrieval/retriever.ts';
import { SearchQAEpisode } from './episode.ts';
import { informationText } from './information.ts';
import { asked } from './questions.ts';
import { exactMatch, lastAnswer, normalizeAnswer, readMove, scoreReply } from './scoring.ts';

describe('normalising an answer', () => {
  it.each([
    ['The Beatles', 'beatles'],
    ['a an the', ''],
    ['A.', ''],
    ['theatre', 'theatre'],
    ['  New\tYork\n City ', 'new york city'],
    ["Moby-Dick; or, 'The Whale'", 'mobydick or whale'],
    // Punctuation goes first, so that what it held apart becomes one word.
    ['the-end', 'theend'],
    ['U.S.A.', 'usa'],
    ['an_a', 'ana'],
    ['“quotes” – dash', '“quotes” – dash'],
    ['50%', '50'],
    ['ÀÉ', 'àé'],
    ['the é', 'é'],
    // A combining accent ends a word in Python.
    ['a\u0301', '\u0301'],
    ['thé', 'thé'],
    ['a1', 'a1'],
    ['\u00a0x\u3000y\x1cz', 'x y z'],
    ['', ''],
  ])('%j is %j', (text, plain) => expect(normalizeAnswer(text)).toBe(plain));
  it('changes nothing the second time, but for an article that the first time uncovered', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const once = normalizeAnswer(text);
        expect(normalizeAnswer(once)).toBe(once);
      }),
      { seed: 1 },
    );
  });
});

describe('exact match', () => {
  it.each([
    ['1969', ['1969', 'July 1969'], true],
    ['July 1969', ['1969'], false],
    ['the moon', ['Moon!'], true],
    ['moon', [], false],
    ['the', ['a'], true],
    ['', [''], true],
  ])('%j against %j', (answer, golden, same) => expect(exactMatch(answer, golden)).toBe(same));
});

describe('reading a reply', () => {
  it.each([
    ['a search', '<search> x </search>', { kind: 'search', query: 'x' }],
    ['the first of two', '<search>x</search><search>y</search>', { kind: 'search', query: 'x' }],
    ['an answer before a search', '<answer>y</answer><search>x</search>', { kind: 'answer' }],
    ['a search that holds an answer', '<search>a <answer>b</answer></search>', { kind: 'search', query: 'a <answer>b</answer>' }],
    ['an open search before an answer', '<search>a <answer>b</answer>', { kind: 'answer' }],
    ['tags that do not belong together', '<search>x</answer>', { kind: 'neither' }],
    ['other letters', '<Search>x</Search>', { kind: 'neither' }],
    ['blanks in a tag', '< search>x</search>', { kind: 'neither' }],
    ['nothing', '', { kind: 'neither' }],
    ['an empty search', '<search></search>', { kind: 'search', query: '' }],
    ['lines', '<search>a\nb</search>', { kind: 'search', query: 'a\nb' }],
  ])('%s', (_, reply, move) => expect(readMove(reply)).toEqual(move));
  it.each([
    ['<answer>a</answer><answer> b </answer>', 'b'],
    ['<answer>a</answer><answer>b', 'a'],
    ['<answer></answer>', ''],
    ['<answer><answer>a</answer></answer>', '<answer>a'],
    ['no', null],
  ])('the last answer of %j is %j', (reply, answer) => expect(lastAnswer(reply)).toBe(answer));
  it('the first tag decides what the reply is, the last answer what it is worth', () => {
    expect(scoreReply('<answer>wrong</answer> no, <answer>Moon</answer>', ['moon'])).toBe(1);
    expect(scoreReply('<answer>Moon</answer> no, <answer>wrong</answer>', ['moon'])).toBe(0);
    expect(scoreReply('moon', ['moon'])).toBe(0);
  });
  it('takes the time of reading on hostile replies', () => {
    for (const part of ['<search>', '<answer>', '</answer>', '<', '<answer></']) {
      expect(readMove(part.repeat(50_000)).kind).toBe('neither');
      expect(lastAnswer(`${part.repeat(50_000)}x`)).toBeNull();
    }
  });
});

describe('a play', () => {
  const passages: readonly Passage[] = [
    { id: '1', contents: '"Moon"\nThe moon\nis far.' },
    { id: '2', contents: 'No title' },
  ];
  const queries: string[] = [];
  const retriever = {
    name: 'test',
    search(query: string, limit: number): readonly Passage[] {
      queries.push(query);
      return query === '' ? [] : passages.slice(0, limit);
    },
  };
  const question = { item: 0, text: 'What is far?', answers: ['the Moon', 'Luna'], category: 'test' };
  const open = () => new SearchQAEpisode(question, retriever, { passages: 3, short: false });
  it('shows passages in the original’s words', async () => {
    expect((await open().step('<search> far </search>')).observation).toBe(
      '<information>Doc 1(Title: "Moon") The moon\nis far.\nDoc 2(Title: No title)</information>',
    );
    expect(queries.at(-1)).toBe('far');
    expect((await open().step('<search></search>')).observation).toBe('<information></information>');
  });
  it('goes on after a wrong answer and ends with a right one', async () => {
    const episode = open();
    expect(await episode.step('<answer>Mars</answer>')).toMatchObject({ reward: 0, done: false });
    expect(await episode.step('moon')).toMatchObject({ reward: 0, done: false });
    expect(await episode.step('<answer>luna.</answer>')).toMatchObject({ reward: 1, done: true, success: true });
    expect(await episode.step('<answer>luna.</answer>')).toMatchObject({ reward: 0, done: true });
  });
  it('pays again on the wire after the end, as the server does', async () => {
    const episode = open();
    expect(await episode.play('<answer>Luna</answer>')).toMatchObject({ reward: 1, done: true });
    expect(await episode.play('<answer>Luna</answer>')).toMatchObject({ reward: 1, done: true });
    expect(await episode.play('<answer>Mars</answer>')).toMatchObject({ reward: 0, done: false });
  });
  it('marks the passages that hold an answer', async () => {
    const episode = open();
    await episode.step('<search>far</search>');
    expect(episode.state.passages?.map(({ title, hit }) => [title, hit])).toEqual([
      ['Moon', true],
      ['No title', false],
    ]);
  });
  it('strips as Python does', () => {
    expect(informationText([{ id: '1', contents: 'T\nx\x1c\u0085' }])).toBe('<information>Doc 1(Title: T) x</information>');
    expect(informationText([{ id: '1', contents: 'T\nx\ufeff' }])).toBe('<information>Doc 1(Title: T) x\ufeff</information>');
  });
});

it.each([
  ['who is it', 'who is it?'],
  [' who is it? ', 'who is it?'],
  ['why?!', 'why?!?'],
  ['', '?'],
])('%j is asked as %j', (text, question) => expect(asked(text)).toBe(question));
