import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { evaluateSchema, fileEntry, splitEntry } from '../../config/recipe/shared-keys.ts';
import type { Environment } from '../../envs/environment.ts';
import { formatNamed } from '../../data/formats/formats.ts';
import { RowWriter } from '../../data/write.ts';
import { Environments } from '../../agent/environments.ts';
import { openPanels } from '../run/open-panels.ts';
import { itemOf, openDeck, sizeOf, splitDeck, type DeckParts, type TaskDeck } from './deck.ts';
import { TaskSource } from './source.ts';

const folder = await mkdtemp(join(tmpdir(), 'agoge-tasks-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const environments = new Environments();
const parts: DeckParts = { environment: (entry) => environments.open(entry) };
const split = (entry: object): Promise<TaskDeck> => openDeck(splitEntry.parse(entry), parts);
const file = (entry: object): Promise<TaskDeck> => openDeck(fileEntry.parse(entry), parts);
const items = (deck: TaskDeck): string[] => Array.from({ length: deck.size }, (_, i) => itemOf(deck.at(i)));
const evaluate = (config: object = {}) => evaluateSchema.parse(config);

const ids = join(folder, 'textcraft_train.json');
await writeFile(ids, JSON.stringify([31, 7, 250, 301].map((n) => ({ item_id: `textcraft_${n}` }))));
const rows = join(folder, 'train.parquet');
{
  await using writer = await RowWriter.open(rows, formatNamed('verl-rl'));
  for (const [name, key, number] of [
    ['textcraft', 'data_idx', 12],
    ['babyai', 'session_id', 40],
    ['textcraft', 'session_id', 9],
  ] as const) {
    await writer.add({
      kind: 'task',
      env: name,
      prompt: [{ role: 'system', content: `Row ${number}.` }],
      extraInfo: { index: 0, interaction_kwargs: { name, session_id: null, data_idx: null, [key]: number } },
    });
  }
  await writer.finish();
}

describe('tasks of files', () => {
  it("are those of the rows: AgentGym's id lists", async () => {
    const deck = await file({ file: ids });
    expect(deck.name).toBe('textcraft_train.json');
    expect(items(deck)).toEqual(['textcraft_31', 'textcraft_7', 'textcraft_250', 'textcraft_301']);
    expect(items(await file({ file: ids, from: 1, to: 3 }))).toEqual(['textcraft_7', 'textcraft_250']);
  });
  it("are those of the rows: verl's parquet, several environments, with their prompts", async () => {
    const deck = await file({ file: rows });
    expect(items(deck)).toEqual(['textcraft_12', 'babyai_40', 'textcraft_9']);
    expect(deck.environments.map(({ name }) => name)).toEqual(['textcraft', 'babyai']);
    expect(deck.at(1).prompt).toEqual([{ role: 'system', text: 'Row 40.' }]);
    expect(items(await file({ file: rows, env: 'babyai', only: true }))).toEqual(['babyai_40']);
    expect((await file({ file: [ids, rows] })).size).toBe(7);
  });
  it("may be tasks themselves: verl's GSM8K parquet as it is", async () => {
    const path = join(folder, 'gsm8k_test.parquet');
    {
      await using writer = await RowWriter.open(path, formatNamed('verl-rl'));
      for (const index of [0, 1, 2]) {
        await writer.add({
          kind: 'task',
          env: 'openai/gsm8k',
          prompt: [{ role: 'user', content: `${index} + 1?` }],
          ability: 'math',
          rewardModel: { style: 'rule', ground_truth: String(index + 1) },
          extraInfo: { split: 'test', index, answer: 'easy', question: `${index} + 1?` },
        });
      }
      await writer.finish();
    }
    const deck = await file({ env: 'data', file: path, from: 1 });
    expect(deck.name).toBe('gsm8k_test.parquet');
    expect(items(deck)).toEqual(['gsm8k_test_1', 'gsm8k_test_2']);
    const { environment, task } = deck.at(1);
    expect(task).toEqual({ env: 'data', split: 'test', index: 2 });
    const episode = await environment.open(task);
    expect(episode.prompt).toEqual([{ role: 'user', text: '2 + 1?' }]);
    expect(await episode.step('#### 3')).toMatchObject({ reward: 1, success: true });
    // What is chosen by is not tested on.
    await expect(openPanels(evaluate({ panels: [{ env: 'data', file: path }] }), [deck], parts)).rejects.toThrow(/test tasks/);
  });
  it('that cannot be are named by file and row', async () => {
    const bad = join(folder, 'bad.json');
    await writeFile(bad, JSON.stringify([{ item_id: 'textcraft_3' }, { item_id: 'textcraft_9999' }]));
    await expect(file({ file: bad })).rejects.toThrow(/bad\.json: row 2: textcraft has no item/);
    await writeFile(bad, JSON.stringify([{ item_id: 'atari_3' }]));
    await expect(file({ file: bad })).rejects.toThrow(/bad\.json: row 1: there is no environment "atari"/);
    await writeFile(bad, JSON.stringify([{ item_id: './evil.ts_3' }]));
    await expect(file({ file: bad })).rejects.toThrow(/row 1: .*rows of a file name environments, never code/);
    await writeFile(bad, JSON.stringify([{ item_id: '17' }]));
    await expect(file({ file: bad })).rejects.toThrow(/row 1 names no task/);
    expect(items(await file({ file: bad, env: 'textcraft' }))).toEqual(['textcraft_17']);
    await expect(file({ file: ids, from: 4 })).rejects.toThrow(/has 4 tasks, none from 4/);
    await expect(file({ file: join(folder, 'no.json') })).rejects.toThrow(/does not exist/);
  });
  it('are drawn in another order each epoch', async () => {
    const source = new TaskSource([await file({ file: ids })], 3);
    const drawn = Array.from({ length: 12 }, () => itemOf(source.next()));
    for (const epoch of [0, 4, 8]) expect(new Set(drawn.slice(epoch, epoch + 4)).size).toBe(4);
  });
});

describe('a split', () => {
  const of = (size: number): Environment => ({ name: 'toy', tasks: () => ({ size }) }) as unknown as Environment;
  const entry = { split: 'later', from: 0, to: null };
  it('without tasks is said to have none', () => {
    expect(() => sizeOf(entry, of(0))).toThrow('toy/later has no tasks: choose another split');
  });
  it('has what from and to leave of it', () => {
    expect(sizeOf({ ...entry, to: 50 }, of(1e9))).toBe(50);
    expect(sizeOf({ ...entry, from: 1000, to: 8_000_000 }, of(Infinity))).toBe(7_999_000);
    expect(sizeOf(entry, of(Infinity))).toBe(Infinity);
  });
  it('of a billion tasks is drawn from all over, no task twice in a pass', () => {
    const source = new TaskSource([splitDeck({ ...entry, weight: 1 }, of(1e9))], 3);
    const drawn = Array.from({ length: 1000 }, () => source.next().task.index);
    expect(new Set(drawn).size).toBe(1000);
    const mean = drawn.reduce((a, b) => a + b) / drawn.length;
    expect(Math.abs(mean / 1e9 - 0.5)).toBeLessThan(0.05);
    const again = new TaskSource([splitDeck({ ...entry, weight: 1 }, of(1e9))], 3);
    again.restore([990]);
    expect(again.next().task.index).toBe(drawn[990]);
  });
  it('that is too large to list leaves out what is evaluated, and is no panel itself', async () => {
    const large = await split({ env: 'maze', split: 'generated', to: 8_000_000 });
    const { panels, decks } = await openPanels(evaluate({ tasks: 3 }), [large], parts);
    const held = items(panels[0] as TaskDeck);
    expect(held).toEqual([5, 16, 27].map((index) => itemOf(large.at(index))));
    expect(decks[0]?.size).toBe(8_000_000);
    expect([4, 5, 6, 27].map((position) => decks[0]?.at(position).task.index)).toEqual([4, 6, 6, 28]);
    const panel = evaluate({ panels: [{ env: 'maze', split: 'generated', to: 8_000_000 }] });
    await expect(openPanels(panel, [large], parts)).rejects.toThrow(
      'the panel maze/generated has 8000000 tasks, and at most 5000000 can be kept from training',
    );
  });
});

describe('panels', () => {
  it('are the validation split, which training then leaves out', async () => {
    const { panels, decks, notes } = await openPanels(evaluate(), [await split({ env: 'textcraft', split: 'train' })], parts);
    expect(panels.map(({ name, size }) => [name, size])).toEqual([['textcraft/validation', 40]]);
    expect(decks[0]?.size).toBe(404);
    expect(notes).toEqual(['40 of 444 tasks of textcraft/train are kept for evaluation and not trained on']);
    const trained = new Set(items(decks[0] as TaskDeck));
    for (const item of items(panels[0] as TaskDeck)) expect(trained.has(item)).toBe(false);
  });
  it('have the turns of what is trained, but for those that the evaluation is given itself', async () => {
    const entries = ['train', 'fit'].map((env) => split({ env: 'textcraft', split: env, max_turns: 7 }));
    const turns = async (config: object): Promise<unknown[]> =>
      (await openPanels(evaluate(config), await Promise.all(entries), parts)).panels.map((panel) => panel.at(0).maxTurns);
    expect(await turns({})).toEqual([7]);
    expect(await turns({ max_turns: 40 })).toEqual([undefined]);
    const own = [{ env: 'textcraft', split: 'validation', max_turns: 5 }];
    expect(await turns({ max_turns: 40, panels: own })).toEqual([5]);
  });
  it('are held out where there is no such split', async () => {
    const shop = { env: 'webshop', settings: { size: 60 } };
    const { panels, decks } = await openPanels(evaluate(), [await split({ ...shop })], parts);
    expect(panels[0]?.name).toBe('webshop/train:held-out');
    const trained = new Set(items(decks[0] as TaskDeck));
    expect(items(panels[0] as TaskDeck).some((item) => trained.has(item))).toBe(false);
    const fresh = await openPanels(evaluate({ tasks: 7 }), [await split({ env: 'babyai', split: 'generated' })], parts);
    expect(fresh.panels[0]?.size).toBe(7);
    expect(fresh.panels[0]?.at(0).task.index).toBe(0x7fffffff);
  });
  it('of splits that overlap the test tasks leave those out', async () => {
    const panel = evaluate({ panels: [{ env: 'textcraft', split: 'all', to: 100 }] });
    const { panels, notes } = await openPanels(panel, [await split({ env: 'textcraft', split: 'fit' })], parts);
    expect(notes[0]).toMatch(/^\d+ of \d+ tasks of the panel textcraft\/all are test tasks: they are left out$/);
    const tests = new Set(items(await split({ env: 'textcraft', split: 'test' })));
    expect(items(panels[0] as TaskDeck).filter((item) => tests.has(item))).toEqual([]);
  });
  it('of files with test tasks are watched, never chosen by', async () => {
    const train = [await split({ env: 'textcraft', split: 'fit' })];
    const panel = { panels: [{ file: ids }] };
    await expect(openPanels(evaluate(panel), train, parts)).rejects.toThrow(
      /1 of 4 tasks of the panel textcraft_train\.json are test tasks.*evaluate\.choose=false/s,
    );
    const { panels, decks } = await openPanels(evaluate({ ...panel, choose: false }), train, parts);
    expect([panels[0]?.size, decks[0]?.size]).toEqual([4, 404]);
  });
});
