import { describe, expect, it } from 'vitest';
import { cleanAnswer, exactMatch, mustInclude } from './text.ts';
import { unescapeHtml } from './unescape.ts';
import { sentenceTokens, wordTokens } from './word-tokens.ts';

describe('cleaning an answer', () => {
  it.each([
    ['  Yes\n', 'yes'],
    ['"Yes"', 'yes'],
    ["'Yes'", 'yes'],
    ['\'"Yes"\'', '"yes"'],
    ['"\'Yes\'"', "'yes'"],
    ['"Yes\'', '"yes\''],
    ['"Yes" or "No"', 'yes" or "no'],
    ["'", ''],
    ['""', ''],
    ['\u00a0Yes\u2003', 'yes'],
    ['ΌΣΟΣ', 'όσος'],
    ['"  Yes "', '  yes '],
    ['', ''],
  ])('%j is %j', (answer, cleaned) => expect(cleanAnswer(answer)).toBe(cleaned));
});

describe('exact match', () => {
  it.each([
    ['557m', ' 557M ', 1],
    ['557m', '557 m', 0],
    ['"N/A"', 'n/a', 1],
    ['', '""', 1],
    ['Yes', 'Yes.', 0],
  ])('%j against %j', (reference, answer, score) => expect(exactMatch(reference, answer)).toBe(score));
});

describe('inclusion', () => {
  it.each([
    ['a phrase anywhere', 'Sprite', 'it is the sprite yoga ball', false, 1],
    ['part of a word', '1', 'there are 12', false, 1],
    ['a character that must be a word', '1', 'there are 12', true, 0],
    ['a character that is a word', '1', 'there is 1 review.', true, 1],
    ['a character before a full stop', '0', 'The answer is 0.', true, 1],
    ['a character in brackets', '0', 'none (0)', true, 1],
    ['a character with a sign', '5', '$5', true, 1],
    ['a character of a decimal number', '5', '1.5', true, 0],
    ['two characters need not be a word', '12', '120', true, 1],
    ['a quoted reference', '"2"', 'I count 2', true, 1],
    ['nothing is in everything', '', 'x', true, 1],
  ])('%s', (_, reference, answer, tokenize, score) => expect(mustInclude(reference, answer, { tokenize })).toBe(score));
});

describe('words', () => {
  it.each([
    ["can't", ['ca', "n't"]],
    ['cannot', ['can', 'not']],
    ["it's John's", ['it', "'s", 'John', "'s"]],
    ["they'll we've I'm", ['they', "'ll", 'we', "'ve", 'I', "'m"]],
    ['$3.88, please', ['$', '3.88', ',', 'please']],
    ['1,000 and 2:30', ['1,000', 'and', '2:30']],
    ['(a) [b] {c}', ['(', 'a', ')', '[', 'b', ']', '{', 'c', '}']],
    ['wait... what?!', ['wait', '...', 'what', '?', '!']],
    ['"quoted" text', ['``', 'quoted', "''", 'text']],
    ['a--b', ['a', '--', 'b']],
    ['50% off @home #1', ['50', '%', 'off', '@', 'home', '#', '1']],
    ['e.g. this', ['e.g', '.', 'this']],
    ['gonna gimme', ['gon', 'na', 'gim', 'me']],
    ['', []],
    ['   ', []],
  ])('%j', (text, words) => expect(wordTokens(text)).toEqual(words));
  it('cut the full stop of every sentence, and of the last alone where the text is one', () => {
    expect(wordTokens('One is. Two are.')).toEqual(['One', 'is', '.', 'Two', 'are', '.']);
    expect(sentenceTokens('One is. Two are.')).toEqual(['One', 'is.', 'Two', 'are', '.']);
  });
  it('take the time of reading on hostile texts', () => {
    expect(wordTokens(`${'"'.repeat(50_000)} x`).at(-1)).toBe('x');
    for (const part of ["'", '"', '.', ' ', "n't", '`', '!', '\n'])
      expect(Array.isArray(wordTokens(part.repeat(20_000)))).toBe(true);
  });
});

describe('html.unescape', () => {
  it.each([
    ['&amp;lt;', '&lt;'],
    ['&lt;b&gt; &quot;x&quot; &apos;', '<b> "x" \''],
    ['&nbsp;&copy;&eacute;', '\u00a0©é'],
    // Old names work without a semicolon, and as the head of a longer word.
    ['&ampx &copy2', '&x ©2'],
    ['&notit;', '¬it;'],
    ['&notin; &lceil;&Alpha;&there4;&thetasym;', '∉ ⌈Α∴ϑ'],
    ['&euro &hellip', '&euro &hellip'],
    ['&unknown; & &; &#; &#x;', '&unknown; & &; &#; &#x;'],
    ['&#65;&#x42;&#X43 &#0068', 'ABC D'],
    ['&#0;&#xD800;&#x110000;&#99999999999;', '\ufffd\ufffd\ufffd\ufffd'],
    ['&#128;&#x99;&#x81;', '€™\x81'],
    ['&#1;&#x7f;&#xfffe;&#xfdd0;', ''],
    ['&#13;&#10;', '\r\n'],
    ['&#x1F600;', '😀'],
    ['a & b', 'a & b'],
  ])('%j is %j', (text, plain) => expect(unescapeHtml(text)).toBe(plain));
});
