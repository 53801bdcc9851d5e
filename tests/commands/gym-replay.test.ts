/** Every shared recording of TextCraft, replayed over HTTP through AgentGym's routes: create, reset, step, close. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Read } from '../../src/agent/format.ts';
import { oneAction } from '../../src/envs/agentgym/reading.ts';
import { readTextCraft2024, readTextCraftAdapt } from '../../src/envs/textcraft/reading.ts';
import { textCraft } from '../../src/envs/textcraft/textcraft.ts';
import { Caller } from '../../src/gym/client/call.ts';
import { startGym } from '../../src/gym/server/server.ts';

const shared = fileURLToPath(new URL('../../../shared/data/agentgym/', import.meta.url));
const missing = !existsSync(shared);
if (missing) console.log(`skipped: recordings are not at ${shared}`);

interface Answer {
  readonly id: number;
  readonly observation: string;
  readonly reward: number;
  readonly done: boolean;
}

type Recording = readonly { readonly agent: boolean; readonly text: string }[];

/** Plays one recording and returns how many observations were compared, and what the last step gave. */
async function replay(caller: Caller, recording: Recording, read: (reply: string) => Read, normal: (text: string) => string) {
  const post = async (path: string, body: unknown) => {
    const { status, value } = await caller.call('POST', path, { body });
    expect(status).toBe(200);
    return value as Answer;
  };
  const [, commands = '', goal = ''] = /Crafting commands:\n([\s\S]*)\n\nGoal: craft (.*)\.$/.exec(recording[2]!.text) ?? [];
  const { id, observation } = await post('/create', { commands, goal });
  expect(normal(observation)).toBe(recording[2]!.text);
  expect((await post('/reset', { id })).observation).toBe(observation);
  let compared = 1;
  let reward = 0;
  let done = false;
  for (let at = 3; at < recording.length; at += 2) {
    const { action, ...rest } = read(recording[at]!.text);
    const step =
      action === null
        ? { observation: 'problem' in rest ? rest.problem : '', reward: 0, done: false }
        : await post('/step', { id, action });
    ({ reward, done } = step);
    const next = recording[at + 1];
    if (!next) continue;
    expect(normal(step.observation)).toBe(next.text);
    compared++;
  }
  expect(await post('/close', { id })).toBe(true);
  return { compared, reward, done };
}

async function replayAll(
  edition: '2024' | '2025',
  recordings: readonly Recording[],
  read: (reply: string) => Read,
  normal: (text: string) => string,
) {
  await using server = await startGym({ environments: [textCraft({ edition })] });
  const caller = new Caller(server.url, { connections: 16 });
  const results = await Promise.all(recordings.map((recording) => replay(caller, recording, read, normal)));
  await caller.close();
  expect(server.counts).toMatchObject({ open: 0, opened: recordings.length });
  return results;
}

const sum = (results: readonly { compared: number }[]) => results.reduce((total, { compared }) => total + compared, 0);

describe.skipIf(missing)('recordings over HTTP', () => {
  it('AgentTraj-L (2024)', async () => {
    const records = JSON.parse(readFileSync(`${shared}AgentTraj-L/textcraft_train.json`, 'utf8')) as {
      conversations: { from: string; value: string }[];
    }[];
    const recordings = records.map(({ conversations }) =>
      conversations.map(({ from, value }) => ({ agent: from === 'gpt', text: value })),
    );
    const results = await replayAll('2024', recordings, readTextCraft2024, (text) => `Instruction:\n${text}`.trimEnd());
    for (const { reward, done } of results) expect([reward, done]).toEqual([1, true]);
    expect(sum(results)).toBe(1865 + 262);
  });

  it.each([
    ['textcraft_gemini-3-pro-preview_20251211_210257', oneAction, 393 + 100],
    ['textcraft_gemini-3-pro-preview_20251216_101619', readTextCraftAdapt, 2409 + 262],
  ] as const)('%s', async (file, read, observations) => {
    const lines = readFileSync(`${shared}Sampling/${file}.jsonl`, 'utf8').trim().split('\n');
    const rows = lines.map((line) => JSON.parse(line) as { conversations: { role: string; content: string }[]; reward: number });
    const recordings = rows.map(({ conversations }) =>
      conversations.map(({ role, content }) => ({ agent: role === 'assistant', text: content })),
    );
    const results = await replayAll('2025', recordings, read, (text) => text);
    expect(results.map(({ reward }) => reward)).toEqual(rows.map(({ reward }) => reward));
    expect(sum(results)).toBe(observations);
  });
});
