import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callLine, parseCall, withMarker, writeCall } from './grammar.ts';
import { repr } from '../../../core/python/values.ts';

/** The original's first pattern as it stands; Python's `$` also matches before a last line feed. */
const original = (text: string): string | undefined => {
  const found = /\s*(.*?)\s*with\s*Action Input:\s*(.*?)(?=\n?$)/.exec(text);
  return found ? `${found[1] ?? ''} with Action Input: ${found[2] ?? ''}` : undefined;
};

describe('stage one', () => {
  it('finds what the original’s pattern finds', () => {
    const piece = fc.constantFrom('Action: ', 'with', 'Action Input:', 'with Action Input:', 'a', ' ', '\n', '{}', '\t');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        expect(callLine(text)).toBe(original(text));
      }),
      { seed: 1, numRuns: 500 },
    );
  });
  it.each([
    ['the input on the next line', 'Action: a with Action Input:\n{}', 'Action: a with Action Input: {}'],
    ['with and Action Input on two lines', 'Action: a with\nAction Input: {}', 'Action: a with Action Input: {}'],
    ['no blank between', 'Action: awithAction Input:{}', 'Action: a with Action Input: {}'],
    ['a last line feed', 'Action: a with Action Input: {}\n', 'Action: a with Action Input: {}'],
    ['no input', 'Action: a with Action Input:', 'Action: a with Action Input: '],
    ['no action', 'with Action Input: {}', ' with Action Input: {}'],
  ])('%s', (_, text, line) => expect(callLine(text)).toBe(line));
  it.each([
    ['an action alone', 'Action: finish'],
    ['other letters', 'Action: a with action input: {}'],
    ['a line after the input', 'Action: a with Action Input: {}\nThought: done'],
    ['two line feeds after the input', 'Action: a with Action Input: {}\n\n'],
    ['an input over two lines', 'Action: a with Action Input: {"a":\n1}'],
    ['nothing', ''],
  ])('%s is a format error', (_, text) => expect(callLine(text)).toBeUndefined());
  it('takes the time of reading on hostile texts', () => {
    for (const text of [' '.repeat(2e5), 'with'.repeat(5e4), 'with \n'.repeat(5e4), `${'\n'.repeat(2e5)}with`])
      expect(callLine(text)).toBeUndefined();
  });
});

describe('stage two', () => {
  it.each([
    ['Action: a with Action Input: {}', 'a', '{}'],
    ['Thought: b Action: a with Action Input: {}', 'a', '{}'],
    ["Action:a with Action Input: {'x': 'y with Action Input: z'}", 'a', "{'x': 'y with Action Input: z'}"],
    ['Action: two words with Action Input: 1', 'two words', '1'],
    ['Action:  with Action Input: []', '', '[]'],
  ])('%s', (line, tool, input) => {
    const call = parseCall(line);
    expect([call.tool, repr(call.input)]).toEqual([tool, input]);
  });
  it('raises as the original does without the word Action, and for an input that is no literal', () => {
    expect(() => parseCall('a with Action Input: {}')).toThrow('cannot unpack non-iterable NoneType object');
    for (const input of ['', '{', 'open("x")', '__import__("os").system("true")', '{"a": b}', '1 +'])
      expect(() => parseCall(`Action: a with Action Input: ${input}`)).toThrow(
        'Parameters in action input are not valid, please change your action input.',
      );
  });
});

describe('calls of our own', () => {
  it('are read as they were meant', () => {
    const input = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }));
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z_]{1,12}$/), input, (tool, given) => {
        const line = callLine(withMarker(writeCall(tool, given)));
        // A text that holds the marker itself is cut there, as in the original.
        fc.pre(!JSON.stringify(given).includes('Action'));
        expect(parseCall(line ?? '').tool).toBe(tool);
      }),
      { seed: 1, numRuns: 50 },
    );
  });
  it('get the word Action once', () => {
    expect(withMarker('a with Action Input: {}')).toBe('Action: a with Action Input: {}');
    expect(withMarker('Thought: x\nAction: a with Action Input: {}')).toBe('Thought: x\nAction: a with Action Input: {}');
    expect(withMarker('')).toBe('Action: ');
  });
});
