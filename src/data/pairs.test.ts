/** Preference rows in the forms that people have them in. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { pairOf, readPairs } from './pairs.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-pairs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const user = (text: string) => ({ role: 'user' as const, text });
const assistant = (text: string) => ({ role: 'assistant' as const, text });
const chat = (...pairs: [string, string][]) => pairs.map(([role, content]) => ({ role, content }));

describe('a pair', () => {
  const good = [user('q'), assistant('yes')];
  const bad = [user('q'), assistant('no')];
  it.each<[string, Record<string, unknown>]>([
    ['texts (TRL)', { prompt: 'q', chosen: 'yes', rejected: 'no' }],
    ['a question', { question: 'q', chosen: 'yes', rejected: 'no' }],
    [
      'messages with a prompt',
      { prompt: chat(['user', 'q']), chosen: chat(['assistant', 'yes']), rejected: chat(['assistant', 'no']) },
    ],
    [
      'whole conversations',
      { chosen: chat(['user', 'q'], ['assistant', 'yes']), rejected: chat(['user', 'q'], ['assistant', 'no']) },
    ],
    [
      'whole conversations whose prompt is told again (UltraFeedback)',
      { prompt: 'q', chosen: chat(['user', 'q'], ['assistant', 'yes']), rejected: chat(['user', 'q'], ['assistant', 'no']) },
    ],
    [
      "AgentGym's words",
      {
        chosen: [
          { from: 'human', value: 'q' },
          { from: 'gpt', value: 'yes' },
        ],
        rejected: [
          { from: 'human', value: 'q' },
          { from: 'gpt', value: 'no' },
        ],
      },
    ],
  ])('of %s', (_, record) => expect(pairOf(record, 'x: row 1')).toEqual({ chosen: good, rejected: bad }));

  it('a system message before the repeated prompt stays', () => {
    const side = (reply: string) => chat(['system', 's'], ['user', 'q'], ['assistant', reply]);
    expect(pairOf({ prompt: 'q', chosen: side('yes'), rejected: side('no') }, 'x').chosen).toHaveLength(3);
  });

  it('a prompt of several turns comes before both sides', () => {
    const prompt = chat(['system', 's'], ['user', 'a'], ['assistant', 'b'], ['user', 'c']);
    const { chosen, rejected } = pairOf({ prompt, chosen: 'yes', rejected: 'no' }, 'x');
    expect(chosen.map(({ text }) => text)).toEqual(['s', 'a', 'b', 'c', 'yes']);
    expect(rejected.at(-1)).toEqual(assistant('no'));
  });

  it('a reply that says what was asked is no repeated prompt', () => {
    expect(pairOf({ prompt: 'q', chosen: 'q', rejected: 'no' }, 'x').chosen).toEqual([user('q'), assistant('q')]);
  });

  it('margin and category, where they are what they should be', () => {
    const record = { prompt: 'q', chosen: 'yes', rejected: 'no' };
    expect(pairOf({ ...record, margin: 0.5, category: 'math' }, 'x')).toMatchObject({ margin: 0.5, category: 'math' });
    expect(pairOf({ ...record, margin: 'big', category: 3 }, 'x')).not.toHaveProperty('margin');
  });

  it('a margin that is no finite number is none', () => {
    const record = { prompt: 'q', chosen: 'yes', rejected: 'no' };
    for (const margin of [NaN, Infinity, -Infinity]) expect(pairOf({ ...record, margin }, 'x')).not.toHaveProperty('margin');
  });

  it('what a tool answers is told to the assistant, never learned', () => {
    const side = (reply: string) => chat(['user', 'q'], ['assistant', 'search'], ['tool', 'found'], ['assistant', reply]);
    const { chosen } = pairOf({ chosen: side('yes'), rejected: side('no') }, 'x');
    expect(chosen).toEqual([user('q'), assistant('search'), user('found'), assistant('yes')]);
    expect(() => pairOf({ chosen: side('yes').slice(0, 3), rejected: side('no') }, 'x')).toThrow(/ends "chosen" without a reply/);
  });

  it.each<[Record<string, unknown>, RegExp]>([
    [{ prompt: 'q', chosen: 'yes' }, /x: row 1 has no "rejected"/],
    [{ prompt: 'q', chosen: '', rejected: 'no' }, /has no "chosen"/],
    [{ chosen: 'yes', rejected: 'no' }, /does not say what "chosen" answers/],
    [{ prompt: 'q', chosen: chat(['user', 'x']), rejected: 'no' }, /ends "chosen" without a reply/],
    [{ prompt: 'q', chosen: [{ role: 'robot', content: 'x' }], rejected: 'no' }, /has no "chosen"/],
    [{ prompt: 'q', chosen: [{ role: 'toString', content: 'x' }], rejected: 'no' }, /has no "chosen"/],
    [{ prompt: 'q', chosen: [null], rejected: 'no' }, /has no "chosen"/],
    [{ prompt: 'q', chosen: [], rejected: 'no' }, /has no "chosen"/],
  ])('%j is refused with its place', (record, message) => expect(() => pairOf(record, 'x: row 1')).toThrow(message));
});

describe('files of pairs', () => {
  const record = { prompt: 'q', chosen: 'yes', rejected: 'no' };
  it('JSON, JSON lines and CSV, with a byte order mark and without', async () => {
    const [json, lines, csv] = [join(folder, 'a.json'), join(folder, 'b.jsonl'), join(folder, 'c.csv')];
    writeFileSync(json, `\ufeff${JSON.stringify([record, record])}`);
    writeFileSync(lines, `\ufeff${JSON.stringify(record)}\r\n\r\n${JSON.stringify(record)}`);
    writeFileSync(csv, '\ufeffprompt,chosen,rejected\r\n"q","yes",no\r\n');
    expect(await readPairs([json, lines, csv])).toHaveLength(5);
  });

  it.each<[string, string, RegExp]>([
    ['none.json', '[]', /holds no pairs/],
    ['null.json', '[null]', /row 1 is no object but null/],
    ['list.jsonl', '[1,2]\n', /row 1 is no object but 1/],
    ['cut.json', '[{"prompt": "q"', /cannot be read/],
    ['side.jsonl', `${JSON.stringify(record)}\n{"prompt":"q"}\n`, /side\.jsonl: row 2 has no "chosen"/],
  ])('%s is refused', async (name, text, message) => {
    writeFileSync(join(folder, name), text);
    await expect(readPairs([join(folder, name)])).rejects.toThrow(message);
  });
});
