/** The quick way through trajectories gives what the usual way gives, whatever the JSON looks like, and leaves what is not one alone. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { convertRow } from '../convert.ts';
import { formatNamed } from './formats.ts';
import { readRows } from '../read.ts';
import { TrajectoryReader } from './trajectory-reader.ts';
import { transfer } from '../transfer.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-trajectory-'));
const [agentTraj, verlSft] = [formatNamed('agenttraj'), formatNamed('verl-sft')];

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: fc.constantFrom('"', '\\', '\n', '/', 'é', '😀', '\ud83d', '\u0001', 'a', ' '), maxLength: 20 }),
);
const message = fc.record({
  from: fc.constantFrom('human', 'gpt'),
  loss: fc.constantFrom(true, false, null),
  value: text,
});
const record = fc.record({
  conversations: fc.array(message, { minLength: 1, maxLength: 6 }),
  item_id: fc.constantFrom('a_1', 'b'),
});

/** One of the ways to write JSON: keys turned round, white space, escapes for what is not ASCII. */
function spelled(value: unknown, style: number): string {
  const turned = (given: unknown): unknown => {
    if (Array.isArray(given)) return given.map(turned);
    if (typeof given !== 'object' || given === null) return given;
    const entries = Object.entries(given).map(([key, inner]) => [key, turned(inner)] as const);
    return Object.fromEntries(style % 2 === 1 ? entries.reverse() : entries);
  };
  const json = JSON.stringify(turned(value), null, style % 3);
  if (style < 6) return json;
  return json.replace(/[^\x20-\x7e\n]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

test('records in every spelling are what JSON.parse says they are', () => {
  const reader = new TrajectoryReader();
  fc.assert(
    fc.property(record, fc.nat(11), (given, style) => {
      const bytes = Buffer.from(`  ${spelled(given, style)} ,`);
      const known = agentTraj.read(JSON.parse(spelled(given, style)));
      const read = reader.read(bytes, 2);
      // Half of a character has no UTF-8: the usual way deals with it.
      if (given.conversations.some(({ value }) => /\p{Surrogate}/u.test(value))) {
        expect(read).toBeUndefined();
        return;
      }
      expect(read && { itemId: read.itemId, kind: read.kind, messages: read.messages }).toEqual(known);
      expect(read?.record()).toEqual(given);
      expect(reader.end).toBe(bytes.length - 2);
    }),
  );
});

test('what is cut or damaged is refused, or is what JSON.parse makes of it', () => {
  fc.assert(
    fc.property(record, fc.nat(11), fc.nat(), fc.nat(255), (given, style, place, byte) => {
      const reader = new TrajectoryReader();
      const bytes = Buffer.from(spelled(given, style));
      expect(reader.read(bytes.subarray(0, place % bytes.length), 0)).toBeUndefined();
      bytes[place % bytes.length] = byte;
      const read = reader.read(bytes, 0);
      if (read) expect(read.messages).toEqual((agentTraj.read(JSON.parse(bytes.toString('utf8'))) as typeof read).messages);
    }),
  );
});

test.each(['json', 'jsonl'])(
  'a .%s file of trajectories and other rows becomes the parquet rows of the usual way',
  async (extension) => {
    const records = [
      ...fc.sample(record, { numRuns: 60, seed: 7 }),
      { conversations: [{ from: 'system', value: 'x' }], item_id: 'c_3' },
    ].map((each, i) => ({ ...each, ...(i % 9 === 5 ? { reward: 1 } : {}) }));
    const [source, target] = [join(folder, `in.${extension}`), join(folder, `${extension}.parquet`)];
    const lines = records.map((each, i) => spelled(each, extension === 'json' ? i % 12 : (i % 4) * 3));
    writeFileSync(source, extension === 'json' ? `[${lines.join(' ,\n')} ]` : `${lines.join('\r\n')}\n`);
    const [report] = await transfer([source], target, { opening: 'system' });
    expect(report?.written).toBe(records.length);
    const read: unknown[] = [];
    for await (const { row } of readRows(target)) read.push(verlSft.write(row));
    const usual = records.map((each) =>
      verlSft.write(convertRow(agentTraj.read(each), 'agenttraj', verlSft, { opening: 'system' })),
    );
    // What has no UTF-8 becomes the sign for that; JSON writes it as an escape.
    expect(read).toEqual(JSON.parse(JSON.stringify(usual).replaceAll('\\ud83d', '\ufffd')));
  },
);

test('a file of several row groups, compressed on a thread, has all rows in their order', async () => {
  const [source, target] = [join(folder, 'large.json'), join(folder, 'large.parquet')];
  const words = Array.from({ length: 400 }, (_, i) => `word${(i * i) % 997}`);
  const value = (i: number): string => `${i}: ${words.slice(i % 200, (i % 200) + 180).join(i % 7 === 0 ? '\n' : ' ')}`;
  const rows = Array.from({ length: 1700 }, (_, i) => ({
    conversations: [0, 1, 2, 3].map((turn) => ({ from: turn % 2 === 0 ? 'human' : 'gpt', loss: null, value: value(i + turn) })),
    item_id: `textcraft_${i}`,
  }));
  writeFileSync(source, JSON.stringify(rows));
  await transfer([source], target);
  const read: string[] = [];
  for await (const { row } of readRows(target))
    if (row.kind === 'conversation') read.push(row.messages.map((each) => each.content).join('|'));
  expect(read).toEqual(rows.map(({ conversations }) => conversations.map((each) => each.value).join('|')));
});
