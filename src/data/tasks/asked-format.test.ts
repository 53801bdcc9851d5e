/** Rows as the seeds have them: verl's RL rows whose prompts ask for the bare action, read by a reader of ReAct. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createFormat } from '../../agent/formats/index.ts';
import { formatOfRows, refuseContradiction } from './asked-format.ts';
import { followingRows } from './converted-format.ts';

const folder = await mkdtemp(join(tmpdir(), 'agoge-asked-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const bare = 'You can use actions like:\n- get [object]\n\nYour response should contain only the action.';
const thought = 'Reply in this form:\nThought:\n<reasoning>\n\nAction:\n<action>';
const instructions = {
  task: 'Craft.',
  actions: [
    { name: 'get', template: 'get {count} {item}', description: 'take', parameters: { count: 'how many', item: 'what' } },
  ],
};

async function rows(name: string, ...prompts: string[]): Promise<string> {
  const path = join(folder, name);
  const lines = prompts.map((content, index) =>
    JSON.stringify({
      data_source: 'textcraft',
      prompt: [{ role: 'system', content }],
      extra_info: { interaction_kwargs: { name: 'textcraft', session_id: index } },
    }),
  );
  await writeFile(path, lines.join('\n'));
  return path;
}

describe('what rows ask for', () => {
  it('is told once for all of them, with the words and the row', async () => {
    const file = await rows('bare.jsonl', 'You craft.', bare, bare);
    expect(await formatOfRows([file])).toEqual({
      format: 'direct',
      words: 'Your response should contain only the action.',
      file,
      row: 2,
    });
    expect(await formatOfRows([await rows('silent.jsonl', 'You craft.')])).toBeUndefined();
  });
  it('is an error where it is two things', async () => {
    const mixed = formatOfRows([await rows('mixed.jsonl', bare, thought)]);
    await expect(mixed).rejects.toThrow(/direct \(.*row 1: ".*only the action\."\) and react \(.*row 2: .*a run of their own/);
  });
  it('is refused with both texts where the reader wants another', () => {
    const prompt = [{ role: 'system' as const, text: bare }];
    const place = { where: 'train.parquet', remedy: (asked: string) => `Set agent.format=${asked}` };
    expect(() => refuseContradiction(prompt, createFormat('react'), instructions, place)).toThrow(
      /the prompt says: "Your response should contain only the action\."\n {2}react reads: "Thought:\\n<your reasoning>\\n\\nAction:\\nget <count> <item>"\nSet agent\.format=direct/,
    );
    for (const reader of ['direct', 'adapt', 'adapt-last'])
      expect(() => refuseContradiction(prompt, createFormat(reader), instructions, place)).not.toThrow();
  });
  it('is written into a recipe that opens with the rows', async () => {
    const converted = (file: string) => ({
      kind: 'rl' as const,
      recipe: { agent: { prompt: 'row' }, tasks: [{ file }] },
      notes: [],
      unneeded: [],
      lost: [],
    });
    const found = await followingRows(converted(await rows('written.jsonl', bare)));
    expect(found.recipe['agent']).toEqual({ prompt: 'row', format: 'direct' });
    expect(found.notes[0]).toContain('Your response should contain only the action.');
    const absent = await followingRows(converted('/nowhere/train.parquet'));
    expect(absent.recipe['agent']).toEqual({ prompt: 'row' });
    expect(absent.notes[0]).toMatch(/^\/nowhere\/train\.parquet is not here/);
  });
});
