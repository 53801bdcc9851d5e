/**
 * Recorded conversations through the agent layer: each reply is replayed as a policy's, read by its generation's reader,
 * and the episode loop steps our environment; the conversation that comes out is the recorded one.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import '../envs/builtin.ts';
import { formatTask } from '../core/task.ts';
import type { Environment } from '../envs/environment.ts';
import { oneAction } from '../envs/agentgym/reading.ts';
import { loadEnvironment } from '../envs/registry.ts';
import { parseFirstObservation } from '../envs/textcraft/commands.ts';
import { textCraft } from '../envs/textcraft/textcraft.ts';
import { ReplayPolicy } from '../policy/replay.ts';
import { playEpisode } from './episode.ts';
import type { Reader } from '../envs/agentgym/reading.ts';
import type { PromptFormat } from './format.ts';
import { createFormat } from './formats/index.ts';
import { taskOfItem } from './items.ts';
import { agentGymReader } from '../envs/lookup.ts';
import { readTextCraftAdapt } from '../envs/textcraft/reading.ts';

const shared = fileURLToPath(new URL('../../../shared/data/agentgym/', import.meta.url));
const missing = !existsSync(shared);
if (missing) console.log(`skipped: recordings are not at ${shared}`);

interface Recorded {
  readonly item: string;
  /** From the first observation on, in turn: environment, agent, … */
  readonly texts: readonly string[];
}

function agentTraj(file: string): Recorded[] {
  const rows = JSON.parse(readFileSync(`${shared}AgentTraj-L/${file}`, 'utf8')) as {
    item_id: string;
    conversations: { value: string }[];
  }[];
  return rows.map(({ item_id, conversations }) => ({ item: item_id, texts: conversations.slice(2).map(({ value }) => value) }));
}

function sampling(file: string): Recorded[] {
  const lines = readFileSync(`${shared}Sampling/${file}`, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const { item_id, conversations } = JSON.parse(line) as { item_id: string; conversations: { content: string }[] };
    return { item: item_id, texts: conversations.slice(2).map(({ content }) => content) };
  });
}

const reading = (read: Reader): PromptFormat => ({ ...createFormat('direct'), name: 'recorded', read });
const withoutList = (text: string): string => text.replace(/\nAvailable actions: .*$/s, '');

/** Plays a recording; returns how many observations were compared. */
async function replay(
  environment: Environment,
  task: { env: string; split: string; index: number },
  { texts }: Recorded,
  read: Reader,
  written: (text: string) => string,
): Promise<number> {
  const replies = texts.filter((_, at) => at % 2 === 1);
  const { turns, observation } = await playEpisode({
    environment,
    task,
    policy: new ReplayPolicy('replay', [{ task: formatTask(task), replies }]),
    format: reading(read),
    limits: { turns: replies.length, tokensPerTurn: 1 },
    seed: 0,
  });
  const said = [observation, ...turns.map((turn) => turn.observation)].map(written);
  const recorded = texts.filter((_, at) => at % 2 === 0);
  expect(said.slice(0, recorded.length)).toEqual(recorded);
  return recorded.length - 1;
}

/** TextCraft with the goal and the commands that a recording shows: its servers drew their lists anew each time. */
function asRecorded(environment: ReturnType<typeof textCraft>, first: string): Environment {
  const { goal, commands } = parseFirstObservation(first) ?? { goal: '', commands: '' };
  const opened = environment.openGoal(goal, commands);
  return {
    name: 'textcraft',
    version: environment.version,
    splits: environment.splits,
    instructions: environment.instructions,
    tasks: (split) => environment.tasks(split),
    open: () => ({
      observation: opened.observation,
      step: (action) => opened.world.step(action),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
  };
}

describe.skipIf(missing)('recordings through the agent layer', () => {
  const anyTask = { env: 'textcraft', split: 'all', index: 0 };

  it('TextCraft, AgentTraj-L (2024)', async () => {
    const environment = textCraft({ edition: '2024' });
    let compared = 0;
    for (const recorded of agentTraj('textcraft_train.json')) {
      const first = (recorded.texts[0] ?? '').replace(/^Instruction:\n/, '');
      const written = (text: string): string => `Instruction:\n${text}`.trimEnd();
      compared += await replay(
        asRecorded(environment, first),
        anyTask,
        recorded,
        await agentGymReader('textcraft', '2024'),
        written,
      );
    }
    expect(compared).toBe(1865);
  });

  it.each([
    ['textcraft_gemini-3-pro-preview_20251211_210257.jsonl', oneAction, 393],
    ['textcraft_gemini-3-pro-preview_20251216_101619.jsonl', readTextCraftAdapt, 2409],
  ] as const)('TextCraft, %s', async (file, read, expected) => {
    const environment = textCraft();
    let compared = 0;
    for (const recorded of sampling(file))
      compared += await replay(asRecorded(environment, recorded.texts[0] ?? ''), anyTask, recorded, read, (text) => text);
    expect(compared).toBe(expected);
  });

  it('BabyAI, AgentTraj-L (2024)', async () => {
    const environment = await loadEnvironment('babyai');
    let compared = 0;
    for (const recorded of agentTraj('babyai_train.json')) {
      compared += await replay(
        environment,
        taskOfItem(environment, recorded.item),
        recorded,
        await agentGymReader('babyai', '2024'),
        withoutList,
      );
    }
    expect(compared).toBeGreaterThan(2500);
  });
});
