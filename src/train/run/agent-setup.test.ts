import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openPrompting } from '../../agent/prompting.ts';
import { rlRecipe, sftRecipe } from '../../config/recipe/recipe.ts';
import { readAgentRecord, writeAgentRecord } from '../../run/agent-record.ts';
import {
  agentRecord,
  dataGaps,
  gapInWords,
  limitsFor,
  limitsOf,
  policyGaps,
  settleRlAgent,
  settleSftAgent,
} from './agent-setup.ts';
import { checkFiles } from '../sft/file-source.ts';

const folder = await mkdtemp(join(tmpdir(), 'agoge-agent-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const rl = (more: object = {}) => rlRecipe({ run: 'x', tasks: [{ env: 'textcraft' }], ...more });
const sft = (agent: object = {}) => sftRecipe({ run: 'x', data: { train: 'x.jsonl' }, agent }).agent;
const checkpoint = join(folder, 'run', 'checkpoints', 'step_000010');
await mkdir(checkpoint, { recursive: true });

describe('the format of a run', () => {
  it('is that of the data, and a recipe that says another is refused before training', async () => {
    const file = join(folder, 'demonstrations.jsonl');
    const reply = 'Thought:\nI take the next step.\n\nAction:\nget 1 stick';
    const row = (content: string, extra = {}) =>
      `${JSON.stringify({
        messages: [
          { role: 'user', content: 'Goal' },
          { role: 'assistant', content },
        ],
        ...extra,
      })}\n`;
    await writeFile(file, row(reply).repeat(20));
    const { written } = await checkFiles([file]);
    expect(settleSftAgent(sft(), written).format).toBe('react');
    expect(() => settleSftAgent(sft({ format: 'direct' }), written)).toThrow(
      /demonstrations\.jsonl is written in the format react \(20 of 20 replies\), the recipe asks for direct: leave agent\.format out/,
    );
    // What rows say about themselves counts more than what they look like.
    await writeFile(file, row('get 1 stick', { format: 'adapt' }).repeat(20));
    expect(settleSftAgent(sft(), (await checkFiles([file])).written).format).toBe('adapt');
    expect(settleSftAgent(sft(), undefined).format).toBe('direct');
    // Replies in no known format are learned as they stand; what they are asked in is said to differ.
    await writeFile(file, row('one line\nand another').repeat(20));
    const { written: unknown } = await checkFiles([file]);
    expect(dataGaps(unknown, settleSftAgent(sft(), unknown).format)).toEqual([{ asked: 'direct', found: null, where: file }]);
    expect(dataGaps(written, 'react')).toEqual([]);
  });

  it('is that of the checkpoint it goes on from', async () => {
    const policy = `run:${join(folder, 'run')}`;
    const { agent } = rl({ agent: { format: 'adapt', few_shot: false, tokens_per_turn: 77, max_turns: [5, 9] } });
    await writeAgentRecord(checkpoint, agentRecord(agent, await openPrompting({ ...agent, format: 'adapt' })));
    expect(await readAgentRecord(checkpoint)).toMatchObject({
      format: 'adapt',
      few_shot: false,
      tokens_per_turn: 77,
      max_turns: 9,
    });
    expect(await settleRlAgent(rl({ policy }))).toMatchObject({ format: 'adapt', few_shot: false });
    await expect(settleRlAgent(rl({ policy, agent: { format: 'react' } }))).rejects.toThrow(
      /was taught to answer in the format adapt/,
    );
    expect((await settleRlAgent(rl())).format).toBe('direct');
    expect((await settleRlAgent(rl({ policy: `hf:${checkpoint}`, agent: { format: 'react' } }))).format).toBe('react');
    const gaps = await policyGaps(`hf:${checkpoint}`, 'react');
    expect(gaps.map(gapInWords)).toEqual([`hf:${checkpoint} was taught the format adapt; the recipe asks for react`]);
    expect(await policyGaps(`hf:${checkpoint}`, 'adapt-last')).toEqual([]);
  });
});

describe('what an agent is told', () => {
  it('is the same block everywhere: few-shot, a file, the row', async () => {
    const prompt = join(folder, 'prompt.txt');
    await writeFile(prompt, 'Play well. {{task}}');
    const base = { few_shot: null, prompt: null, thinking: null, chat_template: null };
    const own = await openPrompting({ ...base, format: 'react', prompt, thinking: false, chat_template: 'plain' });
    expect(own.format.opening({ task: 'Craft.', actions: [] })).toEqual([{ role: 'system', text: 'Play well. Craft.' }]);
    expect(own).toMatchObject({ thinking: false, promptText: 'Play well. {{task}}' });
    expect(own.template).toContain('{');
    const rows = await openPrompting({ ...base, format: 'react', prompt: 'row' });
    const words = [{ role: 'system', text: 'Row 7.' }] as const;
    expect(rows.formatOf({ prompt: words }).opening({ task: '', actions: [] })).toEqual(words);
    expect(rows.formatOf({})).toBe(rows.format);
    await expect(openPrompting({ ...base, format: 'react', prompt: join(folder, 'no.txt') })).rejects.toThrow(
      /no\.txt cannot be read/,
    );
  });
  it('has the limits of the recipe, and of an interaction file where there is one', () => {
    const limits = limitsOf(rl({ agent: { tokens_per_turn: 9, context: 99, step_deadline: 5, loops: 3 } }).agent, 20);
    expect(limits).toMatchObject({ turns: 20, tokensPerTurn: 9, context: 99, stepDeadline: 5, loops: 3 });
    expect(limitsFor(limits, { stepDeadline: 600_000, turns: 15 })).toMatchObject({ stepDeadline: 600_000, turns: 15 });
    expect(limitsFor(limits, { turns: 40 }).turns).toBe(20);
  });
});
