import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFormat } from '../agent/formats/index.ts';
import { textCraft } from '../envs/textcraft/textcraft.ts';
import { ExpertPolicy } from '../policy/expert.ts';
import { RandomPolicy } from '../policy/random-policy.ts';
import { inspectFile } from './inspect.ts';
import { taskIndices } from './play/chosen-tasks.ts';
import { playToFile } from './play/play-to-file.ts';
import type { LoadEnvironment } from './play/replay.ts';
import { planDedupe, planSplit } from './select.ts';
import { validateFile } from './validate.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-validate-'));
const loaded = new Map<string, ReturnType<typeof textCraft>>();
const load: LoadEnvironment = async (_name, settings = {}) => {
  const key = JSON.stringify(settings);
  const known = loaded.get(key) ?? textCraft(settings);
  loaded.set(key, known);
  return known;
};

function demonstrate(out: string, split: string, count: number, direct = false) {
  const environment = textCraft();
  return playToFile({
    environment,
    policy: new ExpertPolicy(),
    format: createFormat(direct ? 'direct' : 'react'),
    split,
    tasks: taskIndices(environment, split, undefined, count),
    out: join(folder, out),
  });
}

describe('demonstrations', () => {
  it.each([
    ['a.json', 'test', false],
    ['b.jsonl', 'generated', true],
    ['c.parquet', 'train', false],
  ])('%s of %s replay', async (out, split, direct) => {
    expect(await demonstrate(out, split, 20, direct)).toMatchObject({ episodes: 20, solved: 20, failed: 0, written: 20 });
    const report = await validateFile(join(folder, out), { load });
    // verl's SFT rows have no item ids: their environment cannot be told.
    if (out.endsWith('.parquet')) expect(report.problems).toHaveLength(20);
    else expect(report).toMatchObject({ rows: 20, good: 20, problems: [], mislabelled: [] });
    expect(report.rows).toBe(20);
  });

  it('keeps what a policy solved, writes AgentGym’s summary, and nothing of failures', async () => {
    const environment = textCraft();
    const out = join(folder, 'random.jsonl');
    const tasks = taskIndices(environment, 'generated-short', undefined, 10);
    const options = {
      environment,
      policy: new RandomPolicy(),
      format: createFormat('direct'),
      split: 'generated-short',
      tasks,
    };
    const report = await playToFile({ ...options, samples: 2, turns: 3, keep: 'all', out });
    expect(report).toMatchObject({ episodes: 20, written: 20, format: 'sampling' });
    const summary = JSON.parse(readFileSync(join(folder, 'random_summary.json'), 'utf8')) as Record<string, unknown>;
    expect(summary).toMatchObject({ task_name: 'textcraft', model: 'random', total_samples: 20, completed_samples: 20 });
    expect((await planDedupe(out, 'best')).keep.size).toBe(10);
    await expect(playToFile({ ...options, out })).rejects.toThrow(/exists/);
  });
});

describe('validate', () => {
  it('finds exactly the rows that were tampered with, says why, and --fix separates them', async () => {
    await demonstrate('good.json', 'test', 30);
    const rows = JSON.parse(readFileSync(join(folder, 'good.json'), 'utf8')) as {
      item_id: string;
      conversations: { from: string; value: string; loss: boolean | null }[];
    }[];
    rows[4]!.conversations[4]!.value = 'Got 1 dragon egg'; // an answer the world does not give
    rows[9]!.conversations[3]!.value = 'Thought:\nhm\n\nAction:\nget 1 nonsense'; // an action with another effect
    rows[14]!.conversations.splice(-2); // it never earns what it says
    rows[19]!.item_id = 'textcraft_543'; // a wrong label
    rows[24]!.conversations = rows[24]!.conversations.slice(0, 3); // nothing was said
    (rows[27] as unknown as { conversations: unknown }).conversations = [{ from: 'alien', value: 'x' }];
    const path = join(folder, 'tampered.json');
    writeFileSync(path, JSON.stringify(rows));
    const fix = { good: join(folder, 'fixed', 'tampered.json'), bad: join(folder, 'fixed', 'bad.jsonl') };
    const report = await validateFile(path, { load, fix });
    expect(report.problems.map(({ number, kind }) => [number, kind])).toEqual([
      [5, 'observation'],
      [10, 'observation'],
      [15, 'reward'],
      [25, 'no-turns'],
      [28, 'unreadable'],
    ]);
    expect(report.problems[0]!.detail).toMatch(/turn 1.*dragon egg/);
    expect(report.mislabelled).toEqual([{ number: 20, itemId: 'textcraft_543', shows: 'textcraft_19' }]);
    expect(await validateFile(fix.good, { load })).toMatchObject({ rows: 25, good: 25, mislabelled: [] });
    expect(readFileSync(fix.bad, 'utf8').trim().split('\n')).toHaveLength(5);
  });

  it('checks that tasks exist', async () => {
    const path = join(folder, 'ids.json');
    writeFileSync(path, JSON.stringify([{ item_id: 'textcraft_3' }, { item_id: 'textcraft_9999' }]));
    expect((await validateFile(path, { load })).problems).toMatchObject([{ number: 2, kind: 'unknown-task' }]);
  });
});

describe('looking and choosing', () => {
  it('counts what is in a file', async () => {
    await demonstrate('look.jsonl', 'train', 10);
    const found = await inspectFile(join(folder, 'look.jsonl'), { count: (text) => text.split(' ').length });
    expect(found).toMatchObject({ rows: 10, items: 10, duplicates: 0, environments: { textcraft: 10 }, problems: [] });
    expect(found.tokens?.mean).toBeGreaterThan(found.learnedTokens?.mean ?? Infinity);
    expect(found.samples).toHaveLength(3);
  });

  it('splits exactly, and by item keeps items together', async () => {
    const path = join(folder, 'many.json');
    writeFileSync(path, JSON.stringify(Array.from({ length: 100 }, (_, i) => ({ item_id: `textcraft_${i % 20}` }))));
    const exact = await planSplit(path, 0.1, 42, false);
    expect([exact.rows, exact.held]).toEqual([100, 10]);
    const whole = await planSplit(path, 0.1, 42, true);
    expect(whole.held).toBe(10);
    for (let i = 0; i < 20; i++) expect(new Set([0, 20, 40, 60, 80].map((k) => whole.isHeld(i + k + 1))).size).toBe(1);
  });

  it('leaves no half file behind', () => {
    expect(readdirSync(folder).filter((name) => name.startsWith('.writing'))).toEqual([]);
  });
});

describe('recordings of other clients', () => {
  it("of AgentGym's present client replay although some replies lack Action:", async () => {
    const environment = textCraft();
    const [task] = taskIndices(environment, 'all', undefined, 1);
    const world = environment.openDataIndex(task ?? 0);
    const conversations: { from: string; loss: boolean | null; value: string }[] = [
      { from: 'human', loss: null, value: 'You play a game.' },
      { from: 'gpt', loss: false, value: 'OK.' },
      { from: 'human', loss: null, value: world.observation },
    ];
    const expert = environment.expert({ env: 'textcraft', split: 'all', index: 0 });
    const reply = (value: string, action: string): void => {
      conversations.push({ from: 'gpt', loss: true, value });
      conversations.push({ from: 'human', loss: null, value: world.world.step(action).observation });
    };
    // The present client sends an empty action for a reply without the mark.
    reply('I wonder what to do.', '');
    for (let action = expert.next(world.observation); action !== null; action = expert.next('')) {
      reply(`Thought:\nx\n\nAction:\n${action}`, action);
    }
    const file = join(folder, 'present-client.json');
    writeFileSync(file, JSON.stringify([{ conversations: conversations.slice(0, -1), item_id: 'textcraft_0' }]));
    expect(await validateFile(file, { load })).toMatchObject({ rows: 1, good: 1, problems: [] });
    // The two readers of ADaPT's form differ, and a row that names its own is read with it.
    const bad = await validateFile(file, { load, reader: 'adapt-last' });
    expect(bad.good).toBe(0);
  });
});

describe('results of an interaction in verl', () => {
  const environment = textCraft();
  const first = environment.open({ env: 'textcraft', split: 'test', index: 0 }).observation;
  const unheard =
    'Please provide a valid action. Example actions:\n- craft 1 blue dye using 1 lapis lazuli\n- get 9 slime ball\n- inventory';
  const nothing = 'Inventory: You are not carrying anything.';
  const rowsOf = (name: string, texts: readonly (readonly [role: string, content: string])[]) => {
    const conversations = [['user', first] as const, ...texts].map(([role, content]) => ({ role, content }));
    const file = join(folder, name);
    writeFileSync(
      file,
      `${JSON.stringify({ item_id: 'textcraft_0', reward: 0, success: false, num_turns: 2, conversations })}\n`,
    );
    return validateFile(file, { load });
  };

  it.each<[string, [role: string, content: string][]]>([
    [
      'a reply without an action, which the environment never heard',
      [
        ['assistant', 'think: hm'],
        ['user', unheard],
        ['assistant', '> inventory'],
        ['user', nothing],
      ],
    ],
    [
      'an empty reply, which is told the opening again',
      [
        ['assistant', ''],
        ['user', first],
        ['assistant', '> inventory'],
        ['user', nothing],
      ],
    ],
    [
      'observations that were written twice',
      [
        ['assistant', '> inventory'],
        ['user', nothing],
        ['user', nothing],
        ['assistant', '> inventory'],
        ['user', nothing],
      ],
    ],
    [
      'commands that were found in the middle of a thought',
      [
        ['assistant', 'think: what of the inventory, before I get it?'],
        ['user', nothing],
      ],
    ],
    [
      'a prompt sign with nothing after it, which hides what stands before it',
      [
        ['assistant', 'inventory\n>'],
        ['user', unheard],
        ['assistant', 'so:\nAction:'],
        ['user', 'Could not execute Action'],
        ['assistant', '<think>\n> think: hm\n> inventory\nOK.'],
        ['user', nothing],
      ],
    ],
    [
      'the first of several actions, with the signs it was written with',
      [
        ['assistant', 'Thought:\nhm\n\nAction:\ninventory\n\nAction:\nget 1 stick'],
        ['user', nothing],
        ['assistant', 'Action:\nGoal cannot be reached.'],
        ['user', 'Could not execute Goal cannot be reached.'],
      ],
    ],
  ])('replay with %s', async (what, texts) => {
    expect(await rowsOf(`${what}.jsonl`, texts)).toMatchObject({ rows: 1, good: 1 });
  });

  it('do not replay where the environment did hear the action', async () => {
    const { problems } = await rowsOf('heard.jsonl', [
      ['assistant', '> inventory'],
      ['user', unheard],
    ]);
    expect(problems).toEqual([expect.objectContaining({ kind: 'observation' })]);
  });
});
