import { describe, expect, it } from 'vitest';
import { agentGymReader } from '../lookup.ts';
import { readTextCraftAdapt } from '../textcraft/reading.ts';

describe("AgentGym's readers", () => {
  it('2024, TextCraft: before Instruction:, after the last Action:, cleaned', async () => {
    const read = await agentGymReader('textcraft', '2024');
    expect(read('Thought:\nx\n\nAction:\nget 1 stick.').action).toBe('get 1 stick');
    expect(read('Action: a\nAction:\nb\nInstruction: Action: c').action).toBe('b');
    expect(read('inventory').action).toBe('inventory');
  });

  it('2025, TextCraft and BabyAI: one line, one action, or an error for the agent', async () => {
    const read = await agentGymReader('babyai', '2025');
    expect(read('Thought:\nx\n\nAction:\ngo to red ball 1.\nmore').action).toBe('go to red ball 1');
    expect(read('nothing').action).toBe('');
    expect(read('Action: a\nAction: b')).toEqual({
      action: null,
      problem: "Error: Only one 'Action' is allowed per response. Please adjust your response.",
    });
  });

  it('2024, BabyAI: strips only, so a full stop stays', async () => {
    expect((await agentGymReader('babyai', '2024'))('Thought: x\n\nAction:\ngo to purple box 1.').action).toBe(
      'go to purple box 1.',
    );
    expect((await agentGymReader('babyai', '2024'))('Action: turn left</s>').action).toBe('turn left');
  });

  it('ReAct of WebShop, ALFWorld, ScienceWorld', async () => {
    const read = await agentGymReader('webshop', '2025');
    expect(read('Thought: t\nAction: \nclick[Buy Now]').action).toBe('click[Buy Now]');
    expect(read(' search[red shoes] ').action).toBe('search[red shoes]');
    expect(read('hello').action).toBe('');
  });

  it('fences of SQLGym and WebArena; whole replies elsewhere', async () => {
    expect((await agentGymReader('sqlgym', '2025'))('Action:\n```sql\nSELECT 1\n```').action).toBe('SELECT 1');
    expect((await agentGymReader('sqlgym', '2025'))('SELECT 1').action).toBe('SELECT 1');
    expect((await agentGymReader('webarena', '2025'))('no fence')).toMatchObject({ action: null });
    expect((await agentGymReader('searchqa', '2025'))('<search>x</search>').action).toBe('<search>x</search>');
    expect((await agentGymReader('maze', '2025'))('Thought: a Action: move up').action).toBe('move up');
  });

  it('the ADaPT recorder takes the last line that is not a thought', async () => {
    expect(readTextCraftAdapt('> think: x\nOK.\n\n> inventory\nInventory: [slime block] (1)').action).toBe(
      'Inventory slime block 1',
    );
    expect(readTextCraftAdapt('think: foo\nOK.\n\n> inventory').action).toBe('inventory');
    expect(readTextCraftAdapt('think: foo').action).toBe('');
  });
});
