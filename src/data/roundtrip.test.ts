/** Every format → rows → the same format gives equal records: generated ones, and all shared AgentGym files. */
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convertRow } from './convert.ts';
import type { FormatName } from './formats/format.ts';
import { formatNamed, formats, recognise } from './formats/formats.ts';
import { dataFiles, readRows } from './read.ts';
import type { Row } from './rows.ts';
import { RowWriter } from './write.ts';

const shared = fileURLToPath(new URL('../../../shared/data/agentgym', import.meta.url));
const missing = !existsSync(shared);
if (missing) console.log(`skipped: AgentGym's files are not at ${shared}`);
const folder = mkdtempSync(join(tmpdir(), 'agoge-data-'));
let files = 0;

async function written(rows: readonly Row[], format: FormatName, extension?: string): Promise<string> {
  const to = formatNamed(format);
  const path = join(folder, `${files++}${extension ?? to.extension}`);
  await using writer = await RowWriter.open(path, to);
  for (const row of rows) await writer.add(row);
  await writer.finish();
  return path;
}

async function read(path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const { row } of readRows(path)) rows.push(row);
  return rows;
}

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const reply = { from: fc.constantFrom('human', 'gpt', 'system'), loss: fc.constantFrom(true, false, null), value: text };
const message = fc.record(
  { role: fc.constantFrom('system', 'user', 'assistant', 'tool'), content: text, reasoning_content: fc.option(text) },
  { requiredKeys: ['role', 'content'] },
);
const outcome = {
  item_id: fc.nat(999).map((n) => `textcraft_${n}`),
  reward: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  success: fc.constantFrom(0, 1, true, false),
  sample_idx: fc.nat(9),
  task_name: fc.constant('textcraft'),
  model: text,
  num_turns: fc.nat(40),
};
const records: Readonly<Partial<Record<FormatName, fc.Arbitrary<Record<string, unknown>>>>> = {
  agenttraj: fc.record({ conversations: fc.array(fc.record(reply), { minLength: 1, maxLength: 6 }), item_id: outcome.item_id }),
  ids: fc.record({ item_id: outcome.item_id, conversations: fc.constantFrom(null, []) }, { requiredKeys: ['item_id'] }),
  sampling: fc.record(
    { conversations: fc.array(message, { minLength: 1, maxLength: 6 }), ...outcome },
    { requiredKeys: ['conversations', 'item_id', 'reward'] },
  ),
  chat: fc.record({ messages: fc.array(message, { minLength: 1, maxLength: 6 }), ...outcome }, { requiredKeys: ['messages'] }),
  'verl-sft': fc.record({
    messages: fc.array(fc.record({ content: text, role: fc.constantFrom('user', 'assistant') }), { minLength: 1 }),
  }),
  'verl-rl': fc.record({
    data_source: fc.constant('webshop'),
    prompt: fc.array(fc.record({ content: text, role: fc.constantFrom('system', 'user') }), { minLength: 1, maxLength: 2 }),
    ability: fc.option(fc.constant('shopping')),
    reward_model: fc.record({ ground_truth: text, style: fc.constant('interaction') }),
    extra_info: fc.record({
      index: fc.nat(),
      interaction_kwargs: fc.record({ name: fc.constant('webshop'), session_id: fc.nat(), weights: fc.array(fc.boolean()) }),
    }),
  }),
};

describe('round trips', () => {
  it.each(Object.entries(records))('%s', async (name, record) => {
    const format = formatNamed(name);
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 8 }), async (given) => {
        for (const each of given) expect(recognise(each, format.extension === '.parquet')?.name).toBe(name);
        const rows = given.map((each) => format.read(each));
        const back = await read(await written(rows, format.name));
        expect(back.map((row) => format.write(row))).toEqual(given);
        expect(back).toEqual(rows);
      }),
      { numRuns: 25 },
    );
  });

  it.skipIf(missing)('all shared files, in their own format and through chat messages', async () => {
    for (const file of await dataFiles([shared])) {
      const rows: Row[] = [];
      let name: FormatName = 'chat';
      for await (const { row, format } of readRows(file)) {
        rows.push(row);
        name = format;
      }
      const original = readFileSync(file, 'utf8');
      const parsed: unknown = file.endsWith('.jsonl')
        ? original
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as unknown)
        : JSON.parse(original);
      const own = await written(rows, name);
      const again: unknown = own.endsWith('.jsonl')
        ? readFileSync(own, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as unknown)
        : JSON.parse(readFileSync(own, 'utf8'));
      expect(isDeepStrictEqual(again, parsed), file).toBe(true);
      if (rows[0]?.kind !== 'conversation') continue;
      const chat = formatNamed('chat');
      const there = await written(
        rows.map((row) => convertRow(row, name, chat, { opening: 'keep' })),
        'chat',
      );
      const back = (await read(there)).map((row) => convertRow(row, 'chat', formatNamed(name), { opening: 'keep' }));
      expect(isDeepStrictEqual(back, rows), file).toBe(true);
    }
  });

  it('says what it cannot do', async () => {
    const task: Row = { kind: 'task', itemId: 'textcraft_1' };
    expect(() => convertRow(task, 'ids', formatNamed('chat'))).toThrow(/agoge data sample/);
    expect(() => convertRow({ kind: 'conversation', messages: [] }, 'chat', formatNamed('verl-rl'))).toThrow(/no item_id/);
    expect(() => formatNamed('csv')).toThrow(new RegExp(formats.map(({ name }) => name).join(', ')));
    await expect(written([task], 'ids', '.parquet')).rejects.toThrow(/end the output with .json/);
  });
});

describe('conversions that the seeds’ scripts do', () => {
  const trajectory: Row = {
    kind: 'conversation',
    itemId: 'textcraft_31',
    messages: [
      { role: 'user', content: 'rules', loss: null },
      { role: 'assistant', content: 'OK. I will.', loss: false },
      { role: 'user', content: 'Goal', loss: null },
      { role: 'assistant', content: 'Action: x', loss: true },
    ],
  };

  it('trajectories → verl SFT: the first message is the system message, the canned reply is gone; and back', () => {
    const sft = convertRow(trajectory, 'agenttraj', formatNamed('verl-sft'));
    expect(formatNamed('verl-sft').write(sft)).toEqual({
      messages: [
        { role: 'system', content: 'rules' },
        { role: 'user', content: 'Goal' },
        { role: 'assistant', content: 'Action: x' },
      ],
    });
    const back = formatNamed('agenttraj').write(convertRow(sft, 'verl-sft', formatNamed('agenttraj')));
    expect(back['conversations']).toMatchObject([
      { from: 'human', loss: null },
      { from: 'gpt', loss: false },
      { from: 'human' },
      { from: 'gpt' },
    ]);
  });

  it('item ids → verl RL rows, each environment with its own key, ALFWorld’s names by their place', () => {
    const to = formatNamed('verl-rl');
    const row = (itemId: string, position: number) =>
      to.write(
        convertRow({ kind: 'task', itemId }, 'ids', to, { index: 5, position, prompt: () => [{ role: 'system', content: 'p' }] }),
      );
    expect(row('webshop_5238', 0)).toEqual({
      data_source: 'webshop',
      prompt: [{ role: 'system', content: 'p' }],
      ability: 'shopping',
      reward_model: { ground_truth: '', style: 'interaction' },
      extra_info: { index: 5, interaction_kwargs: { name: 'webshop', session_id: 5238 } },
    });
    const kwargs = (itemId: string, position = 0) =>
      (row(itemId, position)['extra_info'] as Record<string, unknown>)['interaction_kwargs'];
    expect(kwargs('textcraft_17')).toEqual({ name: 'textcraft', session_id: 17, data_idx: 17 });
    expect(kwargs('triviaqa_9')).toEqual({ name: 'searchqa', session_id: 9, id: 9 });
    expect(kwargs('look_at_obj_in_light-AlarmClock-None-DeskLamp-301_trial_T20190907_174127_043461', 3)).toEqual({
      name: 'alfworld',
      session_id: 3,
      game: 3,
    });
  });
});
