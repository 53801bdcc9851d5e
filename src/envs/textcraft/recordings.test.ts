/** Every shared recording of TextCraft, replayed in process: same observations, same reward, same end. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Read } from '../../agent/format.ts';
import { oneAction } from '../agentgym/reading.ts';
import { readTextCraft2024, readTextCraftAdapt } from './reading.ts';
import { parseFirstObservation } from './commands.ts';
import { knownGoals2024 } from './goals.ts';
import { recipeTable } from './recipes.ts';
import { textCraft, type TextCraft } from './textcraft.ts';

const shared = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));
const missing = !existsSync(shared);
if (missing) console.log(`skipped: recordings are not at ${shared}`);

interface Message {
  readonly agent: boolean;
  readonly text: string;
}

/** Plays the agent's messages from the third on and compares what the recorder noted; returns observations compared. */
function replay(env: TextCraft, messages: readonly Message[], read: (reply: string) => Read, normal: (text: string) => string) {
  const first = parseFirstObservation(messages[2]!.text)!;
  const { world, observation } = env.openGoal(first.goal, first.commands);
  expect(normal(observation)).toBe(messages[2]!.text);
  let reward = 0;
  let done = false;
  let compared = 0;
  for (let at = 3; at < messages.length; at += 2) {
    expect(messages[at]!.agent).toBe(true);
    const { action, ...rest } = read(messages[at]!.text);
    const step =
      action === null ? { observation: 'problem' in rest ? rest.problem : '', reward: 0, done: false } : world.step(action);
    ({ reward, done } = step);
    const recorded = messages[at + 1];
    if (recorded) {
      expect(normal(step.observation)).toBe(recorded.text);
      compared++;
    }
  }
  return { reward, done, compared, goal: first.goal };
}

describe.skipIf(missing)('recordings', () => {
  it('AgentTraj-L (2024) replays: observations, the end, and the goal of each data_idx', () => {
    const env = textCraft({ edition: '2024' });
    const records = JSON.parse(readFileSync(`${shared}agentgym/AgentTraj-L/textcraft_train.json`, 'utf8')) as {
      item_id: string;
      conversations: { from: string; value: string }[];
    }[];
    let compared = 0;
    for (const { item_id, conversations } of records) {
      const messages = conversations.map(({ from, value }) => ({ agent: from === 'gpt', text: value }));
      // That recorder put "Instruction:" before each observation and trimmed its end.
      const result = replay(env, messages, readTextCraft2024, (text) => `Instruction:\n${text}`.trimEnd());
      expect(result).toMatchObject({ reward: 1, done: true });
      expect(env.goals[Number(item_id.split('_')[1])]).toBe(result.goal);
      compared += result.compared;
    }
    expect([records.length, compared]).toEqual([262, 1865]);
  });

  it.each([
    ['textcraft_gemini-3-pro-preview_20251211_210257', oneAction, 100, 393],
    ['textcraft_gemini-3-pro-preview_20251216_101619', readTextCraftAdapt, 262, 2409],
  ] as const)('%s replays', (file, read, rows, observations) => {
    const env = textCraft();
    const lines = readFileSync(`${shared}agentgym/Sampling/${file}.jsonl`, 'utf8').trim().split('\n');
    let compared = 0;
    for (const line of lines) {
      const { conversations, reward } = JSON.parse(line) as {
        conversations: { role: string; content: string }[];
        reward: number;
      };
      const messages = conversations.map(({ role, content }) => ({ agent: role === 'assistant', text: content }));
      const result = replay(env, messages, read, (text) => text);
      expect(result.reward).toBe(reward);
      compared += result.compared;
    }
    expect([lines.length, compared]).toEqual([rows, observations]);
  });

  it('the recipe table is the recipe files', () => {
    interface File {
      type: string;
      group?: string;
      pattern?: string[];
      key?: Record<string, Alternatives>;
      ingredients?: Alternatives[];
      result: { item: string; count?: number };
    }
    type Choice = { item?: string; tag?: string };
    type Alternatives = Choice | Choice[];
    const files = JSON.parse(readFileSync(`${shared}textcraft/recipes.json`, 'utf8')) as Record<string, File>;
    const bare = (id: string) => id.replace('minecraft:', '');
    const named = (given: Alternatives) => {
      const choice = Array.isArray(given) ? given[0]! : given;
      return { name: bare(choice.item ?? choice.tag!), tag: choice.tag !== undefined };
    };
    const expected = Object.entries(files).map(([name, { group, pattern, key, ingredients, result }]) => {
      const inputs = new Map<string, { name: string; tag: boolean; count: number }>();
      const add = (given: Alternatives, count: number) => {
        const input = named(given);
        inputs.set(input.name, { ...input, count: (inputs.get(input.name)?.count ?? 0) + count });
      };
      for (const [sign, given] of Object.entries(key ?? {})) add(given, pattern!.join('').split(sign).length - 1);
      for (const given of ingredients ?? []) add(given, 1);
      return { name, output: bare(result.item), count: result.count ?? 1, group, inputs: [...inputs.values()] };
    });
    expect(recipeTable()).toEqual(expected);
  });

  it('knows the goal of every recorded data_idx', () => {
    const recorded = JSON.parse(readFileSync(`${shared}textcraft/goal_by_data_idx.json`, 'utf8')) as Record<string, string>;
    const known = knownGoals2024();
    for (const [index, goal] of Object.entries(recorded)) {
      expect(known.get(Number(index))).toBe(goal.replace('minecraft:', '').replaceAll(' ', '_'));
    }
  });

  it('has the item ids of AgentGym in its splits', () => {
    const ids = (path: string) =>
      (JSON.parse(readFileSync(shared + path, 'utf8')) as { item_id: string }[]).map((row) => row.item_id);
    const own = (split: string) =>
      Array.from({ length: textCraft().tasks(split).size }, (_, i) => textCraft().tasks(split).info(i).itemId);
    expect(own('test')).toEqual(ids('agentgym/AgentEval/textcraft_test.json'));
    const train = new Set(own('train'));
    for (const id of ids('agentgym/AgentGym-RL-Data/train/textcraft_train.json')) expect(train.has(id)).toBe(true);
  });
});
